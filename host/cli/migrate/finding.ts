/** What will be another way on the new server, in words: what it is about, what differs, and what to do. */

export interface Finding {
  /** `index books`, `plugin analysis-icu`. */
  about: string;
  what: string;
  todo: string;
  /** It isn't moved as things are, or not all of it. */
  isLoss: boolean;
}

/** One line each. */
export function findingsText(findings: readonly Finding[]): string {
  return findings
    .map(({ about, what, todo, isLoss }) => `  ${isLoss ? '!' : '-'} ${about}: ${what}; ${todo}\n`)
    .join('');
}
