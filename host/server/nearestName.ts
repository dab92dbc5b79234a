/** The name that somebody meant who wrote another one. */
import { damerauLevenshtein } from '../suggest/distances.js';

/** The nearest of these names; undefined where none is within two edits, or one in a name of less than six characters. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  const allowed = Math.min(2, Math.max(1, Math.floor(name.length / 3)));
  let nearest: string | undefined;
  let least = allowed + 0.5;
  for (const each of names) {
    const edits = (1 - damerauLevenshtein(name, each)) * Math.min(name.length, each.length);
    if (edits < least) [nearest, least] = [each, edits];
  }
  return nearest;
}
