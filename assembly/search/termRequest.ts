import { OK } from '../abi/status';
import { requestAlloc } from '../memory/arena';
import { requestStatus } from '../requestStatus';
import { Dictionary } from '../terms/dictionary';
import { matcherNext } from './decodeMatcher';
import { readAll, u16Next } from '../plan/planReader';
import { Query } from '../plan/query';

// What reads of terms share: the bytes of a request, and room to answer it.

/** Bytes of the largest answer. */
export const MAX_RESULT: u64 = 0x10000000;

/** Room for a view of a dictionary of its own; null without. */
export function makeDictionary(): Dictionary | null {
  const at = requestAlloc(offsetof<Dictionary>());
  return at ? changetype<Dictionary>(at) : null;
}

/** The query of a walk: the field and what its terms match; null with a failure. */
export function walkNext(): Query | null {
  const query = Query.make(0);
  if (query === null) return null;
  query.field = u16Next();
  matcherNext(query);
  return requestStatus == OK && readAll() ? query : null;
}
