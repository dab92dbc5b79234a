import { PostingsCursor } from '../postings/cursor';
import { FIELD_FREQS, FieldEntry, findField } from '../segment/segment';
import { Shard } from '../segment/shards';
import { frequencySum, listFrequency } from './frequencies';
import { QueryTerm } from '../plan/query';

// How often the terms of a shard occur. -1 stands for what a field without frequencies doesn't know, -2 for no room.

export const UNKNOWN_FREQUENCY: f64 = -1;
export const NO_ROOM: f64 = -2;

/** How many terms all documents of a shard have in a field, each as often as it occurs. */
export function fieldFrequency(shard: Shard, field: u32): f64 {
  let sum: f64 = 0;
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const seg = shard.segment(s);
    const entry = findField(seg, field);
    if (!entry) continue;
    if (!(FieldEntry.flags(entry) & FIELD_FREQS)) return UNKNOWN_FREQUENCY;
    const own = frequencySum(seg, entry);
    if (own < 0) return NO_ROOM;
    sum += own;
  }
  return sum;
}

/** How often a term that has been looked up occurs in a shard. */
export function termFrequency(shard: Shard, field: u32, term: QueryTerm): f64 {
  const cursor = PostingsCursor.make();
  if (cursor === null) return NO_ROOM;
  let sum: f64 = 0;
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const seg = shard.segment(s);
    const entry = findField(seg, field);
    if (!entry || !term.dfIn(s)) continue;
    if (!(FieldEntry.flags(entry) & FIELD_FREQS)) return UNKNOWN_FREQUENCY;
    sum += listFrequency(cursor, seg, entry, term.dfIn(s), term.postingsIn(s));
  }
  return sum;
}
