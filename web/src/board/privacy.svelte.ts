/** A screen that others may see: one's hand lies face down until it is held, or turned up for a moment. */
import { device } from '../device/device.svelte';

const IDLE_MS = 8_000;

export class Privacy {
  private isTurnedUp = $state(false);
  private isHeld = $state(false);
  private idle: ReturnType<typeof setTimeout> | undefined;

  get isOn(): boolean {
    return device.choices.private_screen;
  }
  get isCovered(): boolean {
    return this.isOn && !this.isTurnedUp && !this.isHeld;
  }
  get isOpen(): boolean {
    return this.isTurnedUp;
  }

  toggle(): void {
    this.isTurnedUp = !this.isTurnedUp;
    this.touch();
  }
  hold(): void {
    this.isHeld = true;
  }
  letGo(): void {
    this.isHeld = false;
  }

  /** Covers the hand when one looks away or does nothing for a while. Gives how to stop. */
  watch(): () => void {
    const stop = new AbortController();
    const { signal } = stop;
    const cover = () => {
      this.isTurnedUp = this.isHeld = false;
    };
    const touch = () => {
      this.touch();
    };
    addEventListener('blur', cover, { signal });
    document.addEventListener('visibilitychange', cover, { signal });
    for (const kind of ['pointerdown', 'pointermove', 'keydown']) addEventListener(kind, touch, { signal });
    for (const kind of ['pointerup', 'pointercancel'])
      addEventListener(
        kind,
        () => {
          this.letGo();
        },
        { signal },
      );
    return () => {
      stop.abort();
      clearTimeout(this.idle);
    };
  }

  private touch(): void {
    clearTimeout(this.idle);
    if (!this.isTurnedUp) return;
    this.idle = setTimeout(() => {
      this.isTurnedUp = false;
    }, IDLE_MS);
  }
}
