/** When, in ms, each card of a resolution turns over: one by one, faster from the fourth, some four seconds at most. */
export const turnedAt = (index: number): number => 200 + 250 * Math.min(index, 3) + 110 * Math.max(0, index - 3);
