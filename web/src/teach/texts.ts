/** What teaches the game, in the language that is spoken: loaded when it is wanted. */
import type { Help } from '../words/help.zh-TW.gen';
import type { Learn } from '../words/learn.zh-TW.gen';
import type { Story } from '../words/story.zh-TW.gen';
import { type Language, tongueOf } from '../words/words.svelte';

export async function learnText(language: Language): Promise<Learn> {
  return (await tongueOf(language).learn()).learn;
}

export async function storyText(language: Language): Promise<Story> {
  return (await tongueOf(language).story()).story;
}

export async function helpText(language: Language): Promise<Help> {
  return (await tongueOf(language).help()).help;
}
