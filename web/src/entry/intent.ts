/** What one wants to do in a room that is about to open: said on the home page, done once when the room is there. */
export type Intent = 'join' | 'watch' | 'practise';

const KEY = 'cinderforge.intent';

export function intend(code: string, intent: Intent): void {
  sessionStorage.setItem(KEY, `${code} ${intent}`);
}

/** The intention with which this room is opened, if any. Asked once whether it is this, it is done with. */
export function planFor(code: string): (intent: Intent) => boolean {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  let open = kept?.startsWith(`${code} `) === true ? kept.slice(code.length + 1) : null;
  return (intent) => {
    if (open !== intent) return false;
    open = null;
    return true;
  };
}
