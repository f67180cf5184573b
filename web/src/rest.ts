/** Where the focus rests when what had it is gone, or can no longer be used: never on nothing. */

/** Is it drawn at all? (`checkVisibility` came to Safari with 17.4.) */
export const hasBox = (one: Element) => one.getClientRects().length > 0;

const isGone = (one: HTMLElement) => !one.isConnected || one.matches(':disabled') || one.closest('[inert]') !== null;
const isUsable = (one: HTMLElement) => !isGone(one) && one.getClientRects().length > 0;

const AGAIN_MS = 50;
const MOST_LOOKS = 200;

/** The dialog that is open, else the heading or line that says what is on (`data-rest`). */
function restingPlace(): HTMLElement | undefined {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1) as HTMLElement | undefined;
  return dialog ?? [...document.querySelectorAll<HTMLElement>('[data-rest]')].find(isUsable);
}

/** Watches the page; gives what ends it. No control is chosen: Enter, pressed twice, must do nothing a second time. */
export function keepFocus(): () => void {
  let last: HTMLElement | null = null;
  /** What had the focus was gone for a moment at least: who left it did not do so on purpose. */
  let wasGone = false;
  let soon: ReturnType<typeof setTimeout> | undefined;
  let looks = 0;
  const stop = new AbortController();
  const { signal } = stop;

  function look(): void {
    if (last === null || (!wasGone && isUsable(last))) return;
    const here = document.activeElement;
    if (here !== null && here !== document.body && here !== last) return;
    const place = isUsable(last) ? last : restingPlace();
    place?.focus({ preventScroll: true });
    // a page that is still being read or moved in has no place yet, and may show it without a change that is watched
    if ((place === undefined || document.activeElement !== place) && ++looks < MOST_LOOKS) lookAfter(AGAIN_MS);
  }
  /** A look that waits is not put off: changes may follow one another without an end. */
  function lookAfter(milliseconds: number): void {
    soon ??= setTimeout(() => {
      soon = undefined;
      look();
    }, milliseconds);
  }
  addEventListener(
    'focusin',
    (event) => {
      last = event.target as HTMLElement;
      wasGone = false;
    },
    { signal },
  );
  addEventListener(
    'focusout',
    (event) => {
      setTimeout(() => {
        // it may have come back by now
        const isLeft = last === event.target && last !== document.activeElement;
        if (isLeft && !wasGone && isUsable(last as HTMLElement)) last = null;
      });
    },
    { signal },
  );
  // not at once: a dialog that closes gives the focus back by itself, a moment after it is gone
  const watcher = new MutationObserver(() => {
    wasGone ||= last !== null && isGone(last);
    looks = 0;
    lookAfter(0);
  });
  watcher.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled', 'inert', 'open'],
  });
  return () => {
    stop.abort();
    clearTimeout(soon);
    watcher.disconnect();
  };
}
