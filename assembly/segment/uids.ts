import { ERR_ARGUMENT, ERR_FIELDDATA, ERR_MEMORY, OK } from '../abi/status';
import { heapAlloc } from '../memory/heap';
import { requestAlloc } from '../memory/arena';
import { setResult } from '../result';
import { countFielddata, dropUids, keyOf, mayHaveFielddata, Segment } from './segment';
import { getShard } from './shards';

/**
 * The uids of a segment's documents, for what depends on them: the host gives them when a search asks for them the first time
 * (ERR_UIDS), and they stay as long as the segment.
 *
 *     block    | u32 own bytes, 12 bytes unused | documents + 1 × u32 where a document's uid begins in what follows | uids in UTF-8
 */

const HEADER: u32 = 16;
/** What stands for them where fields have numbers. */
export const UIDS_FIELD: u32 = 0xffff;
/** A segment of more documents has no result with all its keys. */
const MAX_DOCS: u32 = 1 << 27;

/** The keys of a segment's documents: u64 each. */
export function segmentKeys(handle: u32, i: u32): i32 {
  const shard = getShard(handle);
  if (!shard || i >= shard.segmentCount) return ERR_ARGUMENT;
  const seg = shard.segment(i);
  const out = seg.docCount < MAX_DOCS ? requestAlloc(seg.docCount << 3) : 0;
  if (!out) return ERR_MEMORY;
  for (let doc: u32 = 0; doc < seg.docCount; doc++) store<u64>(out + ((<usize>doc) << 3), keyOf(seg, doc));
  setResult(out, seg.docCount << 3);
  return OK;
}

/** 1 if the segment has its uids, else 0. */
export function segmentHasUids(handle: u32, i: u32): i32 {
  const shard = getShard(handle);
  if (!shard || i >= shard.segmentCount) return ERR_ARGUMENT;
  return shard.segment(i).uids ? 1 : 0;
}

/** Whether offsets never fall and end where the bytes do. */
function areOffsets(ptr: usize, docs: u32, length: u32): bool {
  if (<u64>length < (<u64>docs + 1) << 2 || load<u32>(ptr)) return false;
  let before: u32 = 0;
  for (let i: usize = 1; i <= <usize>docs; i++) {
    const offset = load<u32>(ptr + (i << 2));
    if (offset < before) return false;
    before = offset;
  }
  return before == length - ((docs + 1) << 2);
}

/** Takes the uids of a segment: offsets and bytes as in the block. */
export function segmentSetUids(handle: u32, i: u32, ptr: usize, length: u32): i32 {
  const shard = getShard(handle);
  if (!shard || i >= shard.segmentCount) return ERR_ARGUMENT;
  const seg = shard.segment(i);
  if (seg.docCount >= MAX_DOCS || !areOffsets(ptr, seg.docCount, length)) return ERR_ARGUMENT;
  if (!mayHaveFielddata(HEADER + length, UIDS_FIELD)) return ERR_FIELDDATA - <i32>UIDS_FIELD;
  const block = length < 0xf0000000 ? heapAlloc(HEADER + length) : 0;
  if (!block) return ERR_MEMORY;
  store<u32>(block, HEADER + length);
  memory.copy(block + HEADER, ptr, length);
  dropUids(seg);
  seg.uids = block;
  countFielddata(HEADER + length);
  return OK;
}

/** Address of the uid of a document of a segment that has them; `uidLength` is its length. */
export let uidLength: u32 = 0;
export function uidOf(seg: Segment, doc: u32): usize {
  const offsets = seg.uids + HEADER;
  const at = offsets + ((<usize>doc) << 2);
  const start = load<u32>(at);
  uidLength = load<u32>(at, 4) - start;
  return offsets + ((<usize>(seg.docCount + 1)) << 2) + start;
}
