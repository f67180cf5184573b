/** Seconds that the server wants us to wait before we try again, counted out. */
export class Patience {
  left = $state(0);
  /** What was asked for: told once to whoever listens, while `left` is there to be seen. */
  asked = $state(0);
  private ticking: ReturnType<typeof setInterval> | undefined;

  /** `detail` of the refusal `too_many_tries`; without a number a short while. */
  wait(detail: string): void {
    const seconds = Math.ceil(Number(detail));
    this.asked = seconds > 0 ? seconds : 10;
    const end = Date.now() + this.asked * 1000;
    this.left = this.asked;
    clearInterval(this.ticking);
    this.ticking = setInterval(() => {
      this.left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      if (this.left === 0) this.stop();
    }, 250);
  }

  stop(): void {
    clearInterval(this.ticking);
    this.left = 0;
  }
}
