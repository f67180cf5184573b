/** Carrying a chair by its grip to a place on the page, by mouse, pen or touch. The menu does the same by tap and keys. */
import type { Attachment } from 'svelte/attachments';

import { device } from '../device/device.svelte';

export interface Carry {
  enabled: () => boolean;
  /** What moves along with the grip. */
  what: (grip: HTMLElement) => HTMLElement | null;
  onstart: () => void;
  /** Over which place it is: the name in its `data-place`; an empty text over none. */
  onover: (place: string) => void;
  /** It is let go, over a place or none. */
  onend: (place: string) => void;
}

const THRESHOLD_PX = 8;
const BACK_MS = 180;

export function carry(by: Carry): Attachment<HTMLElement> {
  return (grip) => {
    const stop = new AbortController();
    const { signal } = stop;
    let pointer = -1;
    let from = { x: 0, y: 0 };
    let load: HTMLElement | null = null;
    let over = '';

    const placeAt = (x: number, y: number) => {
      const place = document.elementsFromPoint(x, y).find((one) => one instanceof HTMLElement && one.dataset.place);
      return place instanceof HTMLElement ? (place.dataset.place ?? '') : '';
    };
    const end = (place: string) => {
      pointer = -1;
      if (load === null) return;
      const moved = load.style.transform;
      load.style.transform = '';
      load.classList.remove('carried');
      if (place === '' && device.moves) {
        load.animate([{ transform: moved }, { transform: 'none' }], { duration: BACK_MS, easing: 'ease-out' });
      }
      load = null;
      over = '';
      by.onend(place);
    };

    const down = (event: PointerEvent) => {
      if (event.button !== 0 || !event.isPrimary || !by.enabled()) return;
      pointer = event.pointerId;
      from = { x: event.clientX, y: event.clientY };
      grip.setPointerCapture(pointer);
      event.preventDefault();
    };
    const move = (event: PointerEvent) => {
      if (event.pointerId !== pointer) return;
      const dx = event.clientX - from.x;
      const dy = event.clientY - from.y;
      if (load === null) {
        if (Math.hypot(dx, dy) < THRESHOLD_PX) return;
        load = by.what(grip);
        load?.classList.add('carried');
        by.onstart();
      }
      if (load) load.style.transform = `translate3d(${String(dx)}px, ${String(dy)}px, 0)`;
      const now = placeAt(event.clientX, event.clientY);
      if (now !== over) by.onover((over = now));
    };
    grip.addEventListener('pointerdown', down, { signal });
    grip.addEventListener('pointermove', move, { signal });
    for (const kind of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
      grip.addEventListener(
        kind,
        (event) => {
          if (event.pointerId === pointer) end(kind === 'pointerup' ? over : '');
        },
        { signal },
      );
    }
    addEventListener(
      'keydown',
      (event) => {
        if (event.key === 'Escape' && pointer >= 0) end('');
      },
      { signal },
    );
    return () => {
      stop.abort();
    };
  };
}
