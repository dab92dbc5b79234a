import { normTable } from '../codec/norm';
import { requestAlloc } from '../memory/arena';
import {
  BLOCK,
  contains,
  currentFreq,
  decodeDocs,
  decodeFreqs,
  find,
  NO_MORE,
  PostingsCursor,
  seekBlock,
} from './cursor';

// Scores of postings many at a time, and what they can be at most: the largest sqrt(freq) * norm of a list, of a block, of a
// window of documents.

/** Scores every posting of the current block into `c.scores`; false where the arena has no room. */
export function scoreBlock(c: PostingsCursor): bool {
  decodeDocs(c);
  if (c.scored == c.block + 1) return true;
  if (!c.scores) {
    c.scores = requestAlloc(BLOCK * 4);
    if (!c.scores) return false;
  }
  decodeFreqs(c);
  const docs = c.docs;
  const freqs = c.freqs;
  const out = c.scores;
  const norms = c.norms;
  const end = (<usize>c.count) << 2;
  const value = f32x4.splat(c.value);
  if (norms) {
    const table = normTable();
    const whole = end & ~15;
    let i: usize = 0;
    for (; i < whole; i += 16) {
      const tf = f32x4.sqrt(f32x4.convert_i32x4_u(v128.load(freqs + i)));
      let norm = v128.load32_splat(table + ((<usize>load<u8>(norms + load<u32>(docs + i))) << 2));
      norm = v128.load_lane<f32>(table + ((<usize>load<u8>(norms + load<u32>(docs + i, 4))) << 2), norm, 1);
      norm = v128.load_lane<f32>(table + ((<usize>load<u8>(norms + load<u32>(docs + i, 8))) << 2), norm, 2);
      norm = v128.load_lane<f32>(table + ((<usize>load<u8>(norms + load<u32>(docs + i, 12))) << 2), norm, 3);
      v128.store(out + i, f32x4.mul(f32x4.mul(tf, value), norm));
    }
    for (; i < end; i += 4) {
      const norm = load<f32>(table + ((<usize>load<u8>(norms + load<u32>(docs + i))) << 2));
      store<f32>(out + i, f32.sqrt(<f32>load<u32>(freqs + i)) * c.value * norm);
    }
  } else {
    for (let i: usize = 0; i < end; i += 16) {
      v128.store(out + i, f32x4.mul(f32x4.sqrt(f32x4.convert_i32x4_u(v128.load(freqs + i))), value));
    }
  }
  c.scored = c.block + 1;
  return true;
}

/**
 * Scores of the `n` ascending documents at `wanted` (u32 each): f32 to `scores`, 0 where the list lacks the document, and
 * u32 1 or 0 to `hits`.
 */
export function scoreDocs(c: PostingsCursor, wanted: usize, n: usize, scores: usize, hits: usize): void {
  const presence = c.presence;
  const norms = c.norms;
  const value = c.value;
  const table = normTable();
  for (let i: usize = 0; i < n << 2; i += 4) {
    const doc = load<u32>(wanted + i);
    store<f32>(scores + i, 0);
    store<u32>(hits + i, 0);
    if (presence && !((load<u8>(presence + (doc >> 3)) >> (doc & 7)) & 1)) continue;
    if (!seekBlock(c, doc)) continue;
    decodeDocs(c);
    const index = find(c, doc);
    c.index = index;
    if (load<u32>(c.docs + ((<usize>index) << 2)) != doc) continue;
    decodeFreqs(c);
    let score = f32.sqrt(<f32>load<u32>(c.freqs + ((<usize>index) << 2))) * value;
    if (norms) score *= load<f32>(table + ((<usize>load<u8>(norms + doc)) << 2));
    store<f32>(scores + i, score);
    store<u32>(hits + i, 1);
  }
  c.doc = NO_MORE;
}

/** How many documents ahead must be in the same block for it to be worth decoding whole. */
const AHEAD: usize = 8;

/** Adds the frequencies in the `n` ascending documents at `wanted` (u32 each) to the u32 at `counts`. */
export function addFreqs(c: PostingsCursor, wanted: usize, n: usize, counts: usize): void {
  for (let i: usize = 0; i < n << 2; ) {
    const doc = load<u32>(wanted + i);
    if (!seekBlock(c, doc)) return;
    const ahead = i + (AHEAD << 2);
    if (ahead >= n << 2 || load<u32>(wanted + ahead) > c.last) {
      if (contains(c, doc)) store<u32>(counts + i, load<u32>(counts + i) + currentFreq(c));
      i += 4;
      continue;
    }
    decodeDocs(c);
    decodeFreqs(c);
    const docs = c.docs;
    const freqs = c.freqs;
    const last = c.last;
    // No branch depends on whether the list has the document.
    for (; i < n << 2; i += 4) {
      const next = load<u32>(wanted + i);
      if (next > last) break;
      const index = find(c, next);
      c.index = index;
      const at = (<usize>index) << 2;
      const has = <u32>(load<u32>(docs + at) == next);
      store<u32>(counts + i, load<u32>(counts + i) + load<u32>(freqs + at) * has);
    }
    c.doc = NO_MORE;
  }
}

/** Largest sqrt(freq) * norm in the list. */
export function listImpact(c: PostingsCursor): f32 {
  if (!c.impactReady) {
    let best: f32 = 0;
    for (let i: usize = 0; i < <usize>c.count; i++) {
      let impact = f32.sqrt(<f32>load<u32>(c.freqs + (i << 2)));
      if (c.norms) {
        const doc = <usize>load<u32>(c.docs + (i << 2));
        impact *= load<f32>(normTable() + ((<usize>load<u8>(c.norms + doc)) << 2));
      }
      if (impact > best) best = impact;
    }
    c.impact = best;
    c.impactReady = true;
  }
  return c.impact;
}

/** Largest sqrt(freq) * norm in block `block`. */
export function blockImpact(c: PostingsCursor, block: u32): f32 {
  if (c.short) return listImpact(c);
  return load<f32>(c.metas + ((<usize>block) << 4), 4);
}

/** Largest sqrt(freq) * norm of a document in [base, limit); -1 where the list has none there. Windows ascend. */
export function windowImpact(c: PostingsCursor, base: u32, limit: u32): f32 {
  if (c.short) {
    if (c.last < base || load<u32>(c.docs) >= limit) return -1;
    return listImpact(c);
  }
  const lasts = c.lasts;
  const n = c.blocks;
  let b = c.windowBlock;
  while (b < n && load<u32>(lasts + ((<usize>b) << 2)) < base) b++;
  c.windowBlock = b;
  if (b == n) return -1;
  let best: f32 = -1;
  for (; b < n; b++) {
    // A block begins after the last document of the one before.
    if (b && load<u32>(lasts + ((<usize>b) << 2) - 4) + 1 >= limit) break;
    const impact = load<f32>(c.metas + ((<usize>b) << 4), 4);
    if (impact > best) best = impact;
  }
  return best;
}
