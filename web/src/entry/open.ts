/** A room of one's own, from the home page or after the tutorial. */
import { createRoom } from '../link/api';
import { router } from '../router.svelte';
import { intend, type Intent } from './intent';

/** Opens a room and goes there. Throws ApiError where the server opens none. */
export async function openRoom(name: string, intent: Intent | null): Promise<void> {
  const code = await createRoom(name);
  if (intent) intend(code, intent);
  router.go(`/r/${code}`);
}
