/** One's turn by keyboard: arrows or 1…9 pick a card, Enter plays it, K skips, Escape takes back what is picked.

 Before one's turn the same keys ready a card or a skip. */
import { isForTable } from '../aloud/letters';
import { playable } from '../offers/choices';
import type { Picks } from './picks.svelte';
import type { Ready } from './ready.svelte';

/** Enter on a button that is no card is that button's own. */
const isOtherControl = (target: HTMLElement) =>
  target.closest('button, a') !== null && target.closest('[data-testid^="hand-"]') === null;

export function tableKey(event: KeyboardEvent, picks: Picks, ready: Ready): void {
  const target = event.target as HTMLElement;
  if (!isForTable(event) || target.closest('dialog')) return;
  if (event.key === 'Escape') {
    picks.clear();
    ready.cancel();
  }
  const { offer, player } = picks.game;
  const isTurn = offer?.offer === 'play';
  if (!isTurn && !ready.may) return;
  const places = isTurn ? playable(offer, player) : ready.places;
  if (event.key.toLowerCase() === 'k') {
    if (!isTurn) ready.skip();
    else if (offer.may_skip) picks.skip();
  } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
    const place = picks.step(event.key === 'ArrowRight' ? 1 : -1, places);
    document.querySelector<HTMLElement>(`[data-testid="hand-${String(place)}"]`)?.focus();
    event.preventDefault();
  } else if (/^[1-9]$/.test(event.key) && places.includes(Number(event.key) - 1)) {
    picks.card = Number(event.key) - 1;
  } else if (event.key === 'Enter' && picks.card >= 0 && !isOtherControl(target)) {
    event.preventDefault();
    if (!isTurn) ready.play(picks.card);
    else picks.playChosen();
  }
}
