/** Dragging by pointer (mouse, pen, touch) to one target. Tap and keyboard use the element's own click.

 The card is lifted above the finger and leans with its speed; let go outside the target, it springs back. */
import type { Attachment } from 'svelte/attachments';
import { device } from '../device/device.svelte';

export interface Drag {
  target: () => HTMLElement | null | undefined;
  enabled: () => boolean;
  onover: (over: boolean) => void;
  /** Told while the element is still where it was let go. */
  ondrop: () => void;
}

const THRESHOLD_PX = 8;
const MOST_TILT = 14;
const TILT_PER_SPEED = 11;
/** How much of its height a touched card is lifted, so that the finger does not cover it. */
const LIFT = 0.45;
const EASES_OFF = 0.88;

export function dragTo(drag: Drag): Attachment<HTMLElement> {
  return (element) => {
    const stop = new AbortController();
    let pointer = -1;
    let from = { x: 0, y: 0 };
    let at = { x: 0, y: 0, time: 0 };
    let speed = 0;
    let lift = 0;
    let frame = 0;
    let moving = false;
    let over = false;
    /** Since the pointer came down, be the drag called off or not. */
    let hasMoved = false;
    let swallow = false;
    /** Where the target is; it stays there while one drags. */
    let box: DOMRect | undefined;

    const isOver = () => {
      const isIn = (y: number) =>
        box !== undefined && at.x >= box.left && at.x <= box.right && y >= box.top && y <= box.bottom;
      return isIn(at.y) || isIn(at.y - lift);
    };
    const setOver = (now: boolean) => {
      if (now !== over) drag.onover((over = now));
    };
    const draw = () => {
      const tilt = device.moves ? Math.max(-MOST_TILT, Math.min(MOST_TILT, speed * TILT_PER_SPEED)) : 0;
      const [dx, dy] = [at.x - from.x, at.y - from.y - lift];
      element.style.transform = `translate3d(${dx.toFixed(1)}px, ${dy.toFixed(1)}px, 0) rotate(${tilt.toFixed(2)}deg) scale(1.12)`;
      speed *= EASES_OFF;
      frame = requestAnimationFrame(draw);
    };
    const end = (drop: boolean) => {
      if (pointer < 0) return;
      if (element.hasPointerCapture(pointer)) element.releasePointerCapture(pointer);
      pointer = -1;
      setOver(false);
      if (!moving) return;
      moving = false;
      cancelAnimationFrame(frame);
      const moved = element.style.transform;
      if (drop) drag.ondrop();
      element.classList.remove('dragging');
      element.style.transform = '';
      if (!drop && device.moves) {
        element.animate([{ transform: moved }, { transform: 'none' }], {
          duration: 340,
          easing: 'cubic-bezier(0.2, 1.5, 0.4, 1)',
        });
      }
    };
    const cancel = () => {
      end(false);
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
      hasMoved = false;
      from = { x: event.clientX, y: event.clientY };
      at = { ...from, time: event.timeStamp };
      speed = 0;
      lift = event.pointerType === 'touch' ? element.offsetHeight * LIFT : 0;
      element.setPointerCapture(pointer);
    });
    on('pointermove', (event) => {
      if (event.pointerId !== pointer) return;
      const passed = Math.max(1, event.timeStamp - at.time);
      speed = speed * 0.7 + ((event.clientX - at.x) / passed) * 0.3;
      at = { x: event.clientX, y: event.clientY, time: event.timeStamp };
      if (!moving) {
        if (Math.hypot(at.x - from.x, at.y - from.y) < THRESHOLD_PX) return;
        moving = hasMoved = true;
        box = drag.target()?.getBoundingClientRect();
        element.classList.add('dragging');
        draw();
      }
      setOver(isOver());
    });
    // the browser sends a click after a drag, which must not count as a tap
    on(
      'pointerup',
      () => {
        swallow = hasMoved;
        hasMoved = false;
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
    const anywhere = { signal: stop.signal };
    addEventListener(
      'keydown',
      (event) => {
        if (event.key === 'Escape' && moving) end(false);
      },
      anywhere,
    );
    // a second finger, a turned phone, a page left: whatever it was to be, it was not this
    addEventListener(
      'pointerdown',
      (event) => {
        if (!event.isPrimary) cancel();
      },
      anywhere,
    );
    addEventListener('resize', cancel, anywhere);
    addEventListener('blur', cancel, anywhere);
    element.style.touchAction = 'none';
    return () => {
      stop.abort();
      queueMicrotask(cancel);
    };
  };
}
