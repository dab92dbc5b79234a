// Kernels over many values at once, so that a call from JavaScript is a small part of what they take.

import { tokenHash, tokenLength, tokenNext, tokenPtr, tokenStart } from '../analysis/standard';
import { unpack128, unpackGaps128 } from '../codec/bitpack128';
import { byte315ToFloat, floatToByte315 } from '../codec/norm';
import { Vint, vintNext, writeVint } from '../codec/vint';
import { xxh64 } from '../codec/xxh64';
import { distance } from '../docvalues/geodesy';
import { offer, takenDoc, takenScore, takeWorst, topHitsSize, topHitsStart } from '../score/topHits';
import { openAutomaton } from '../terms/automaton';

/** Decodes `blocks` blocks of gaps one after the other, each from where the one before ended; returns the last value. */
export function decodeGapBlocks(src: usize, dst: usize, bits: u32, blocks: u32): i32 {
  let last = -1;
  for (let i: u32 = 0; i < blocks; i++) {
    unpackGaps128(src, dst, bits, last);
    last = load<i32>(dst, 508);
    src += bits << 4;
  }
  return last;
}

/** Unpacks `blocks` blocks one after the other into the same 128 values. */
export function unpackBlocks(src: usize, dst: usize, bits: u32, blocks: u32): void {
  for (let i: u32 = 0; i < blocks; i++) {
    unpack128(src, dst, bits);
    src += bits << 4;
  }
}

/** Writes n u32 as numbers of variable length; the address behind them. */
export function writeVints(src: usize, n: u32, dst: usize): usize {
  for (let i: u32 = 0; i < n; i++) dst = writeVint(dst, load<u32>(src + ((<usize>i) << 2)));
  return dst;
}

/** Reads n numbers of variable length into u32; the address behind them. */
export function readVints(src: usize, n: u32, dst: usize): usize {
  for (let i: u32 = 0; i < n; i++) {
    store<u32>(dst + ((<usize>i) << 2), Vint.read(src));
    src = vintNext;
  }
  return src;
}

/** Makes norm bytes of n f32. */
export function encodeNorms(src: usize, n: u32, dst: usize): void {
  for (let i: usize = 0; i < <usize>n; i++) store<u8>(dst + i, floatToByte315(load<f32>(src + (i << 2))));
}

/** And back. */
export function decodeNorms(src: usize, n: u32, dst: usize): void {
  for (let i: usize = 0; i < <usize>n; i++) store<f32>(dst + (i << 2), byte315ToFloat(load<u8>(src + i)));
}

/** The sum of the hashes of `n` strings of `length` bytes, one behind the other. */
export function hashAll(src: usize, length: u32, n: u32): u64 {
  let sum: u64 = 0;
  for (let i: u32 = 0; i < n; i++) {
    sum += xxh64(src, length, 0);
    src += length;
  }
  return sum;
}

/** The sum of the distances of `n` points (f64 latitude, longitude) from one, by a formula. */
export function sumOfDistances(formula: u32, latitude: f64, longitude: f64, points: usize, n: u32): f64 {
  let sum: f64 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const at = points + ((<usize>i) << 4);
    sum += distance(<u8>formula, latitude, longitude, load<f64>(at), load<f64>(at, 8));
  }
  return sum;
}

/**
 * Runs an automaton over n terms that lie one behind the other, their lengths as u32 at `lengths`: what each accepts with, a byte each at
 * `accepted`, 0 where it is refused. How many aren't refused; -1 where the bytes are no automaton, or there is no memory.
 */
export function acceptAll(
  automaton: usize,
  length: u32,
  terms: usize,
  lengths: usize,
  n: u32,
  accepted: usize,
): i32 {
  const opened = openAutomaton(automaton, length);
  if (opened === null) return -1;
  let found = 0;
  for (let i: usize = 0; i < <usize>n; i++) {
    const bytes = load<u32>(lengths + (i << 2));
    const accepts = opened.accepts(terms, bytes);
    store<u8>(accepted + i, <u8>accepts);
    if (accepts) found++;
    terms += bytes;
  }
  return found;
}

/**
 * The best k of n scores (f32), the first of equal ones: u32 places at `places` and f32 scores at `best`, the best first. How many there are;
 * -1 where there is no memory.
 */
export function topK(scores: usize, n: u32, k: u32, places: usize, best: usize): i32 {
  if (!topHitsStart(k)) return -1;
  for (let i: u32 = 0; i < n; i++) offer(load<f32>(scores + ((<usize>i) << 2)), i);
  const size = topHitsSize();
  for (let i: usize = size; i > 0; i--) {
    takeWorst();
    store<u32>(places + ((i - 1) << 2), takenDoc);
    store<f32>(best + ((i - 1) << 2), takenScore);
  }
  return <i32>size;
}

/** Tokenizes `count` texts that lie one behind the other, their lengths as u32 at `lengths`; a sum over the hashes of all tokens. */
export function tokenizeAll(texts: usize, lengths: usize, count: u32): u32 {
  let sum: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const length = load<u32>(lengths + (i << 2));
    tokenStart(texts, length);
    while (tokenNext()) sum += tokenHash;
    texts += length;
  }
  return sum;
}

/**
 * The standard analyzer's tokens of a text: at `out` a u32 length and the bytes of each, for which 8 bytes are enough for each of the text.
 * How many there are.
 */
export function tokensOf(text: usize, length: u32, out: usize): u32 {
  let n: u32 = 0;
  tokenStart(text, length);
  while (tokenNext()) {
    store<u32>(out, tokenLength);
    memory.copy(out + 4, tokenPtr, tokenLength);
    out += 4 + <usize>tokenLength;
    n++;
  }
  return n;
}
