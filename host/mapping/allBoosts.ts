/** The names of the fields with the words of `_all` that have a boost: `_all^boost`. */

/** How many different boosts an index keeps apart; others count as the nearest one. */
export const MAX_BOOSTS = 16;
const PREFIX = '_all^';

/** The name of the field with the words of a boost. */
export function boostedAll(boost: number): string {
  return `${PREFIX}${boost}`;
}

/** The boost that such a name stands for; undefined if it is none. */
export function boostOfName(name: string): number | undefined {
  return name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : undefined;
}
