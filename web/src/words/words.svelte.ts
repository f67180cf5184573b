/** The texts in the chosen language. Chinese comes with the client, English when it is asked for. */
import { fill } from './fill';
import type { RulesPage } from './rules';
import { type Words, words as chinese } from './zh-TW.gen';

export type Language = 'zh-TW' | 'en';
const KEY = 'cinderforge.language';
const HTML_LANG: Record<Language, string> = { 'zh-TW': 'zh-Hant-TW', en: 'en' };

function preferred(): Language {
  const kept = localStorage.getItem(KEY);
  if (kept === 'zh-TW' || kept === 'en') return kept;
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh-TW' : 'en';
}

class Speech {
  language = $state<Language>('zh-TW');
  t = $state.raw<Words>(chinese);

  async speak(language: Language): Promise<void> {
    this.t = language === 'en' ? (await import('./en.gen')).words : chinese;
    this.language = language;
    document.documentElement.lang = HTML_LANG[language];
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

export async function rulesPage(language: Language): Promise<RulesPage> {
  return language === 'en' ? (await import('./rules.en.gen')).rules : (await import('./rules.zh-TW.gen')).rules;
}

export { fill };
