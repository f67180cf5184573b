/** Words that come with the part of the client that needs them, in the language that is chosen. */
import type { Language } from './words.svelte';

export class Apart<T> {
  private words = $state.raw<T | null>(null);
  private language: Language | null = null;
  /** Who asks a second time waits as long as who asked first. */
  private coming = Promise.resolve();

  constructor(private readonly load: (language: Language) => Promise<T>) {}

  /** The words; whoever shows them has waited for `follow` before. */
  get t(): T {
    if (this.words === null) throw new Error('words are shown before they are there');
    return this.words;
  }
  get isThere(): boolean {
    return this.words !== null;
  }

  /** Speaks this language as soon as its words have come; until then the one before. */
  follow(language: Language): Promise<void> {
    if (language !== this.language) {
      this.language = language;
      this.coming = this.fetch(language);
    }
    return this.coming;
  }

  private async fetch(language: Language): Promise<void> {
    try {
      const words = await this.load(language);
      if (this.language === language) this.words = words;
    } catch (problem) {
      this.language = null;
      throw problem;
    }
  }
}
