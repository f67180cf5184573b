/** One's turn by keyboard: arrows or 1…9 pick a card, Enter plays it, K skips, Escape takes back what is picked. */
import { playable } from '../offers/choices';
import type { Picks } from './picks.svelte';

/** Enter on a button that is no card is that button's own. */
const isOtherControl = (target: HTMLElement) =>
  target.closest('button, a') !== null && target.closest('[data-testid^="hand-"]') === null;

export function tableKey(event: KeyboardEvent, picks: Picks): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, select, textarea, dialog')) return;
  if (event.key === 'Escape') picks.clear();
  const { offer, player } = picks.game;
  if (offer?.offer !== 'play') return;
  if (event.key.toLowerCase() === 'k' && offer.may_skip) picks.skip();
  else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
    const place = picks.step(event.key === 'ArrowRight' ? 1 : -1);
    document.querySelector<HTMLElement>(`[data-testid="hand-${String(place)}"]`)?.focus();
    event.preventDefault();
  } else if (/^[1-9]$/.test(event.key) && playable(offer, player).includes(Number(event.key) - 1)) {
    picks.card = Number(event.key) - 1;
  } else if (event.key === 'Enter' && picks.card >= 0 && !isOtherControl(target)) {
    event.preventDefault();
    picks.playChosen();
  }
}
