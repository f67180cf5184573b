/** Whether the rules lie open beside the game, and at what. */
export const PARTS = ['rules', 'terms', 'scrolls', 'story'] as const;
export type Part = (typeof PARTS)[number];

class RuleSheet {
  isOpen = $state(false);
  part = $state<Part>('rules');
  /** The clause that is asked for; each time anew, be it the same. */
  clause = $state.raw<{ clause: string } | null>(null);
  private before: HTMLElement | null = null;

  open(part: Part = 'rules', clause = ''): void {
    const at = document.activeElement;
    if (!this.isOpen) this.before = at instanceof HTMLElement ? at : null;
    this.part = part;
    this.clause = clause === '' ? null : { clause };
    this.isOpen = true;
  }
  /** Whoever read goes on where they were. */
  close(): void {
    this.isOpen = false;
    this.before?.focus();
    this.before = null;
  }
}

export const ruleSheet = new RuleSheet();
