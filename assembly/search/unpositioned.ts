import { OK } from '../abi/status';
import { fail, requestStatus } from '../requestStatus';
import { setResult } from '../result';
import { FIELD_POSITIONS, FieldEntry } from '../segment/segment';
import { QueryTerm } from '../plan/query';

// Words that a phrase or a span query needs the positions of, where their field has none. Lucene finds out as it opens the postings of
// each word in a segment: what does not occur there refuses nothing.

/**
 * Whether the postings of a word that occurs in the segment have positions; else the search fails, with the word as its result.
 * @param failure of which kind of query it is: `ERR_PHRASE_POSITIONS`, `ERR_SPAN_POSITIONS`
 */
export function hasPositions(entry: usize, field: u32, term: QueryTerm, failure: i32): bool {
  if (FieldEntry.flags(entry) & FIELD_POSITIONS) return true;
  if (requestStatus == OK) setResult(term.ptr, term.length);
  fail(failure - <i32>field);
  return false;
}
