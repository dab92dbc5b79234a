// What the core does with each kind of node: its functions in the table of functions, by its number. kinds.ts fills this in.

// What a kind is like.

/** It has no score of its own, and stands where none is wanted. */
export const SET: u32 = 1;
export const SPAN: u32 = 2;
/** What it matches in a segment depends on nothing but the segment and its children. */
export const OF_SEGMENT: u32 = 4;
/** What it matches is kept as a set when it filters again. */
export const KEPT_WHOLE: u32 = 8;
/**
 * Its set is kept the first time it is met: that of a filter which is asked for as it stands. Ranges, which may go by the time of the
 * search, patterns and points are kept when they are met again.
 */
export const KEPT_AT_ONCE: u32 = 16;
/** It has terms of its own, which are looked up before it is weighed. */
export const HAS_TERMS: u32 = 32;
/** Its first child scores, as what stands behind that one doesn't: filters. */
export const FIRST_SCORES: u32 = 64;
/** Its child is a search of its own, which knows this shard alone. */
export const OWN_SEARCH: u32 = 128;

@unmanaged
export class QueryKind {
  /** Decode (decoding.ts): reads the node's bytes; 0: there is no such kind. */
  decode: u32;
  /** Expand (rewriting.ts): rewrites the node for the shard; 0: what is below it alone. */
  expand: u32;
  /** Compile (compiling.ts): makes a matcher of the node for a segment. */
  compile: u32;
  /** Weigh and Normalize (weights.ts): the square of the node's weight; its weight, when the norm is known. 0: it has none of its own. */
  weigh: u32;
  normalize: u32;
  /** Explain (explanation.ts): writes why the node scores as it does; 0: nothing more than of a constant. */
  explain: u32;
  /** Fill (termSet.ts): adds its documents to a set of the segment; 0: it is not matched by a set. */
  fill: u32;
  /** Precompute (precomputed.ts): what is worked out for the shard before any segment is searched; 0: nothing. */
  precompute: u32;
  traits: u32;
}

/** Numbers of kinds are below. */
export const KINDS: u32 = 64;

/** Filled when the core starts, and the same for all calls. */
const table: usize = memory.data(KINDS * offsetof<QueryKind>(), 16);

/** A kind by its number. */
export function kindOf(number: u32): QueryKind {
  return changetype<QueryKind>(table + <usize>number * offsetof<QueryKind>());
}
