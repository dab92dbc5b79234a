import { Matcher, matches } from '../docset/matcher';
import { Bitset } from '../memory/bitset';
import { Segment } from '../segment/segment';
import { AGG_REVERSE_NESTED, Aggregation, BATCH, NOT_HIDDEN } from './aggregation';

/**
 * From the documents of a batch down to their hidden ones (segment/blocks.ts), and back up. A document may be in a batch several
 * times, in several buckets; what is put out ascends as the batch does, and no document comes twice into a bucket.
 */

/** Whether the last `collectNested` was out of room: it goes on where it stopped. */
export let joinGoesOn: bool = false;

/** The matcher of a filter of the join; 0: nothing matches. Not asked for what is not hidden. */
function filterOf(agg: Aggregation, i: u32): usize {
  return load<usize>(agg.matchers + <usize>numberOf(agg, i) * sizeof<usize>());
}

function numberOf(agg: Aggregation, i: u32): u32 {
  return <u32>load<u16>(agg.ranges + ((<usize>i) << 1));
}

/** Prepares a join for a segment; false without memory. */
export function openJoin(agg: Aggregation, seg: Segment): bool {
  agg.roots = seg.parents;
  agg.docCount = seg.docCount;
  // Documents that were collected last are of another segment.
  if (agg.kind == AGG_REVERSE_NESTED && agg.state.room) memory.fill(agg.state.at, 0, agg.state.room);
  return true;
}

/** Begins a batch. */
export function startJoin(agg: Aggregation): void {
  agg.readDoc = 0;
  agg.readPart = u32.MAX_VALUE;
}

/** The first document of the block of `doc`, which is one of those that filter 1 stands for. */
function firstPart(agg: Aggregation, doc: u32): u32 {
  const parents: usize = numberOf(agg, 1) == NOT_HIDDEN ? 0 : filterOf(agg, 1);
  let d = doc;
  while (d > 0 && !Bitset.get(agg.roots, d - 1)) {
    if (parents && matches(changetype<Matcher>(parents), d - 1)) break;
    d--;
  }
  return d;
}

/** Puts out the hidden documents of the batch's, as many as there is room for. */
export function collectNested(agg: Aggregation, docs: usize, owners: usize, n: u32): u32 {
  const filter = filterOf(agg, 0);
  joinGoesOn = false;
  if (!filter) return 0;
  let out: u32 = 0;
  let i = agg.readDoc;
  while (i < n) {
    const doc = load<u32>(docs + ((<usize>i) << 2));
    let end = i + 1;
    while (end < n && load<u32>(docs + ((<usize>end) << 2)) == doc) end++;
    let part = agg.readPart == u32.MAX_VALUE ? firstPart(agg, doc) : agg.readPart;
    for (; part < doc; part++) {
      if (!matches(changetype<Matcher>(filter), part)) continue;
      if (out + (end - i) > BATCH) {
        agg.readDoc = i;
        agg.readPart = part;
        joinGoesOn = true;
        return out;
      }
      for (let k = i; k < end; k++) {
        store<u32>(agg.outDocs + ((<usize>out) << 2), part);
        store<u32>(agg.outOwners + ((<usize>out) << 2), load<u32>(owners + ((<usize>k) << 2)));
        out++;
      }
    }
    agg.readPart = u32.MAX_VALUE;
    i = end;
  }
  return out;
}

/** Puts out the documents that the batch's are parts of. */
export function collectReverse(agg: Aggregation, docs: usize, owners: usize, n: u32): u32 {
  const all = numberOf(agg, 0) == NOT_HIDDEN;
  const parents: usize = all ? 0 : filterOf(agg, 0);
  joinGoesOn = false;
  if (!all && !parents) return 0;
  let out: u32 = 0;
  let parent: u32 = 0;
  let found = false;
  for (let i: u32 = 0; i < n; i++) {
    const doc = load<u32>(docs + ((<usize>i) << 2));
    if (!i || parent < doc) {
      parent = doc;
      for (;;) {
        found = all ? Bitset.get(agg.roots, parent) : matches(changetype<Matcher>(parents), parent);
        if (found || Bitset.get(agg.roots, parent) || parent + 1 >= agg.docCount) break;
        parent++;
      }
    }
    if (!found) continue;
    const owner = load<u32>(owners + ((<usize>i) << 2));
    const last = agg.state.at + ((<usize>owner) << 2);
    if (load<u32>(last) == parent + 1) continue;
    store<u32>(last, parent + 1);
    store<u32>(agg.outDocs + ((<usize>out) << 2), parent);
    store<u32>(agg.outOwners + ((<usize>out) << 2), owner);
    out++;
  }
  return out;
}
