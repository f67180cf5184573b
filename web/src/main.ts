import { mount } from 'svelte';

import './app.css';
import App from './App.svelte';
import { router } from './router.svelte';
import { speech } from './words/words.svelte';

const target = document.getElementById('app');
if (target === null) throw new Error('the page has no #app');
await speech.start();
router.start();
mount(App, { target });
if ('serviceWorker' in navigator && import.meta.env.PROD) void navigator.serviceWorker.register('/sw.js');

// All art for everybody, always, after the first paint: art fetched by role would tell who holds it (R11).
const [art, icons] = await Promise.all([import('./board/art.gen'), import('./board/icons.gen')]);
const holder = document.createElement('div');
holder.setAttribute('aria-hidden', 'true');
holder.innerHTML = art.sheet + icons.sprite;
document.body.append(holder);
