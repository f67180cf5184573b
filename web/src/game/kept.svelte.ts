/** The room in which this browser has a chair, kept on this device, so that the home page leads back to it. */
import { ApiError, findRoom } from '../link/api';

const KEY = 'cinderforge.room';
const LEFT = 'cinderforge.room.left';

class Kept {
  code = $state(localStorage.getItem(KEY));
  /** One has left in the middle of a game: the chair is one's own as long as that game runs (R10.2). */
  left = $state(localStorage.getItem(LEFT) !== null);

  keep(code: string): void {
    this.code = code;
    this.left = false;
    localStorage.setItem(KEY, code);
    localStorage.removeItem(LEFT);
  }

  /** One leaves the room: for good, or a game that goes on with an AI in one's place. */
  leave(code: string, inGame: boolean): void {
    if (!inGame) {
      this.forget(code);
      return;
    }
    this.keep(code);
    this.left = true;
    localStorage.setItem(LEFT, '1');
  }

  forget(code: string): void {
    if (this.code !== code) return;
    this.code = null;
    this.left = false;
    localStorage.removeItem(KEY);
    localStorage.removeItem(LEFT);
  }

  /** Asks the server whether there is still something to go back to. */
  async check(): Promise<void> {
    const code = this.code;
    if (code === null) return;
    try {
      const room = await findRoom(code);
      if (this.left && room.stage !== 'game') this.forget(code);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unknown_room') this.forget(code);
    }
  }
}

export const kept = new Kept();
