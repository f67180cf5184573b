/** The service worker of this build: it is asked to take over, and told which languages to keep for a day without a network. */
import { type Language, pairOf } from './words/words.svelte';

let registration: ServiceWorkerRegistration | undefined;

/** A worker of another build may still serve the pages: that of this page's own build takes over as soon as it is there. */
export async function startWorker(build: string, language: Language): Promise<void> {
  // none where a browser keeps workers away
  registration = (await navigator.serviceWorker.register('/sw.js')) as ServiceWorkerRegistration | undefined;
  if (registration === undefined) return;
  const call = () => {
    tell({ build, languages: [language, pairOf(language)] });
  };
  registration.addEventListener('updatefound', call);
  call();
}

/** A language is chosen: all of it is to be there without a network, too. */
export function keepLanguage(language: Language): void {
  tell({ languages: [language, pairOf(language)] });
}

function tell(what: { build?: string; languages: Language[] }): void {
  for (const worker of [registration?.installing, registration?.waiting, registration?.active])
    worker?.postMessage(what);
}
