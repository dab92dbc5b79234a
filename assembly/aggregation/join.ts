import { AGG_NESTED, AGG_REVERSE_NESTED } from '../abi/aggregations';
import { OK } from '../abi/status';
import { firstPart, setFrom } from '../docset/blockJoin';
import { bitsOf, Matcher } from '../docset/matcher';
import { requestStatus } from '../requestStatus';
import { Segment } from '../segment/segment';
import { Aggregation, BATCH, NOT_NESTED } from './aggregation';

/**
 * From the documents of a batch down to their nested ones (segment/blocks.ts), and back up. A document may be in a batch several
 * times, in several buckets; what is put out ascends as the batch does, and no document comes twice into a bucket.
 */

/** A filter of the join as a bitset of the segment; 0: nothing matches, or without memory. */
function setOf(agg: Aggregation, i: u32): usize {
  const number = numberOf(agg, i);
  if (number == NOT_NESTED) return agg.roots;
  const matcher = load<usize>(agg.matchers + <usize>number * sizeof<usize>());
  return matcher ? bitsOf(changetype<Matcher>(matcher), agg.docCount) : 0;
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
  if (!agg.roots) return true;
  agg.wanted = setOf(agg, 0);
  if (agg.kind == AGG_NESTED) agg.above = setOf(agg, 1);
  return requestStatus == OK;
}

/** Begins a batch. */
export function startJoin(agg: Aggregation): void {
  agg.readDoc = 0;
  agg.readPart = u32.MAX_VALUE;
}

/** Puts out the nested documents of the batch's, as many as there is room for. */
export function collectNested(agg: Aggregation, docs: usize, owners: usize, n: u32): u32 {
  const wanted = agg.wanted;
  agg.goesOn = false;
  if (!wanted || !agg.above) return 0;
  let out: u32 = 0;
  let i = agg.readDoc;
  while (i < n) {
    const doc = load<u32>(docs + ((<usize>i) << 2));
    let end = i + 1;
    while (end < n && load<u32>(docs + ((<usize>end) << 2)) == doc) end++;
    let part = agg.readPart;
    if (part == u32.MAX_VALUE) part = firstPart(agg.roots, agg.above, doc);
    part = setFrom(wanted, part, doc);
    for (; part < doc; part = setFrom(wanted, part + 1, doc)) {
      if (out + (end - i) > BATCH) {
        agg.readDoc = i;
        agg.readPart = part;
        agg.goesOn = true;
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
  agg.goesOn = false;
  if (!agg.wanted) return 0;
  let out: u32 = 0;
  let parent: u32 = 0;
  let found = false;
  for (let i: u32 = 0; i < n; i++) {
    const doc = load<u32>(docs + ((<usize>i) << 2));
    if (!i || parent < doc) {
      // Not beyond the document whose block this is.
      const end = setFrom(agg.roots, doc, agg.docCount) + 1;
      parent = setFrom(agg.wanted, doc, end);
      found = parent < end;
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
