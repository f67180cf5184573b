/** The keys that step through a replay. A list of choices and a field of text keep theirs. */
import type { Reel } from './reel.svelte';

/** Does what a key asks for; says whether it asked for anything. */
export function keyOf(event: KeyboardEvent, reel: Reel): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('select, textarea, dialog, input:not([type="range"])')) return false;
  switch (event.key) {
    case 'ArrowLeft':
    case 'ArrowRight': {
      const by = event.key === 'ArrowRight' ? 1 : -1;
      if (event.shiftKey) reel.stepRound(by);
      else reel.step(by);
      return true;
    }
    case 'Home':
      reel.toStart();
      return true;
    case 'End':
      reel.toEnd();
      return true;
    case ' ':
      // Space is also how a button is pressed
      if (target?.closest('button, a, summary')) return false;
      reel.toggle();
      return true;
    default:
      return false;
  }
}
