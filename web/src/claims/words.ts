/** The words of claims. */
import { Apart } from '../words/apart.svelte';
import type { Claims } from '../words/claims.zh-TW.gen';
import { partsOf } from '../words/words.svelte';

export const words = new Apart<Claims>(async (language) => (await partsOf(language)).claims());
