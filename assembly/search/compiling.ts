import { ERR_MEMORY } from '../abi/status';
import { MATCH_SET, Matcher, windowBytes } from '../docset/matcher';
import { requestAlloc } from '../memory/arena';
import { andInto } from '../memory/bitset';
import { setPointer } from '../memory/pointers';
import { fail } from '../requestStatus';
import { Segment } from '../segment/segment';
import { Shard } from '../segment/shards';
import { Query } from '../plan/query';

// What compiling a query for one segment shares: the segment, what the node being compiled stands in, and whether the arena had room.

/** The shard that the segment is of. */
export let shard: Shard = changetype<Shard>(0);
export let segment: Segment = changetype<Segment>(0);
/** The segment's number in its shard. */
export let ordinal: u32 = 0;
/** How many filters the node being compiled stands in: their sets are kept for the next search. */
export let filterDepth: u32 = 0;
/** How many constant scores of the plan it stands in: the sets of those that come again are kept. */
export let constantDepth: u32 = 0;

/** Documents that the query around, and the filters around it that are sets, take: no other is scored to learn whether it matches. 0: all. */
export let accepted: usize = 0;
/** The same without the filters around: the documents that the search sees. */
let seen: usize = 0;

/** Compiles a query of any kind. Null where nothing matches, or where the request fails. */
export type Compiler = (query: Query, scoring: bool, bulk: bool) => Matcher | null;

/** The compiler of children, in the table of functions: what compiles a kind does not import what compiles them all. */
let compiler: u32 = 0;

/** Queries are compiled for that segment and its `visible` documents from now on (0: all), their children by `compile`. */
export function startCompiling(compiled: Segment, index: u32, visible: usize, compile: Compiler): void {
  segment = compiled;
  ordinal = index;
  compiler = compile.index;
  accepted = visible;
  seen = visible;
  filterDepth = 0;
  constantDepth = 0;
}

/** Queries are compiled for segments of that shard from now on. */
export function compileFor(searched: Shard): void {
  shard = searched;
}

/** Compiles a child; `bulk` where it may be summed clause by clause. */
export function compileChild(query: Query, scoring: bool, bulk: bool): Matcher | null {
  return call_indirect<Matcher | null>(compiler, query, scoring, bulk);
}

/** Compiles what only says whether a document is one. */
export function compileFilter(query: Query): Matcher | null {
  const around = accepted;
  accepted = seen;
  filterDepth++;
  const m = compileChild(query, false, false);
  filterDepth--;
  accepted = around;
  return m;
}

/** Compiles a child that sees but the documents of `filter` too, if that is a set. */
export function compileWithin(query: Query, filter: Matcher, scoring: bool): Matcher | null {
  if (filter.kind != MATCH_SET) return compileChild(query, scoring, false);
  const around = accepted;
  const bytes = windowBytes(segment.docCount);
  const bits = requestAlloc(bytes);
  if (!bits) return noRoom();
  memory.copy(bits, filter.bits, bytes - 16);
  if (around) andInto(bits, around, bytes - 16);
  accepted = bits;
  const m = compileChild(query, scoring, false);
  accepted = around;
  return m;
}

/** Compiles a query for nested documents. */
export function compileNestedDocuments(query: Query, scoring: bool): Matcher | null {
  const around = accepted;
  const outside = seen;
  accepted = segment.live;
  seen = segment.live;
  const m = compileChild(query, scoring, false);
  accepted = around;
  seen = outside;
  return m;
}

/** Compiles what all score the same for; `repeats` if it stands in the plan as it is, so that it may come again. */
export function compileUnscored(query: Query, repeats: bool): Matcher | null {
  constantDepth += u32(repeats);
  const m = compileChild(query, false, false);
  constantDepth -= u32(repeats);
  return m;
}

/** Compiles what scores where nothing around it does: what it stands in counts for nothing. */
export function compileAlone(query: Query): Matcher | null {
  const filters = filterDepth;
  const constants = constantDepth;
  filterDepth = 0;
  constantDepth = 0;
  const m = compileChild(query, true, false);
  filterDepth = filters;
  constantDepth = constants;
  return m;
}

/** The arena ran out. */
export function noRoom(): Matcher | null {
  fail(ERR_MEMORY);
  return null;
}

/** An array of `n` pointers; 0 where the arena ran out. */
export function pointers(n: u32): usize {
  const at = requestAlloc(n * <u32>sizeof<usize>());
  if (!at) noRoom();
  return at;
}

/** Adds a clause to an array kept in ascending order of cost, equal costs in the order they come. */
export function insertByCost(array: usize, n: u32, m: Matcher): void {
  let k = n;
  while (k > 0 && Matcher.at(array, k - 1).cost > m.cost) {
    setPointer(array, k, changetype<usize>(Matcher.at(array, k - 1)));
    k--;
  }
  setPointer(array, k, changetype<usize>(m));
}
