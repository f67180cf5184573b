// Offline shell: the built files of this version, with the version before kept for pages that are still open.
const VERSION = 'cinderforge-__VERSION__';
const FILES = __FILES__;
// The files of each language: only of those that are spoken here are all kept.
const WORDS = __WORDS__;

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)));
});

// A new worker waits until no page of the old one is left, or until a page of its own build has been loaded. Pages of the
// old build that are still open, perhaps with a game, are left as they are.
self.addEventListener('message', (event) => {
  if (FILES.includes(event.data?.build)) event.waitUntil(self.skipWaiting());
  for (const language of event.data?.languages ?? []) event.waitUntil(keepWords(language));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(dropOldCaches().then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  if (event.request.mode === 'navigate') {
    if (isOurs(url.pathname)) event.respondWith(fetch(event.request).catch(() => keptAs('/')));
  } else if (isKept(url.pathname)) {
    event.respondWith(keptAs(event.request).then((kept) => kept ?? fetch(event.request)));
  }
});

// The notice of one's turn leads back to its room.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openRoom(event.notification.data));
});

async function openRoom(path) {
  const pages = await self.clients.matchAll({ type: 'window' });
  const page = pages.find((one) => new URL(one.url).pathname === path);
  await (page ? page.focus() : self.clients.openWindow(path));
}

function isOurs(path) {
  return !/^\/(api|ws|healthz|metrics)(\/|$)/.test(path);
}

function isKept(path) {
  return path.startsWith('/assets/') || FILES.includes(path);
}

/** What is there already is not asked for again. */
async function keepWords(language) {
  const cache = await caches.open(VERSION);
  const missing = [];
  for (const file of WORDS[language] ?? []) if (!(await cache.match(file))) missing.push(file);
  await cache.addAll(missing);
}

/** This version's own file before one of the same name from the version before it. */
async function keptAs(request) {
  return (await caches.match(request, { cacheName: VERSION })) ?? caches.match(request);
}

/** Keeps this version and the one before it: an open page may still ask for a lazy chunk of its own version.
 *  Replays that were opened are the page's own to keep, under another name (replay/shelf.svelte.ts). */
async function dropOldCaches() {
  const names = (await caches.keys()).filter((name) => name.startsWith('cinderforge-') && name !== VERSION);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
}
