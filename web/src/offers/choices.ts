/** From an offer to what can be chosen, and from what is chosen to the wish. The client knows no rule: only offers. */
import type { Wish } from '../link/link';
import type { OfferView, PlayerView } from '../protocol/protocol.gen';

/** Players that may be chosen next, given those chosen so far. */
export function choosable(offer: OfferView | null, picked: number[]): number[] {
  switch (offer?.offer) {
    case 'vote':
    case 'pass':
      return offer.targets;
    case 'targets':
      if (offer.count === 1) return offer.targets;
      return picked.length < offer.count ? offer.targets.filter((turn) => !picked.includes(turn)) : [];
    default:
      return [];
  }
}

/** How many players have to be chosen. */
export function wanted(offer: OfferView | null): number {
  switch (offer?.offer) {
    case 'vote':
    case 'pass':
      return 1;
    case 'targets':
      return offer.count;
    default:
      return 0;
  }
}

/** The players chosen after a tap: choosing again takes back, a single choice is replaced. */
export function tapped(offer: OfferView | null, picked: number[], turn: number): number[] {
  if (picked.includes(turn)) return picked.filter((one) => one !== turn);
  if (wanted(offer) === 1) return choosable(offer, []).includes(turn) ? [turn] : picked;
  return choosable(offer, picked).includes(turn) ? [...picked, turn] : picked;
}

/** What to ask for once enough players are chosen. */
export function wishOf(offer: OfferView | null, picked: number[]): Wish | null {
  const [first] = picked;
  if (first === undefined || picked.length !== wanted(offer)) return null;
  switch (offer?.offer) {
    case 'vote':
      return { t: 'vote', target: first };
    case 'pass':
      return { t: 'pass', to: first };
    case 'targets':
      return { t: 'targets', targets: picked };
    default:
      return null;
  }
}

/** Places in the hand (0…) of the cards that may be played now: the kinds on offer; a drawn one that binds lies last. */
export function playable(offer: OfferView | null, player: PlayerView | null): number[] {
  if (offer?.offer !== 'play' || player === null) return [];
  const { hand, drawn } = player;
  return hand.flatMap((card, index) =>
    offer.cards.includes(card) && (drawn === null || index === hand.length - 1) ? [index] : [],
  );
}
