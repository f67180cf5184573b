/** The few requests that are no socket: a session, a room made, a room found. */

export interface RoomSummary {
  code: string;
  host: string;
  taken: number;
  seats: number;
  stage: string;
}

/** What the server answers instead of doing what was asked; `code` has its text under `errors`. */
export class ApiError extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  } catch {
    throw new ApiError('offline');
  }
  if (response.status === 204) return undefined as T;
  const answer: unknown = await response.json().catch(() => ({ code: 'internal' }));
  if (!response.ok) throw new ApiError((answer as { code?: string }).code ?? 'internal');
  return answer as T;
}

export const begin = () => request<undefined>('POST', '/api/session');

export async function createRoom(name: string): Promise<string> {
  await begin();
  return (await request<{ code: string }>('POST', '/api/rooms', { name })).code;
}

export const findRoom = (code: string) => request<RoomSummary>('GET', `/api/rooms/${encodeURIComponent(code)}`);
