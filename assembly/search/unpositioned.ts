import { setResult } from '../result';
import { FIELD_POSITIONS, FieldEntry } from '../segment/segment';
import { compileFailed } from './compiling';
import { QueryTerm } from './query';

// Words that a phrase or a span query needs the positions of, where their field has none. Lucene finds out as it opens the postings of
// each word in a segment: what does not occur there refuses nothing.

let refused: QueryTerm | null = null;
let status: i32 = 0;

/** No word is refused yet. */
export function startPositions(): void {
  refused = null;
}

/**
 * Whether the postings of a word that occurs in the segment have positions; else the search fails.
 * @param failure of which kind of query it is: `ERR_PHRASE_POSITIONS`, `ERR_SPAN_POSITIONS`
 */
export function hasPositions(entry: usize, field: u32, term: QueryTerm, failure: i32): bool {
  if (FieldEntry.flags(entry) & FIELD_POSITIONS) return true;
  refuse(term, failure - <i32>field);
  return false;
}

function refuse(term: QueryTerm, failure: i32): void {
  compileFailed(failure);
  if (refused !== null) return;
  refused = term;
  status = failure;
}

/** The status of a search that was to end with `other`; the word that was refused is its result then. */
export function positionsStatus(other: i32): i32 {
  const term = refused;
  if (term === null) return other;
  setResult(term.ptr, term.length);
  return status;
}
