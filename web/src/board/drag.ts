/** Dragging by pointer (mouse, pen, touch) to one target. Tap and keyboard use the element's own click. */
import type { Attachment } from 'svelte/attachments';

import { device } from '../device/device.svelte';

export interface Drag {
  target: () => HTMLElement | null | undefined;
  enabled: () => boolean;
  onover: (over: boolean) => void;
  ondrop: () => void;
}

const THRESHOLD_PX = 8;
const MOST_TILT = 8;

export function dragTo(drag: Drag): Attachment<HTMLElement> {
  return (element) => {
    const stop = new AbortController();
    let pointer = -1;
    let from = { x: 0, y: 0 };
    let moving = false;
    let over = false;
    let swallow = false;

    const isOver = (x: number, y: number) => {
      const box = drag.target()?.getBoundingClientRect();
      return box !== undefined && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    };
    const setOver = (now: boolean) => {
      if (now !== over) drag.onover((over = now));
    };
    const end = (drop: boolean) => {
      if (pointer < 0) return;
      if (element.hasPointerCapture(pointer)) element.releasePointerCapture(pointer);
      pointer = -1;
      setOver(false);
      if (!moving) return;
      moving = false;
      const moved = element.style.transform;
      if (drop) drag.ondrop();
      element.classList.remove('dragging');
      element.style.transform = '';
      if (!drop && device.moves) {
        element.animate([{ transform: moved }, { transform: 'none' }], { duration: 180, easing: 'ease-out' });
      }
    };
    const on = <K extends keyof HTMLElementEventMap>(
      kind: K,
      handle: (event: HTMLElementEventMap[K]) => void,
      capture = false,
    ) => {
      element.addEventListener(kind, handle, { signal: stop.signal, capture });
    };

    on('pointerdown', (event) => {
      if (event.button !== 0 || !event.isPrimary || !drag.enabled()) return;
      pointer = event.pointerId;
      from = { x: event.clientX, y: event.clientY };
      element.setPointerCapture(pointer);
    });
    on('pointermove', (event) => {
      if (event.pointerId !== pointer) return;
      const dx = event.clientX - from.x;
      const dy = event.clientY - from.y;
      if (!moving && Math.hypot(dx, dy) < THRESHOLD_PX) return;
      moving = true;
      element.classList.add('dragging');
      const tilt = Math.max(-MOST_TILT, Math.min(MOST_TILT, dx / 20));
      element.style.transform = `translate3d(${String(dx)}px, ${String(dy)}px, 0) rotate(${String(tilt)}deg) scale(1.06)`;
      setOver(isOver(event.clientX, event.clientY));
    });
    // the browser sends a click after a drag, which must not count as a tap
    on(
      'pointerup',
      () => {
        swallow = moving;
        setTimeout(() => {
          swallow = false;
        });
      },
      true,
    );
    on('pointerup', (event) => {
      if (event.pointerId === pointer) end(over);
    });
    on('pointercancel', (event) => {
      if (event.pointerId === pointer) end(false);
    });
    // a child's lost capture bubbles; only our own ends the drag
    on('lostpointercapture', (event) => {
      if (event.target === element && event.pointerId === pointer) end(false);
    });
    on(
      'click',
      (event) => {
        if (!swallow) return;
        event.stopImmediatePropagation();
        event.preventDefault();
        swallow = false;
      },
      true,
    );
    on('dragstart', (event) => {
      event.preventDefault();
    });
    on('contextmenu', (event) => {
      event.preventDefault();
    });
    addEventListener(
      'keydown',
      (event) => {
        if (event.key === 'Escape' && moving) end(false);
      },
      { signal: stop.signal },
    );
    element.style.touchAction = 'none';
    return () => {
      stop.abort();
    };
  };
}
