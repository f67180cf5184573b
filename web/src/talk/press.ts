/** A long press, as a touch's way to a menu; the mouse's is the right button. Keys have a button of their own. */
import type { Attachment } from 'svelte/attachments';

const LONG_MS = 500;
const STILL_PX = 10;

export function longPress(menu: () => void): Attachment<HTMLElement> {
  return (element) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let swallow = false;
    let x = 0;
    let y = 0;
    const stop = () => {
      clearTimeout(timer);
    };
    const down = (event: PointerEvent) => {
      stop();
      swallow = false;
      if (event.pointerType === 'mouse' || !event.isPrimary) return;
      [x, y] = [event.clientX, event.clientY];
      timer = setTimeout(() => {
        swallow = true;
        menu();
      }, LONG_MS);
    };
    const move = (event: PointerEvent) => {
      if (Math.hypot(event.clientX - x, event.clientY - y) > STILL_PX) stop();
    };
    /** What a long press has done is not also a click. */
    const click = (event: MouseEvent) => {
      if (!swallow) return;
      swallow = false;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const context = (event: MouseEvent) => {
      event.preventDefault();
      stop();
      if (!swallow) menu();
    };
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', stop);
    element.addEventListener('pointercancel', stop);
    element.addEventListener('click', click, true);
    element.addEventListener('contextmenu', context);
    return () => {
      stop();
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', stop);
      element.removeEventListener('pointercancel', stop);
      element.removeEventListener('click', click, true);
      element.removeEventListener('contextmenu', context);
    };
  };
}
