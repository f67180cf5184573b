/** Checks a deal's commitment in the browser (R3.4); the whole game is checked by `cinderforge verify`. */

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** Whether the published secret is the one that was promised, and our own bytes were mixed in. */
export async function isAsPromised(
  commitment: string,
  secret: string,
  contributions: string[],
  mine: string | undefined,
): Promise<boolean> {
  const label = new TextEncoder().encode('cinderforge/1 commitment');
  const joined = new Uint8Array([...label, ...bytesOf(secret)]);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', joined));
  const found = [...digest].map((one) => one.toString(16).padStart(2, '0')).join('');
  return found === commitment && (mine === undefined || contributions.includes(mine));
}
