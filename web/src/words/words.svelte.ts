/** The texts in the chosen language. Each language comes when it is asked for; `start` brings the first. */
import { fill } from './fill';
import type { RulesPage } from './rules';
import type { Words } from './zh-TW.gen';

/** What a language brings: its name for HTML, its texts, its rules page. */
const LANGUAGES = {
  'zh-TW': {
    html: 'zh-Hant-TW',
    words: () => import('./zh-TW.gen') as Promise<{ words: Words }>,
    rules: () => import('./rules.zh-TW.gen') as Promise<{ rules: RulesPage }>,
  },
  en: {
    html: 'en',
    words: () => import('./en.gen') as Promise<{ words: Words }>,
    rules: () => import('./rules.en.gen') as Promise<{ rules: RulesPage }>,
  },
};
export type Language = keyof typeof LANGUAGES;
const KEY = 'cinderforge.language';

function preferred(): Language {
  const kept = localStorage.getItem(KEY);
  if (kept === 'zh-TW' || kept === 'en') return kept;
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh-TW' : 'en';
}

class Speech {
  language = $state<Language>('zh-TW');
  /** Nothing is shown before there are words (main.ts). */
  t = $state.raw<Words>({} as Words);

  async speak(language: Language): Promise<void> {
    this.t = (await LANGUAGES[language].words()).words;
    this.language = language;
    document.documentElement.lang = LANGUAGES[language].html;
    document.title = this.t.app.full_name;
    localStorage.setItem(KEY, language);
  }

  start(): Promise<void> {
    return this.speak(preferred());
  }

  toggle(): Promise<void> {
    return this.speak(this.language === 'en' ? 'zh-TW' : 'en');
  }

  /** Names of several things as one text. */
  list(parts: string[]): string {
    return parts.join(this.t.common.list_separator);
  }

  error(code: string, detail = ''): string {
    const errors: Record<string, string> = this.t.errors;
    const farewells: Record<string, string> = this.t.farewells;
    return fill(errors[code] ?? farewells[code] ?? this.t.errors.unknown, { code, detail });
  }
}

export const speech = new Speech();

async function rulesOf(language: Language): Promise<{ page: RulesPage; words: Words }> {
  const [page, all] = await Promise.all([LANGUAGES[language].rules(), LANGUAGES[language].words()]);
  return { page: page.rules, words: all.words };
}

/** The rules in both languages, so that what is looked for in one is found in the other. */
export async function bothRules(): Promise<Record<Language, { page: RulesPage; words: Words }>> {
  const [zh, en] = await Promise.all([rulesOf('zh-TW'), rulesOf('en')]);
  return { 'zh-TW': zh, en };
}

export { fill };
