/** Sets of terms, as keys, of which documents need one. */

/** Of these terms, as keys, a document that matches has one at least; undefined where nothing can be said. */
export type RequiredTerms = readonly string[] | undefined;

/** A term of a field as a key. */
export function termKey(field: number, term: Uint8Array): string {
  let key = `${field}:`;
  for (const byte of term) key += String.fromCharCode(byte);
  return key;
}

/** What is required where any of several must match. */
export function anyOf(sets: readonly RequiredTerms[]): RequiredTerms {
  const all: string[] = [];
  for (const terms of sets) {
    if (terms === undefined) return undefined;
    all.push(...terms);
  }
  return all;
}

/** What is required where all must match: any one set would do. */
export function fewest(sets: readonly RequiredTerms[]): RequiredTerms {
  let least: RequiredTerms;
  for (const terms of sets)
    if (terms !== undefined && (least === undefined || terms.length < least.length)) least = terms;
  return least;
}
