/** Keeps the screen on for as long as it is wanted. The browser lets go when the page is hidden; we take it anew. */
export function stayAwake(): () => void {
  // plain http, and older browsers, have none
  if (!('wakeLock' in navigator)) return () => undefined;
  const stop = new AbortController();
  let lock: WakeLockSentinel | null = null;

  async function take(): Promise<void> {
    if (document.hidden || (lock && !lock.released)) return;
    try {
      const taken = await navigator.wakeLock.request('screen');
      if (stop.signal.aborted) void taken.release();
      else lock = taken;
    } catch {
      // a battery that runs low; the game does without
    }
  }

  document.addEventListener('visibilitychange', () => void take(), { signal: stop.signal });
  void take();
  return () => {
    stop.abort();
    void lock?.release();
  };
}
