import { Bitset, andInto, fillOnes, andNotInto, sizeInBytes } from '../memory/bitset';
import { requestAlloc, requestMark, requestRelease } from '../memory/arena';
import { heapAlloc, heapFree } from '../memory/heap';
import { SCRATCH } from '../memory/lifetimes';
import { fillBits } from '../postings/bits';
import { PostingsCursor } from '../postings/cursor';
import { Dictionary, TERM_BUFFER_BYTES, TermCursor } from '../terms/dictionary';
import { FieldEntry, findField, openDictionary, Segment } from './segment';
import { Shard } from './shards';

/**
 * Blocks: nested documents and, right behind them, the document that they are parts of. A document is nested where it has a term
 * that begins with two underscores in the field that was defined with the flag FIELD_HIDES; its block ends with the next document
 * that isn't. The documents of a block come in one batch, so they are flushed and merged together, and they die together: with the
 * key of the last one.
 *
 * Which documents are nested is said by the postings alone; the set is made of them when a segment is opened. Shards without such a
 * field, and segments without such a term, have no set and do no more than before.
 */

const PREFIX: usize = memory.data<u8>([0x5f, 0x5f]);
const PREFIX_BYTES: u32 = 2;

/** Adds the documents of all terms with the prefix to `set`, which has 16 bytes to spare; their number, or -1 without memory. */
function fillNested(seg: Segment, entry: usize, set: usize): i32 {
  const dict = requestAlloc(offsetof<Dictionary>());
  const at = requestAlloc(offsetof<TermCursor>());
  const buffer = requestAlloc(TERM_BUFFER_BYTES);
  const cursor = PostingsCursor.make();
  if (!dict || !at || !buffer || cursor === null) return -1;
  openDictionary(seg, entry, changetype<Dictionary>(dict));
  const terms = changetype<TermCursor>(at);
  TermCursor.init(terms, changetype<Dictionary>(dict), buffer);
  let found: i32 = 0;
  let more = terms.seekCeil(PREFIX, PREFIX_BYTES);
  while (more && terms.termLength >= PREFIX_BYTES && load<u16>(terms.termPtr) == load<u16>(PREFIX)) {
    const postings = FieldEntry.postings(seg, entry) + terms.postingsOffset;
    cursor.start(postings, terms.df, <u8>FieldEntry.flags(entry), 0, 0, 0);
    fillBits(cursor, 0, seg.docCount, set);
    found++;
    more = terms.next();
  }
  return found;
}

/** Finds the nested documents of a segment that was just opened, all of whose documents live; false without memory. */
export function findBlocks(shard: Shard, seg: Segment): bool {
  const entry = shard.hiding ? findField(seg, shard.hiding - 1) : 0;
  if (!entry) return true;
  const bytes = sizeInBytes(seg.docCount);
  const mark = requestMark(SCRATCH);
  const nested = requestAlloc(bytes + 16);
  let found: i32 = -1;
  if (nested) {
    memory.fill(nested, 0, bytes + 16);
    found = fillNested(seg, entry, nested);
  }
  if (found > 0) {
    const parents = heapAlloc(bytes);
    if (parents) {
      fillOnes(parents, seg.docCount);
      andNotInto(parents, nested, bytes);
      seg.parents = parents;
      seg.visible = parents;
    } else found = -1;
  }
  requestRelease(mark);
  return found >= 0;
}

/** Makes room for `showVisible`; false without memory. */
export function reserveVisible(seg: Segment): bool {
  if (!seg.parents || seg.nextVisible) return true;
  seg.nextVisible = heapAlloc(sizeInBytes(seg.docCount));
  return seg.nextVisible != 0;
}

/**
 * What searches see of the documents in `live`, which replaces the set there was; 0: all. Frees the set before; `reserveVisible` has
 * made room.
 */
export function showLive(seg: Segment, live: usize): void {
  if (seg.visible != seg.live && seg.visible != seg.parents) heapFree(seg.visible);
  if (seg.live != live) heapFree(seg.live);
  seg.live = live;
  seg.view++;
  seg.visible = live;
  if (!seg.parents) return;
  seg.visible = seg.parents;
  if (!live) return;
  const bytes = sizeInBytes(seg.docCount);
  seg.visible = seg.nextVisible;
  seg.nextVisible = 0;
  memory.copy(seg.visible, live, bytes);
  andInto(seg.visible, seg.parents, bytes);
}

/** Clears the nested documents of the block that ends with `doc` in a set; how many were in it. */
export function clearBlock(seg: Segment, doc: u32, set: usize): u32 {
  if (!seg.parents) return 0;
  let cleared: u32 = 0;
  for (let d = doc; d > 0 && !Bitset.get(seg.parents, d - 1); d--) {
    if (!Bitset.get(set, d - 1)) continue;
    Bitset.clear(set, d - 1);
    cleared++;
  }
  return cleared;
}
