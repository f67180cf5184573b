/** What is seen only while it is held, by finger, mouse or Space; let go, or looked away from, it is gone. */
import type { Attachment } from 'svelte/attachments';

export class Held {
  isUp = $state(false);

  /** In a moment: an element loses its focus also while the page is being redrawn without it. */
  hide = (): void => {
    queueMicrotask(() => {
      this.isUp = false;
    });
  };

  readonly attach: Attachment<HTMLElement> = (element) => {
    const stop = new AbortController();
    const { signal } = stop;
    const show = () => {
      this.isUp = true;
    };
    const isKey = (event: KeyboardEvent) => event.key === ' ' || event.key === 'Enter';
    element.addEventListener('pointerdown', show, { signal });
    for (const kind of ['pointerup', 'pointerleave', 'pointercancel', 'keyup', 'blur'] as const)
      element.addEventListener(kind, this.hide, { signal });
    element.addEventListener(
      'keydown',
      (event) => {
        if (!isKey(event)) return;
        event.preventDefault();
        event.stopPropagation();
        show();
      },
      { signal },
    );
    element.addEventListener(
      'contextmenu',
      (event) => {
        event.preventDefault();
      },
      { signal },
    );
    addEventListener('blur', this.hide, { signal });
    document.addEventListener('visibilitychange', this.hide, { signal });
    return () => {
      stop.abort();
      this.hide();
    };
  };
}
