/** What an invitation needs besides its link. No page in it. */

/** A QR code as one path: a run of dark modules is one rectangle. */
export function pathOf(rows: boolean[][]): string {
  let path = '';
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (row[x] !== true) continue;
      const from = x;
      while (row[x + 1] === true) x++;
      path += `M${String(from)} ${String(y)}h${String(x + 1 - from)}v1H${String(from)}z`;
    }
  }
  return path;
}

/** Whether only this very machine finds such an address. */
export function isLocalOnly(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\./.test(host) || host.endsWith('.localhost');
}
