import { mount } from 'svelte';

import './app.css';
import App from './App.svelte';
import { begin } from './link/api';
import { watchForRelease } from './renewal';
import { router } from './router.svelte';
import { speech } from './words/words.svelte';
import { keepLanguage, startWorker } from './worker';

const target = document.getElementById('app');
if (target === null) throw new Error('the page has no #app');
watchForRelease();
// Who follows a link to a room needs more than words: all of it is asked for at once.
if (router.at.page === 'room') void Promise.allSettled([import('./pages/Room.svelte'), begin()]);
await speech.start();
router.start();
target.replaceChildren(); // what index.html says to browsers in which nothing comes (app.css)
mount(App, { target });
if ('serviceWorker' in navigator && import.meta.env.PROD) {
  speech.onspeak = keepLanguage;
  void startWorker(new URL(import.meta.url).pathname, speech.language);
}

// All art for everybody, always, after the first paint: art fetched by role would tell who holds it (R11).
const [art, icons] = await Promise.all([import('./board/art.gen'), import('./board/icons.gen')]);
const holder = document.createElement('div');
holder.setAttribute('aria-hidden', 'true');
holder.innerHTML = art.sheet + icons.sprite;
document.body.append(holder);
// Whoever is on the first page goes to a room next.
void import('./pages/Room.svelte');
