/** Which page is open: the address is the state. */
import type { Part } from './teach/rulesheet.svelte';

const RULES = /^\/rules(?:\/(terms|scrolls|story))?\/?$/;
const ROOM = /^\/r\/([A-Za-z0-9-]{4,12})\/?$/;

/** Pages of their own, each at its name. */
const PAGES = ['learn', 'settings', 'replay', 'balance'] as const;

type Page =
  | { page: 'home' | 'lost' }
  | { page: 'rules'; part: Part }
  | { page: (typeof PAGES)[number] }
  | { page: 'room'; code: string };

function read(path: string): Page {
  const room = ROOM.exec(path);
  if (room?.[1] !== undefined) return { page: 'room', code: room[1].toUpperCase() };
  if (path.startsWith('/rules')) return { page: 'rules', part: (RULES.exec(path)?.[1] ?? 'rules') as Part };
  if (path === '/' || path === '/index.html') return { page: 'home' };
  return { page: PAGES.find((page) => path === `/${page}` || path.startsWith(`/${page}/`)) ?? 'lost' };
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
