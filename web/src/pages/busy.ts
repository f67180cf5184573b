/** The very button that was pressed shows that its wish is on its way: while the connection is lost, or merely slow. */

/** A wish that is answered sooner needs no sign. */
const SIGN_AFTER_MS = 300;

/** Remembers what was pressed last. Gives what marks it, and what ends the watch. */
export function watchPresses(page: Document): { mark: () => () => void; stop: () => void } {
  const end = new AbortController();
  let pressed: Element | null = null;
  page.addEventListener(
    'click',
    (event) => {
      pressed = event.target instanceof Element ? event.target.closest('button') : null;
    },
    { capture: true, signal: end.signal },
  );
  return {
    /** Marks it for as long as it takes; gives what takes the mark away. */
    mark() {
      const button = pressed;
      const late = setTimeout(() => button?.setAttribute('data-busy', ''), SIGN_AFTER_MS);
      return () => {
        clearTimeout(late);
        button?.removeAttribute('data-busy');
      };
    },
    stop: () => {
      end.abort();
    },
  };
}
