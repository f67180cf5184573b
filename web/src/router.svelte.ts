/** Which page is open: the address is the state. */
const ROOM = /^\/r\/([A-Za-z0-9-]{4,12})\/?$/;

/** Pages of their own, each at its name. */
const PAGES = ['rules', 'learn', 'settings'] as const;

export type Page = { page: 'home' | (typeof PAGES)[number] } | { page: 'room'; code: string };

function read(path: string): Page {
  const room = ROOM.exec(path);
  if (room?.[1] !== undefined) return { page: 'room', code: room[1].toUpperCase() };
  return { page: PAGES.find((page) => path.startsWith(`/${page}`)) ?? 'home' };
}

class Router {
  at = $state.raw<Page>(read(location.pathname));

  start(): void {
    addEventListener('popstate', () => {
      this.at = read(location.pathname);
    });
  }

  go(path: string): void {
    history.pushState(null, '', path);
    this.at = read(location.pathname);
    scrollTo(0, 0);
  }
}

export const router = new Router();
