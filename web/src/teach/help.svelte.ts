/** Help on whatever is marked with `data-help`: by `?`, by the right button, by a long press, or by asking for it. */
import { isForTable } from '../aloud/letters';
import { hasBox } from '../rest';
import type { Help } from '../words/help.zh-TW.gen';

export type Topic = keyof Help['topics'];

const LONG_MS = 550;
const STILL_PX = 10;

/** The topics that are in sight, each once, from the top of the page on. */
export function topicsInSight(): Topic[] {
  const seen = [...document.querySelectorAll<HTMLElement>('[data-help]')].filter(hasBox);
  const topics = seen.map((one) => one.dataset.help as Topic);
  return topics.filter((topic, index) => topics.indexOf(topic) === index);
}

export function topicOf(element: Element | null): Topic | null {
  return (element?.closest<HTMLElement>('[data-help]')?.dataset.help ?? null) as Topic | null;
}

class Helper {
  isOpen = $state(false);
  /** What is explained; null while one is to choose. */
  topic = $state.raw<Topic | null>(null);
  private before: HTMLElement | null = null;

  /** Explains something; without a topic one may choose among all that is in sight. */
  open(topic: Topic | null = null): void {
    const at = document.activeElement;
    if (!this.isOpen) this.before = at instanceof HTMLElement ? at : null;
    this.topic = topic;
    this.isOpen = true;
  }
  close(): void {
    this.isOpen = false;
    this.topic = null;
    this.before?.focus({ preventScroll: true });
    this.before = null;
  }
}

export const help = new Helper();

/** Listens for questions, until what it gives is called. Buttons keep their long press; what they do is not asked. */
export function listenForQuestions(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let pointed: Element | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from = { x: 0, y: 0 };

  addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape' && help.isOpen) help.close();
      if (event.key !== '?' || !isForTable(event)) return;
      const at = event.target as HTMLElement;
      if (at.closest('input, textarea, select, dialog, [contenteditable]')) return;
      event.preventDefault();
      if (help.isOpen) help.close();
      else help.open(topicOf(at) ?? topicOf(pointed));
    },
    { signal },
  );
  addEventListener(
    'pointermove',
    (event) => {
      if (event.pointerType === 'mouse') pointed = event.target as Element;
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > STILL_PX) clearTimeout(timer);
    },
    { signal, passive: true },
  );
  addEventListener(
    'pointerdown',
    (event) => {
      clearTimeout(timer);
      const at = event.target as Element;
      const topic = topicOf(at);
      if (event.pointerType === 'mouse' || !event.isPrimary || topic === null || at.closest('button, a, input')) return;
      from = { x: event.clientX, y: event.clientY };
      timer = setTimeout(() => {
        help.open(topic);
      }, LONG_MS);
    },
    { signal, passive: true },
  );
  for (const end of ['pointerup', 'pointercancel', 'scroll'] as const)
    addEventListener(
      end,
      () => {
        clearTimeout(timer);
      },
      { signal, passive: true, capture: true },
    );
  // what has a menu of its own has used up the event before it comes here
  addEventListener(
    'contextmenu',
    (event) => {
      const topic = topicOf(event.target as Element);
      if (event.defaultPrevented || topic === null) return;
      event.preventDefault();
      help.open(topic);
    },
    { signal },
  );
  return () => {
    clearTimeout(timer);
    help.isOpen = false;
    stop.abort();
  };
}
