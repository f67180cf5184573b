/** What teaches the game, in the language that is spoken: loaded when it is wanted. */
import type { Help } from '../words/help.zh-TW.gen';
import type { Learn } from '../words/learn.zh-TW.gen';
import type { Story } from '../words/story.zh-TW.gen';
import { type Language, partsOf } from '../words/words.svelte';

export async function learnText(language: Language): Promise<Learn> {
  return (await partsOf(language)).learn();
}

export async function storyText(language: Language): Promise<Story> {
  return (await partsOf(language)).story();
}

export async function helpText(language: Language): Promise<Help> {
  return (await partsOf(language)).help();
}
