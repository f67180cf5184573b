/** The one voice of the page: what a screen reader is told. Whatever has something to say says it here. */
import { speech } from '../words/words.svelte';

/** What is said in one breath is gathered this long, and another breath waits for that one. */
const BREATH_MS = 60;
const BETWEEN_MS = 700;
/** Nothing stays to be found later, least of all one's cards. */
const KEPT_MS = 9_000;
/** Heard by nobody; without it a text that is said twice would be said once. */
const UNHEARD = '\u00a0';

class Voice {
  /** Waits until whoever listens has heard the rest. */
  polite = $state('');
  /** Breaks in: one's own turn. */
  urgent = $state('');
  /** How often something was said, and which of these each text was: a new place to hear them begins with silence. */
  count = $state(0);
  politeAt = $state(0);
  urgentAt = $state(0);
  private waiting: { text: string; isFading: boolean }[] = [];
  /** What is on the page holds something that fades. */
  private isFading = false;
  private soon: ReturnType<typeof setTimeout> | undefined;
  private later: ReturnType<typeof setTimeout> | undefined;
  private next = 0;

  /** `isFading`: it can be taken back, as what is seen at night is. */
  say(text: string, isFading = false): void {
    if (text === '') return;
    this.waiting.push({ text, isFading });
    if (this.soon !== undefined) return;
    this.soon = setTimeout(
      () => {
        this.breathe();
      },
      Math.max(BREATH_MS, this.next - Date.now()),
    );
  }

  call(text: string): void {
    this.urgent = differing(sentence(text), this.urgent);
    this.urgentAt = ++this.count;
    this.keep();
  }

  /** A call that has been answered, or is too late, is none. */
  hush(): void {
    this.urgent = '';
  }

  /** Takes back what fades: from the page, and before it is said. */
  forget(): void {
    this.waiting = this.waiting.filter((one) => !one.isFading);
    if (this.isFading) this.polite = '';
  }

  private breathe(): void {
    this.soon = undefined;
    this.next = Date.now() + BETWEEN_MS;
    if (this.waiting.length === 0) return;
    this.polite = differing(joined(this.waiting.map((one) => one.text)), this.polite);
    this.politeAt = ++this.count;
    this.isFading = this.waiting.some((one) => one.isFading);
    this.waiting = [];
    this.keep();
  }
  private keep(): void {
    clearTimeout(this.later);
    this.later = setTimeout(() => {
      this.polite = this.urgent = '';
    }, KEPT_MS);
  }
}

function differing(text: string, before: string): string {
  return text === before ? text + UNHEARD : text;
}

/** A text with its full stop, so that what follows is not read into it. */
export function sentence(text: string): string {
  return /[.!?…。！？：:]\s*$/u.test(text) ? text : text + (speech.language === 'en' ? '.' : '。');
}

/** Sentences in a row; empty ones are left out. */
export function joined(lines: string[]): string {
  const said = lines.filter((line) => line !== '');
  return said.map(sentence).join(speech.language === 'en' ? ' ' : '');
}

export const voice = new Voice();
