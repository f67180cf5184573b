/** A release has taken away what this page would load next: it starts anew, but not while one is on turn. */
const KEY = 'cinderforge.renewed';
const PATIENCE_MS = 1_000;
/** A page that was renewed so short a time ago is not again: what is missing would be missing still. */
const AGAIN_MS = 60_000;

let isOnTurn = (): boolean => false;

/** Minds a game until it is left: gives what ends that. */
export function mind(check: () => boolean): () => void {
  isOnTurn = check;
  return () => {
    if (isOnTurn === check) isOnTurn = () => false;
  };
}

/** Watches for parts of the client that can no longer be loaded. */
export function watchForRelease(reload = () => location.reload()): void {
  addEventListener('vite:preloadError', () => {
    renew(reload);
  });
}

function renew(reload: () => void): void {
  const before = Number(sessionStorage.getItem(KEY) ?? 0);
  // without a network it is not a release that is in the way
  if (!navigator.onLine || Date.now() - before < AGAIN_MS) return;
  if (isOnTurn()) {
    setTimeout(() => {
      renew(reload);
    }, PATIENCE_MS);
    return;
  }
  sessionStorage.setItem(KEY, String(Date.now()));
  reload();
}
