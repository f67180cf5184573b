/** The words of one's own notes. */
import { Apart } from '../words/apart.svelte';
import type { Notebook } from '../words/notebook.zh-TW.gen';

export type { Notebook };

export const words = new Apart<Notebook>(async (language) =>
  language === 'en'
    ? (await import('../words/notebook.en.gen')).notebook
    : (await import('../words/notebook.zh-TW.gen')).notebook,
);
