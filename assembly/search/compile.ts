import { Matcher } from '../docset/matcher';
import { Query } from '../plan/query';
import { Segment } from '../segment/segment';
import { Compiling } from './compiling';
import { Search } from './context';

// Compiles a query for one segment.

/**
 * Compiles `query` for segment number `index` of the shard. Of others than the `visible` documents (0: all) it may say anything.
 * `bulk` allows a boolean of optional clauses on top to be summed clause by clause. Null where nothing matches, or where the request fails.
 */
export function compileQuery(
  search: Search,
  seg: Segment,
  index: u32,
  visible: usize,
  query: Query,
  scoring: bool,
  bulk: bool,
): Matcher | null {
  const c = Compiling.make(search, seg, index, visible);
  return c === null ? null : c.child(query, scoring, bulk);
}

/** The same of a filter: what is met again is kept for the next search. */
export function compileFiltering(
  search: Search,
  seg: Segment,
  index: u32,
  visible: usize,
  query: Query,
): Matcher | null {
  const c = Compiling.make(search, seg, index, visible);
  return c === null ? null : c.filter(query);
}
