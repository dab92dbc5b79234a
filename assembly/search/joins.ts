import { CHILD_AVERAGE, CHILD_MAX, CHILD_MIN, CHILD_NONE } from '../abi/plan';
import { OK } from '../abi/status';
import { Matcher, windowBytes } from '../docset/matcher';
import { requestAlloc, requestAllocZeroed, requestMark, requestRelease } from '../memory/arena';
import { Bitset, sizeInBytes } from '../memory/bitset';
import { SCRATCH, SEGMENT } from '../memory/lifetimes';
import { JOIN_SCORED, Joined, Query } from '../plan/query';
import { requestStatus } from '../requestStatus';
import { BATCH, HITS, scoreBatch } from '../score/batch';
import { offer, threshold, topHitsStart } from '../score/topHits';
import { assignParentOrdinals, NO_NUMBER, parentOrdinals } from '../segment/parentOrdinals';
import { Segment } from '../segment/segment';
import { Shard } from '../segment/shards';
import { exhausted, spend } from '../workLimit';
import { compileQuery } from './compile';
import { Search } from './context';
import { Hits, locate, locatedDoc, takeTopHits } from './hits';
import { fillVisible, WINDOW } from './visible';
import { weighAlone } from './weights';

// Joins of parents and children. The inner query is a search of its own, with its own norm; it runs over the whole shard before
// the outer one: what it matches is gathered by the numbers of uids (segment/families.ts), and the documents on the other side
// that have these numbers are what the join matches.

/** The inner query of a join as it runs. */
@unmanaged
class Joining {
  search: Search;
  join: Query;
  joined: Joined;
  /** Documents that the inner query matches, where only the best are joined. */
  total: u64;
}

/** Adds a document of the inner query. */
function add(joined: Joined, mode: u8, number: u32, score: f32): void {
  if (!Bitset.get(joined.marks, number)) {
    Bitset.set(joined.marks, number);
    joined.found++;
    if (joined.counts) store<u32>(joined.counts + ((<usize>number) << 2), 1);
    if (joined.scores) store<f32>(joined.scores + ((<usize>number) << 2), score);
    return;
  }
  if (joined.counts) {
    const at = joined.counts + ((<usize>number) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  if (!joined.scores) return;
  const at = joined.scores + ((<usize>number) << 2);
  const known = load<f32>(at);
  if (mode == CHILD_MAX) {
    if (score > known) store<f32>(at, score);
  } else if (mode == CHILD_MIN) {
    if (score < known) store<f32>(at, score);
  } else store<f32>(at, known + score);
}

/** Documents of the inner query that are looked at next. */
const batch: usize = memory.data(512, 16);

/** Takes the `n` documents in `batch`: into the join or, without `numbers`, into the best hits; false without room. */
function take(j: Joining, tree: Matcher, n: usize, scores: bool, numbers: usize, docBase: u32): bool {
  const joined = j.joined;
  const mode = j.join.scoreMode;
  if (scores && !scoreBatch(tree, batch, n)) return false;
  for (let i: usize = 0; i < n << 2; i += 4) {
    if (scores && !load<u32>(tree.batch + HITS + i)) continue;
    const doc = load<u32>(batch + i);
    const score: f32 = scores ? load<f32>(tree.batch + i) : 0;
    if (numbers) {
      const number = load<u32>(numbers + ((<usize>doc) << 2));
      if (number != NO_NUMBER) add(joined, mode, number, score);
    } else {
      j.total++;
      if (score > threshold) offer(score, docBase + doc);
    }
  }
  return true;
}

/** Runs the inner query on a segment, whose documents have these numbers; without, what it matches goes into the best hits. */
function runInner(j: Joining, seg: Segment, index: u32, numbers: usize, docBase: u32): bool {
  const join = j.join;
  const scores = j.joined.scores != 0 || !numbers || (join.flags & JOIN_SCORED) != 0;
  const compiled = compileQuery(j.search, seg, index, seg.visible, join.child(0), scores, false);
  if (requestStatus != OK) return false;
  if (compiled === null) return true;
  const tree = compiled;
  const bits = requestAlloc(windowBytes(WINDOW));
  if (!bits) return false;
  for (let base: u32 = 0; base < seg.docCount; base += WINDOW) {
    const size = min(WINDOW, seg.docCount - base);
    if (!spend(size)) break;
    fillVisible(seg, tree, base, size, bits);
    const words = (size + 63) >> 6;
    let n: usize = 0;
    for (let i: u32 = 0; i < words; i++) {
      let word = load<u64>(bits + ((<usize>i) << 3));
      while (word) {
        store<u32>(batch + (n << 2), base + (i << 6) + <u32>ctz<u64>(word));
        word &= word - 1;
        if (++n < BATCH) continue;
        if (!take(j, tree, n, scores, numbers, docBase)) return false;
        n = 0;
      }
    }
    if (n && !take(j, tree, n, scores, numbers, docBase)) return false;
  }
  return requestStatus == OK;
}

/** Runs the inner query on all segments. */
function runAll(j: Joining, top: bool): bool {
  const shard = j.search.shard;
  let docBase: u32 = 0;
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const seg = shard.segment(s);
    const numbers: usize = top ? 0 : parentOrdinals(seg, j.join.field);
    if (top || numbers) {
      const mark = requestMark(SEGMENT);
      const fine = runInner(j, seg, s, numbers, docBase);
      requestRelease(mark);
      if (!fine) return false;
    }
    docBase += seg.docCount;
  }
  return true;
}

/** A bitset of the numbers that some live document of the outer side has; 0 without room. */
function present(shard: Shard, join: Query): usize {
  const bytes = sizeInBytes(shard.familyCount) + 16;
  const bits = requestAlloc(bytes);
  if (!bits) return 0;
  memory.fill(bits, 0, bytes);
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const seg = shard.segment(s);
    const numbers = parentOrdinals(seg, join.outer);
    if (!numbers) continue;
    for (let doc: u32 = 0; doc < seg.docCount; doc++) {
      const number = load<u32>(numbers + ((<usize>doc) << 2));
      if (number != NO_NUMBER && seg.isLive(doc)) Bitset.set(bits, number);
    }
  }
  return bits;
}

function clear(joined: Joined, numbers: u32): void {
  joined.found = 0;
  memory.fill(joined.marks, 0, sizeInBytes(numbers) + 16);
}

/**
 * Joins the best documents of the inner query alone: `factor` times as many as there are hits wanted, and more in further rounds
 * as long as they lead to too few documents.
 */
function runTop(j: Joining): bool {
  const shard = j.search.shard;
  const join = j.join;
  const wanted = max<u32>(j.search.plan.hits, 1);
  const parents = present(shard, join);
  if (!parents) return false;
  let size = min<u64>(<u64>wanted * <u64>join.factor, <u64>j.search.maxDoc);
  let enough = false;
  while (!enough) {
    const mark = requestMark(SCRATCH);
    j.total = 0;
    if (!topHitsStart(<u32>max<u64>(size, 1)) || !runAll(j, true)) return false;
    const hits = takeTopHits();
    if (hits === null) return false;
    clear(j.joined, shard.familyCount);
    addHits(j, hits, parents);
    requestRelease(mark);
    const next = min<u64>(size * <u64>join.growth, j.total);
    enough = j.joined.found >= wanted || next <= size || exhausted;
    size = next;
  }
  return true;
}

function addHits(j: Joining, hits: Hits, parents: usize): void {
  const shard = j.search.shard;
  const join = j.join;
  for (let i: u32 = 0; i < hits.count; i++) {
    const seg = locate(shard, hits.doc(i));
    const numbers = parentOrdinals(seg, join.field);
    const number = numbers ? load<u32>(numbers + ((<usize>locatedDoc) << 2)) : NO_NUMBER;
    if (number != NO_NUMBER && Bitset.get(parents, number))
      add(j.joined, join.scoreMode, number, hits.score(i));
  }
}

/** Leaves what the bounds of numbers of documents allow, and makes averages. */
function settle(join: Query, joined: Joined, numbers: u32): void {
  if (!joined.counts) return;
  const most = join.most ? join.most : u32.MAX_VALUE;
  for (let number: u32 = 0; number < numbers; number++) {
    if (!Bitset.get(joined.marks, number)) continue;
    const n = load<u32>(joined.counts + ((<usize>number) << 2));
    if (n < join.least || n > most) Bitset.clear(joined.marks, number);
    else if (join.scoreMode == CHILD_AVERAGE) {
      const at = joined.scores + ((<usize>number) << 2);
      store<f32>(at, load<f32>(at) / <f32>n);
    }
  }
}

function make(shard: Shard, join: Query): Joined | null {
  const numbers = shard.familyCount;
  const at = requestAlloc(offsetof<Joined>());
  const marks = requestAlloc(sizeInBytes(numbers) + 16);
  if (!at || !marks || numbers > 0x30000000) return null;
  memory.fill(at, 0, offsetof<Joined>());
  const joined = changetype<Joined>(at);
  joined.marks = marks;
  clear(joined, numbers);
  if (join.scoreMode != CHILD_NONE) {
    joined.scores = requestAlloc(max<u32>(numbers, 1) << 2);
    if (!joined.scores) return null;
  }
  if (join.least > 1 || join.most || join.scoreMode == CHILD_AVERAGE) {
    joined.counts = requestAlloc(max<u32>(numbers, 1) << 2);
    if (!joined.counts) return null;
  }
  return joined;
}

/** Runs the inner query of a join, before the outer one; false where the search fails. */
export function runJoin(search: Search, join: Query): bool {
  const shard = search.shard;
  if (!assignParentOrdinals(shard, join.field, join.outer)) return false;
  const made = make(shard, join);
  const at = requestAllocZeroed(offsetof<Joining>());
  if (made === null || !at) return false;
  weighAlone(search, join.child(0));
  if (requestStatus != OK) return false;
  made.unbounded = search.unbounded;
  const joining = changetype<Joining>(at);
  joining.search = search;
  joining.join = join;
  joining.joined = made;
  const fine = join.factor ? runTop(joining) : runAll(joining, false);
  if (fine) settle(join, made, shard.familyCount);
  join.joined = changetype<usize>(made);
  return fine;
}
