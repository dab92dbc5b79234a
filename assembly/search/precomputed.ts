import { Query } from '../plan/query';
import { Search } from './context';
import { kindOf } from './kind';

// What is worked out for the whole shard before the search goes through its segments: the inner queries of joins, and where limits end.

/** Works a node out, which is expanded, and whose terms are looked up; false where the search fails. */
export type Precompute = (search: Search, query: Query) => bool;

function precomputeBelow(search: Search, query: Query): bool {
  for (let i: u32 = 0; i < query.childCount; i++) if (!precomputeBelow(search, query.child(i))) return false;
  const index = kindOf(query.kind).precompute;
  return !index || call_indirect<bool>(index, search, query);
}

/** Works out what there is in a tree, the innermost first; false where the search fails. */
export function precompute(search: Search, query: Query): bool {
  const unbounded = search.unbounded;
  const fine = precomputeBelow(search, query);
  search.unbounded = unbounded;
  return fine;
}
