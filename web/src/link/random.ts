/** So many random bytes, as hex. (`randomUUID` is there on https alone.) */
export function randomHex(count: number): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(count))];
  return bytes.map((one) => one.toString(16).padStart(2, '0')).join('');
}
