/** A notice of the system that it is one's turn. It says that and no more: other eyes may be on the screen. */
const TAG = 'cinderforge-turn';

export const mayNotify = (): boolean => 'Notification' in window && Notification.permission === 'granted';
export const canNotify = (): boolean => 'Notification' in window;

/** Asks the person, if they were never asked; gives whether notices may be shown. Only to be called from a switch. */
export async function askToNotify(): Promise<boolean> {
  return canNotify() && (mayNotify() || (await Notification.requestPermission()) === 'granted');
}

/** Shows it until one looks at the page; gives what takes it away before. */
export function notify(title: string, text: string): () => void {
  const shown = show(title, { body: text, tag: TAG, data: location.pathname });
  const close = () => void shown.then((hide) => hide());
  document.addEventListener('visibilitychange', close, { once: true });
  return close;
}

async function show(title: string, options: NotificationOptions): Promise<() => void> {
  // phones show notices of a service worker only
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker === undefined) {
    const notice = new Notification(title, options);
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
    return () => {
      notice.close();
    };
  }
  await worker.showNotification(title, options);
  return () =>
    void worker.getNotifications({ tag: TAG }).then((all) => {
      for (const one of all) one.close();
    });
}
