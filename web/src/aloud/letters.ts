/** Keys that are a letter, a number or a sign: what they do can be switched off (WCAG 2.1.4). */
import { device } from '../device/device.svelte';

/** A key pressed for the table: not while one writes, and no letter where one does not want them. */
export function isForTable(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  if ((event.target as HTMLElement).closest('input, select, textarea, [contenteditable]')) return false;
  return event.key.length > 1 || device.choices.letters;
}
