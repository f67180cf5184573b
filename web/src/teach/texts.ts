/** What teaches the game, in the language that is spoken: loaded when it is wanted. */
import type { Help } from '../words/help.zh-TW.gen';
import type { Learn } from '../words/learn.zh-TW.gen';
import type { Story } from '../words/story.zh-TW.gen';
import type { Language } from '../words/words.svelte';

export async function learnText(language: Language): Promise<Learn> {
  return language === 'en'
    ? (await import('../words/learn.en.gen')).learn
    : (await import('../words/learn.zh-TW.gen')).learn;
}

export async function storyText(language: Language): Promise<Story> {
  return language === 'en'
    ? (await import('../words/story.en.gen')).story
    : (await import('../words/story.zh-TW.gen')).story;
}

export async function helpText(language: Language): Promise<Help> {
  return language === 'en'
    ? (await import('../words/help.en.gen')).help
    : (await import('../words/help.zh-TW.gen')).help;
}
