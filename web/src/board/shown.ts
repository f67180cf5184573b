/** What the board shows beyond the news, told in the moment in which it is seen: sounds keep time with it. */
export type Shown = 'card_turned' | 'cards_sorted';

const watching = new Set<(what: Shown) => void>();

export const shown = {
  tell(what: Shown): void {
    for (const watcher of watching) watcher(what);
  },
  /** Gives what ends it. */
  watch(watcher: (what: Shown) => void): () => void {
    watching.add(watcher);
    return () => watching.delete(watcher);
  },
};
