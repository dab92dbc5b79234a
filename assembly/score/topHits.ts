import { requestAlloc } from '../memory/arena';

// The best k documents seen so far: a binary heap whose root is the worst of them, by ascending score, then descending
// document. Where documents are offered in ascending order, one that only equals the worst never enters.

/** Address of the entries: f32 score, u32 document. */
let entries: usize = 0;
let capacity: u32 = 0;
let size: u32 = 0;

/** What a score must exceed to enter; -Infinity while there is room. */
export let threshold: f32 = -Infinity;

/** Starts over with room for `k` documents; false where the arena has none. */
export function topHitsStart(k: u32): bool {
  capacity = k;
  size = 0;
  threshold = k ? -Infinity : Infinity;
  entries = k ? requestAlloc(k << 3) : 0;
  return !k || entries != 0;
}

/** Whether entry `a` is worse than `b`. Scores order as signed floats, documents break ties. */
function worse(aScore: f32, aDoc: u32, bScore: f32, bDoc: u32): bool {
  return aScore < bScore || (aScore == bScore && aDoc > bDoc);
}

function put(i: u32, score: f32, doc: u32): void {
  const at = entries + ((<usize>i) << 3);
  store<f32>(at, score);
  store<u32>(at, doc, 4);
}

function scoreAt(i: u32): f32 {
  return load<f32>(entries + ((<usize>i) << 3));
}

function docAt(i: u32): u32 {
  return load<u32>(entries + ((<usize>i) << 3), 4);
}

function siftDown(score: f32, doc: u32): void {
  let i: u32 = 0;
  for (;;) {
    let child = i * 2 + 1;
    if (child >= size) break;
    if (child + 1 < size && worse(scoreAt(child + 1), docAt(child + 1), scoreAt(child), docAt(child)))
      child++;
    if (!worse(scoreAt(child), docAt(child), score, doc)) break;
    put(i, scoreAt(child), docAt(child));
    i = child;
  }
  put(i, score, doc);
}

/** Offers a document. */
export function offer(score: f32, doc: u32): void {
  if (score <= threshold && size == capacity) return;
  if (size == capacity) {
    if (!capacity) return;
    siftDown(score, doc);
    threshold = scoreAt(0);
    return;
  }
  let i = size++;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (!worse(score, doc, scoreAt(parent), docAt(parent))) break;
    put(i, scoreAt(parent), docAt(parent));
    i = parent;
  }
  put(i, score, doc);
  if (size == capacity) threshold = scoreAt(0);
}

/** Offers a document that may come before others of the same score. */
export function offerAnyOrder(score: f32, doc: u32): void {
  if (size == capacity && capacity && score == threshold && doc < docAt(0)) {
    siftDown(score, doc);
    threshold = scoreAt(0);
  } else {
    offer(score, doc);
  }
}

/** Number of documents that are wanted. */
export function topHitsCapacity(): u32 {
  return capacity;
}

/** Number of documents held. */
export function topHitsSize(): u32 {
  return size;
}

/** Takes the worst document out; its score and number are in `takenScore` and `takenDoc`. */
export let takenScore: f32 = 0;
export let takenDoc: u32 = 0;
export function takeWorst(): void {
  takenScore = scoreAt(0);
  takenDoc = docAt(0);
  size--;
  if (size) siftDown(scoreAt(size), docAt(size));
}
