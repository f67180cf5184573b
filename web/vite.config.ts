// How the client is built. Imports nothing from devDependencies: `pip install .` builds without them.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const SMALL = 600; // bytes under which a compressed twin does not pay
// Pictures for launchers and for those who show a link: the page itself never asks for them.
const FOR_OTHERS = /^\/(share\.jpg|apple-touch-icon\.png|icon-[\w-]+\.png)$/;
const SERVER = process.env.CINDERFORGE_SERVER ?? 'http://127.0.0.1:8000';

/** Every file under a folder, as paths of the site; none if there is no such folder. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'))
    .sort();
}

/** The languages of the texts, as the names of their files say. */
function languagesIn(folder: string): string[] {
  return filesIn(folder).flatMap((name) => /^\/rules\.(.+)\.gen\.ts$/.exec(name)?.[1] ?? []);
}

/** Emits sw.js with the list of built files in it: all that an installable page of this size needs. */
function serviceWorker(): Plugin {
  let source = '';
  let publicDir = '';
  let wordsDir = '';
  return {
    name: 'cinderforge-sw',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      source = join(config.root, 'src/sw.js');
      publicDir = config.publicDir;
      wordsDir = join(config.root, 'src/words');
    },
    generateBundle(_options, bundle) {
      if (!existsSync(source)) return;
      const built = Object.keys(bundle).filter((name) => !name.endsWith('.map') && name !== 'index.html');
      const loose = filesIn(publicDir).filter((name) => !FOR_OTHERS.test(name));
      const files = ['/', ...built.sort().map((name) => `/${name}`), ...loose];
      const words = Object.fromEntries(
        languagesIn(wordsDir).map((language) => [
          language,
          files.filter((name) => name.includes(`/${language}.gen-`) || name.includes(`.${language}.gen-`)),
        ]),
      );
      const spoken = new Set(Object.values(words).flat());
      const version = createHash('sha256');
      for (const file of Object.values(bundle)) version.update(file.type === 'chunk' ? file.code : file.source);
      for (const name of filesIn(publicDir)) version.update(readFileSync(join(publicDir, name)));
      const text = readFileSync(source, 'utf8')
        .replace('__FILES__', JSON.stringify(files.filter((name) => !spoken.has(name))))
        .replace('__WORDS__', JSON.stringify(words))
        .replace('__VERSION__', version.digest('hex').slice(0, 12));
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: text });
    },
  };
}

/** Writes .br and .gz beside every text asset, so that the Python server only picks a file. */
function precompress(): Plugin {
  return {
    name: 'cinderforge-precompress',
    apply: 'build',
    enforce: 'post',
    writeBundle(options) {
      const folder = options.dir;
      if (folder === undefined) return;
      for (const name of filesIn(folder)) {
        if (!/\.(js|css|html|svg|json|webmanifest)$/.test(name)) continue;
        const path = join(folder, name);
        const raw = readFileSync(path);
        if (raw.length < SMALL) continue;
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
        };
        writeFileSync(`${path}.br`, brotliCompressSync(raw, { params }));
        writeFileSync(`${path}.gz`, gzipSync(raw, { level: 9 }));
      }
    },
  };
}

const FIRST = 'src/main.ts';
const ROOM = 'src/pages/Room.svelte';
/** Pages that share parts with the room. */
const PAGES = ['src/pages/Rules.svelte', 'src/teach/Learn.svelte', 'src/replay/Replay.svelte'];
const CHUNKS = new Map<string, string>();

interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** All that a module imports, and what that imports, but nothing that comes later. */
function closure(module: string, modules: Modules): Set<string> {
  const found = new Set([join(import.meta.dirname, module)]);
  for (const id of found) for (const next of modules.getModuleInfo(id)?.importedIds ?? []) found.add(next);
  return found;
}

/** What always comes together is one file: on a slow network every further request costs more than its bytes. */
function chunkOf(id: string, modules: Modules): string | null {
  if (CHUNKS.size === 0) {
    const [first, room] = [closure(FIRST, modules), closure(ROOM, modules)];
    const others = new Set(PAGES.flatMap((page) => [...closure(page, modules)]));
    for (const one of room) CHUNKS.set(one, others.has(one) ? 'shared' : 'room');
    for (const one of first) CHUNKS.set(one, 'first');
    for (const entry of [FIRST, ROOM]) CHUNKS.delete(join(import.meta.dirname, entry));
  }
  return CHUNKS.get(id) ?? null;
}

export default defineConfig({
  plugins: [svelte(), serviceWorker(), precompress()],
  build: {
    outDir: process.env.CINDERFORGE_WEB_OUT ?? '../src/cinderforge/_web',
    emptyOutDir: true,
    // the oldest browsers that README.md names, and index.html
    target: ['es2022', 'safari16.4', 'chrome111', 'firefox121'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 2048,
    sourcemap: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: chunkOf }] } } },
  },
  server: {
    host: '127.0.0.1',
    // The server checks the Origin of a socket, so the proxy shows it the server's own.
    proxy: {
      '/api': { target: SERVER, changeOrigin: true },
      '/ws': { target: SERVER, ws: true, changeOrigin: true, rewriteWsOrigin: true },
    },
  },
});
