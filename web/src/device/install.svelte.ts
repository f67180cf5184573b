/** Putting the game among the device's apps, as far as the browser lets a page ask for it. Listens from the start. */

/** What Chromium sends once, soon after the page is there. */
interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

class Install {
  private asked = $state.raw<InstallPrompt | null>(null);

  constructor() {
    addEventListener('beforeinstallprompt', (event) => {
      event.preventDefault();
      this.asked = event as InstallPrompt;
    });
    addEventListener('appinstalled', () => {
      this.asked = null;
    });
  }

  /** What can be done: `ask` opens the browser's own question, `by_hand` is Safari on a phone, which has none. */
  get way(): 'is_app' | 'ask' | 'by_hand' | 'by_menu' {
    if (matchMedia('(display-mode: standalone)').matches) return 'is_app';
    if (this.asked) return 'ask';
    return 'standalone' in navigator ? 'by_hand' : 'by_menu';
  }

  async ask(): Promise<void> {
    await this.asked?.prompt();
    this.asked = null;
  }
}

export const install = new Install();
