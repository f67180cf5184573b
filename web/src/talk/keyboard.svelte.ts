/** The on-screen keyboard, which covers the page without changing its size: what is left of it to be seen. */

const LEAST_PX = 120;

export class Keyboard {
  isUp = $state(false);
  top = $state(0);
  height = $state(0);

  /** Follows the part of the page that can be seen; gives how to stop. */
  watch(): () => void {
    const view = window.visualViewport;
    if (!view) return () => undefined;
    const look = () => {
      const covered = document.documentElement.clientHeight - view.height;
      const isTyping = document.activeElement?.matches('input, textarea') === true;
      // zooming in shows less of the page, too
      this.isUp = isTyping && covered > LEAST_PX && view.scale < 1.05;
      this.top = view.offsetTop;
      this.height = view.height;
    };
    view.addEventListener('resize', look);
    view.addEventListener('scroll', look);
    look();
    return () => {
      view.removeEventListener('resize', look);
      view.removeEventListener('scroll', look);
    };
  }
}
