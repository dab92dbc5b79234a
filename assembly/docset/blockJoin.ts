/**
 * From nested documents up to the documents whose blocks they stand in (segment/blocks.ts). The documents that are joined to need
 * not be the last of their blocks: a nested document's own parts stand before it, too.
 *
 *     part of a   part of a   a   part of b   b   document    next document
 *     ----------- block of the document ------------------    -------------
 */

@unmanaged
export class BlockJoin {
  /** Documents that are joined to, as a bitset of the segment. */
  parents: usize;
  /** Documents that are not nested. */
  roots: usize;
  /** Nested documents that match, as a bitset of the segment, once they are worked out; else 0. */
  parts: usize;
  /** One of JOIN_*. */
  mode: u8;
  docCount: u32;
}

/** The last document before `doc` in a set, or -1. */
export function setBefore(set: usize, doc: u32): i32 {
  if (!doc) return -1;
  let i = (doc - 1) >> 6;
  let word = load<u64>(set + ((<usize>i) << 3)) & (~(<u64>0) >> (63 - ((doc - 1) & 63)));
  while (!word) {
    if (!i) return -1;
    i--;
    word = load<u64>(set + ((<usize>i) << 3));
  }
  return <i32>((i << 6) + 63 - <u32>clz<u64>(word));
}

/** The first document from `from` on in a set, or `end` where none is before. */
export function setFrom(set: usize, from: u32, end: u32): u32 {
  if (from >= end) return end;
  let i = from >> 6;
  let word = load<u64>(set + ((<usize>i) << 3)) & (~(<u64>0) << (from & 63));
  while (!word) {
    if (++i << 6 >= end) return end;
    word = load<u64>(set + ((<usize>i) << 3));
  }
  return min((i << 6) + <u32>ctz<u64>(word), end);
}

/** The first document of the part of a block that ends with `doc`: behind the one before it in `parents` or `roots`. */
export function firstPart(roots: usize, parents: usize, doc: u32): u32 {
  const root = setBefore(roots, doc);
  return <u32>(parents == roots ? root : max(root, setBefore(parents, doc))) + 1;
}

/** The first document of the block that ends with `doc`, which is in `parents`. */
export function firstOfBlock(join: BlockJoin, doc: u32): u32 {
  return firstPart(join.roots, join.parents, doc);
}

/**
 * Adds to `out` the next document in `parents` behind every document of `parts`, of which none is in `parents`; bitsets of `words`
 * words. Adding the parts to what is not in `parents` carries through up to the next document that is.
 */
export function joinUp(parents: usize, parts: usize, words: u32, out: usize): void {
  let carry: u64 = 0;
  for (let i: usize = 0, bytes = (<usize>words) << 3; i < bytes; i += 8) {
    const stop = load<u64>(parents + i);
    const between = ~stop;
    const sum = between + (load<u64>(parts + i) & between);
    const all = sum + carry;
    carry = u64(sum < between) | u64(all < sum);
    store<u64>(out + i, load<u64>(out + i) | (all & stop));
  }
}
