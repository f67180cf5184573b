/** What this person is called, kept on this device. */
import { tidied } from './tidy';

const KEY = 'cinderforge.nickname';

class Nickname {
  value = $state(tidied(localStorage.getItem(KEY) ?? ''));
  keep(): void {
    this.value = tidied(this.value);
    localStorage.setItem(KEY, this.value);
  }
  /** The name for a table of AIs, where nobody else needs to know one: whoever has none yet is called this from now on. */
  or(other: string): string {
    if (tidied(this.value) === '') this.value = other;
    this.keep();
    return this.value;
  }
}

export const nickname = new Nickname();
