/** The texts in the chosen language. Each language comes when it is asked for; `start` brings the first. */
import { fill } from './fill';
import { LANGUAGES, type Tongue } from './languages.gen';
import type { Parts } from './parts.gen';
import type { RulesPage } from './rules';
import type { Words } from './zh-TW.gen';

export type Language = keyof typeof LANGUAGES;
const KEY = 'cinderforge.language';
const SAID_MS = 4_000;
/** For whoever understands none of them. */
const OTHERWISE: Language = 'en';

/** All there are, in the order in which they are offered. */
export const TONGUES = Object.entries(LANGUAGES) as [Language, Tongue][];
/** Whoever reads the rules in one language may look for words of this one in them. */
export const pairOf = (language: Language): Language => (language === 'en' ? 'zh-TW' : 'en');
export const tongueOf = (language: Language): Tongue => LANGUAGES[language];
export const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(LANGUAGES, text);

/** The language that a browser's tag asks for: that of its longest beginning. */
export function languageFor(tag: string): Language {
  const parts = tag.toLowerCase().split('-');
  for (let size = parts.length; size > 0; size -= 1) {
    const asked = parts.slice(0, size).join('-');
    const heard = TONGUES.find(([, tongue]) => tongue.hears.includes(asked));
    if (heard) return heard[0];
  }
  return OTHERWISE;
}

function preferred(): Language {
  const kept = localStorage.getItem(KEY);
  return isLanguage(kept) ? kept : languageFor(navigator.language);
}

class Speech {
  language = $state<Language>('zh-TW');
  /** Nothing is shown before there are words (main.ts). */
  t = $state.raw<Words>({} as Words);
  /** What is said for a moment when a language did not come. */
  problem = $state('');
  /** Who keeps languages is told which one is spoken. */
  onspeak: (language: Language) => void = () => undefined;

  /** Speaks this language from now on, unless its words do not come: then that is said, and all stays as it was. */
  async speak(language: Language): Promise<void> {
    try {
      await this.fetch(language);
    } catch {
      this.problem = this.error('offline');
      setTimeout(() => {
        this.problem = '';
      }, SAID_MS);
      return;
    }
    localStorage.setItem(KEY, language);
    this.onspeak(language);
  }

  /** In the language that was chosen; without a network in one that is there. */
  async start(): Promise<void> {
    const first = preferred();
    for (const language of [first, ...TONGUES.map(([one]) => one)]) {
      try {
        await this.fetch(language);
        break;
      } catch (problem) {
        if (language === TONGUES.at(-1)?.[0]) throw problem;
      }
    }
  }

  private async fetch(language: Language): Promise<void> {
    this.t = (await LANGUAGES[language].words()).words;
    this.language = language;
    document.documentElement.lang = tongueOf(language).html;
    document.title = this.t.app.full_name;
  }

  /** The language that is one tap away: these two are both complete, the others are chosen from a list. */
  get other(): Language | null {
    return this.language === 'zh-TW' ? 'en' : this.language === 'en' ? 'zh-TW' : null;
  }

  toggle(): Promise<void> {
    return this.speak(this.other ?? 'en');
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

export interface Rules {
  page: RulesPage;
  words: Words;
}

/** What is not needed at first: each part comes when it is asked for. */
export async function partsOf(language: Language): Promise<Parts> {
  return (await import('./parts.gen')).PARTS[language];
}

async function rulesOf(language: Language): Promise<Rules> {
  const [page, all] = await Promise.all([
    partsOf(language).then((parts) => parts.rules()),
    LANGUAGES[language].words(),
  ]);
  return { page, words: all.words };
}

/** The rules in this language and in another one, so that what is looked for in one is found in the other. */
export async function rulesTwice(language: Language): Promise<{ own: Rules; other: Rules }> {
  const [own, other] = await Promise.all([rulesOf(language), rulesOf(pairOf(language))]);
  return { own, other };
}

export { fill };
