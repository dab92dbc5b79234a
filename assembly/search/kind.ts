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

@unmanaged
export class QueryKind {
  /** Decode (decoding.ts): reads the node's bytes; 0: there is no such kind. */
  decode: u32;
  /** Expand (rewriting.ts): rewrites the node for the shard. */
  expand: u32;
  /** Compile (compiling.ts): makes a matcher of the node for a segment. */
  compile: u32;
  traits: u32;
}

/** Numbers of kinds are below. */
const KINDS: u32 = 64;

/** Filled when the core starts, and the same for all calls. */
const table: usize = memory.data(1024, 16);

/** A kind by its number; any that is out of range is like the last, of which there is none. */
export function kindOf(number: u32): QueryKind {
  return changetype<QueryKind>(table + ((<usize>min(number, KINDS - 1)) << 4));
}
