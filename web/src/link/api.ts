/** The few requests that are no socket: a session, a room made, a room found, the public rooms. */
import type {
  ApiRefused,
  Balance,
  NewRoom,
  PublicRooms,
  Replay,
  RoomMade,
  RoomSummary,
  Ticket,
} from '../protocol/protocol.gen';

/** What the server answers instead of doing what was asked; `code` has its text under `errors`. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    readonly detail = '',
  ) {
    super(code);
  }
}

/** A text goes as it is, anything else as JSON. */
const sent = (body: unknown): RequestInit =>
  typeof body === 'string' ? { body } : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      ...(body === undefined ? {} : sent(body)),
    });
  } catch {
    throw new ApiError('offline');
  }
  if (response.status === 204) return undefined as T;
  const answer: unknown = await response.json().catch(() => ({ code: 'internal' }));
  if (!response.ok) {
    const { code, detail } = answer as Partial<ApiRefused>;
    throw new ApiError(code ?? 'internal', detail);
  }
  return answer as T;
}

let session: Promise<undefined> | null = null;

/** A session for this browser, if it has none. Asked for once; `again` where there is none after all. */
export function begin(again = false): Promise<undefined> {
  if (again || session === null) {
    const asked = request<undefined>('POST', '/api/session');
    session = asked;
    asked.catch(() => {
      session = null;
    });
  }
  return session;
}

export async function createRoom(name: string): Promise<string> {
  await begin(true);
  return (await request<RoomMade>('POST', '/api/rooms', { name } satisfies NewRoom)).code;
}

export const findRoom = (code: string) => request<RoomSummary>('GET', `/api/rooms/${encodeURIComponent(code)}`);

/** All that was measured of the rules at one size of table. */
export const askBalance = (seats: number) => request<Balance>('GET', `/api/balance/${String(seats)}`);

/** Lets one socket into the room, once and soon. A browser without a session is given one. */
export async function ticketFor(code: string): Promise<string> {
  const path = `/api/rooms/${encodeURIComponent(code)}/ticket`;
  try {
    return (await request<Ticket>('POST', path)).ticket;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unauthorised') throw error;
    await begin(true);
    return (await request<Ticket>('POST', path)).ticket;
  }
}

/** The rooms that anybody may find on the home page. */
export const publicRooms = async () => (await request<PublicRooms>('GET', '/api/rooms')).rooms;

/** A finished game of a room with all its pictures, for whoever may have its record. */
export const replayOfGame = (code: string, game: number) =>
  request<Replay>('GET', `/api/rooms/${encodeURIComponent(code)}/games/${String(game)}/replay`);

/** The pictures of the one game in a record's text. */
export const replayOfFile = (text: string) => request<Replay>('POST', '/api/replay', text);
