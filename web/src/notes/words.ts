/** The words of one's own notes. */
import { Apart } from '../words/apart.svelte';
import type { Notebook } from '../words/notebook.zh-TW.gen';
import { partsOf } from '../words/words.svelte';

export type { Notebook };

export const words = new Apart<Notebook>(async (language) => (await partsOf(language)).notebook());
