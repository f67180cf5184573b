/** The shape of the rules page; its text is generated from content/rules, one module a language. */
export interface RulesItem {
  /** What the paragraph is about; may be empty. */
  title: string;
  /** May hold {a}, {k}, {a2}: this room's targets, or the letters A, K, 2A outside a room. */
  text: string;
  /** The clause of the rules, for reference. */
  clause: string;
  /** True where this game settles what the original rules leave open. */
  decided: boolean;
}

interface RulesSection {
  id: string;
  title: string;
  lead: string;
  items: RulesItem[];
}

/** What stands below one of the four pictures of a round, or what some keys do. */
export interface RulesNote {
  title: string;
  text: string;
}

export interface RulesPage {
  pictures: RulesNote[];
  keys: RulesNote[];
  sections: RulesSection[];
}
