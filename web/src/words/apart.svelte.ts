/** Words that come with the part of the client that needs them, in the language that is chosen. */
import type { Language } from './words.svelte';

export class Apart<T> {
  private words = $state.raw<T | null>(null);
  private language: Language | null = null;

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
  async follow(language: Language): Promise<void> {
    if (language === this.language) return;
    this.language = language;
    try {
      const words = await this.load(language);
      if (this.language === language) this.words = words;
    } catch (problem) {
      this.language = null;
      throw problem;
    }
  }
}
