/** What this person is called, kept on this device. */
const KEY = 'cinderforge.nickname';

class Nickname {
  value = $state(localStorage.getItem(KEY) ?? '');
  keep(): void {
    localStorage.setItem(KEY, this.value.trim());
  }
}

export const nickname = new Nickname();
