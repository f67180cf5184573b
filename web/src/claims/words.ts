/** The words of claims. */
import { Apart } from '../words/apart.svelte';
import type { Claims } from '../words/claims.zh-TW.gen';

export const words = new Apart<Claims>(async (language) =>
  language === 'en'
    ? (await import('../words/claims.en.gen')).claims
    : (await import('../words/claims.zh-TW.gen')).claims,
);
