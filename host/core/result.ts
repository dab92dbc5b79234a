import { decodeUtf8, encodeUtf8 } from '../text/utf8.js';
import type { Turns } from '../workLimit.js';

/** What a search of one shard found; hits are best first, `keys[i]` belongs to `scores[i]`. */
export interface SearchResult {
  /** The exact number of matching documents. */
  total: number;
  /** The largest score, NaN if nothing matched or no hits were wanted. */
  maxScore: number;
  /** The sequence numbers of the hits. */
  keys: Float64Array;
  /** Their scores. */
  scores: Float32Array;
  /** Which of the first 32 named nodes each hit matches, a bit each. */
  named: Uint32Array;
  /** What lies behind the hits: the values they are sorted by, see `sortValues.ts`, and a trailer (`assembly/search/README.md`). */
  sortValues: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/** The keys of a page of hits share a buffer with those of others: one of its own costs more than they do. */
const SHARED_KEYS = 1024;
const MOST_SHARED = 64;
let sharedKeys = new Float64Array(SHARED_KEYS);
let taken = 0;

function keysOf(n: number): Float64Array {
  if (n > MOST_SHARED) return new Float64Array(n);
  if (taken + n > SHARED_KEYS) {
    sharedKeys = new Float64Array(SHARED_KEYS);
    taken = 0;
  }
  taken += n;
  return sharedKeys.subarray(taken - n, taken);
}

/** Reads the bytes that the core's `search` left behind (`assembly/search/README.md`, *Result*). */
export function decodeResult(bytes: Uint8Array): SearchResult {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const n = view.getUint32(12, true);
  const keys = keysOf(n);
  const scores = new Float32Array(n);
  const named = new Uint32Array(n);
  for (let i = 0, at = 16; i < n; i++, at += 16) {
    keys[i] = view.getUint32(at, true) + view.getUint32(at + 4, true) * 0x1_0000_0000;
    scores[i] = view.getFloat32(at + 8, true);
    named[i] = view.getUint32(at + 12, true);
  }
  const sortValues = bytes.length === 16 + 16 * n ? NOTHING : bytes.subarray(16 + 16 * n);
  return {
    total: view.getFloat64(0, true),
    maxScore: view.getFloat32(8, true),
    keys,
    scores,
    named,
    sortValues,
  };
}

/** The bytes that {@link decodeResult} reads. */
export function encodeResult(result: SearchResult): Uint8Array {
  const { total, maxScore, keys, scores, named, sortValues } = result;
  const n = keys.length;
  const bytes = new Uint8Array(16 + 16 * n + sortValues.length);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, total, true);
  view.setFloat32(8, maxScore, true);
  view.setUint32(12, n, true);
  for (let i = 0, at = 16; i < n; i++, at += 16) {
    view.setUint32(at, keys[i]! >>> 0, true);
    view.setUint32(at + 4, Math.floor(keys[i]! / 0x1_0000_0000), true);
    view.setFloat32(at + 8, scores[i]!, true);
    view.setUint32(at + 12, named[i]!, true);
  }
  bytes.set(sortValues, 16 + 16 * n);
  return bytes;
}

/** The names of the plan's named nodes that the hit with that key matches; `terminates`: the plan may end early. */
export function matchedNames(
  result: SearchResult,
  key: number,
  names: readonly string[],
  terminates: boolean,
): string[] {
  const { keys, named, sortValues } = result;
  const hit = keys.indexOf(key);
  const more = Math.ceil(names.length / 32) - 1;
  const view = new DataView(sortValues.buffer, sortValues.byteOffset, sortValues.byteLength);
  const trailer = sortValues.byteLength - 4 * more * keys.length - (terminates ? 4 : 0);
  return names.filter((_, i) => {
    const at = trailer + 4 * (hit * more + (i >>> 5) - 1);
    const word = i < 32 ? named[hit]! : view.getUint32(at, true);
    return ((word >>> (i & 31)) & 1) === 1;
  });
}

/** Whether a search with a plan that terminates after so many documents did. */
export function endedEarly({ sortValues }: SearchResult): boolean {
  return sortValues.at(-4) === 1;
}

/** Whether a search with a plan that takes part of an answer was stopped before it was through; takes that off its result. */
export function takeStopped(result: SearchResult): boolean {
  const { sortValues } = result;
  const end = sortValues.length - 4;
  // A view of its own costs a microsecond.
  result.sortValues = end === 0 ? NOTHING : sortValues.subarray(0, end);
  return sortValues[end] === 1;
}

/** What the core tells of a segment (`assembly/segment/README.md`, *segmentInfo*). */
export interface SegmentInfo {
  bytes: number;
  firstKey: number;
  lastKey: number;
  documents: number;
  live: number;
  fields: number;
  /** Unique within the shard for as long as the core lives. */
  id: number;
}

/** Reads the bytes of `segmentInfo`. */
export function decodeSegmentInfo(bytes: Uint8Array): SegmentInfo {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u64 = (at: number) => view.getUint32(at, true) + view.getUint32(at + 4, true) * 0x1_0000_0000;
  return {
    bytes: u64(0),
    firstKey: u64(8),
    lastKey: u64(16),
    documents: view.getUint32(24, true),
    live: view.getUint32(28, true),
    fields: view.getUint32(32, true),
    id: view.getUint32(36, true),
  };
}

/** A token as the core's analyzers make them. */
export interface Token {
  term: string;
  /** In UTF-16 units. */
  startOffset: number;
  /** In UTF-16 units. */
  endOffset: number;
  /** From 1; gaps where tokens were dropped, equal where several stand at one place. */
  position: number;
  /** Such as `<ALPHANUM>`. */
  type: string;
  /** Stemmers leave the term alone. */
  keyword?: boolean;
}

/** The types of tokens by the core's number (`assembly/analysis/tokenTypes.ts`). */
export const TOKEN_TYPES: readonly string[] = [
  '<ALPHANUM>',
  '<NUM>',
  '<SOUTHEAST_ASIAN>',
  '<IDEOGRAPHIC>',
  '<HIRAGANA>',
  '<KATAKANA>',
  '<HANGUL>',
  'word',
  'SYNONYM',
  'shingle',
  'gram',
  '<DOUBLE>',
  '<SINGLE>',
  '<URL>',
  '<EMAIL>',
  '<APOSTROPHE>',
  '<ACRONYM>',
  '<COMPANY>',
  '<HOST>',
  '<CJ>',
  '<ACRONYM_DEP>',
];

const TOKENS_HEADER = 8;
const TOKEN_HEADER = 20;

/** Tokens and what is behind the last one. */
export interface TokenList {
  tokens: Token[];
  /** Positions that dropped tokens left behind the last one. */
  rest: number;
}

/** Bytes of tokens that are read or written at a time: about 0.2 ms. */
export const TOKENS_AT_ONCE: number = 64 * 1024;

/** Reads the bytes of `analyze` (`assembly/README.md`, *Tokens*). */
export function decodeTokens(bytes: Uint8Array): TokenList {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tokens: Token[] = [];
  addTokens(tokens, bytes, view, TOKENS_HEADER, bytes.length);
  return { tokens, rest: view.getUint32(4, true) };
}

/** An object of V8 with the members of a token, its place in a list that grows, and the head of its term. */
const TOKEN_HEAP = 100;

/** Bytes of the heap that the tokens of such bytes take, about. */
export function tokensSize(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return view.getUint32(0, true) * (TOKEN_HEAP - TOKEN_HEADER) + bytes.length;
}

/** The same in turns. */
export function* decodeTokensInTurns(bytes: Uint8Array): Turns<TokenList> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tokens: Token[] = [];
  for (let at = TOKENS_HEADER; at < bytes.length; ) {
    at = addTokens(tokens, bytes, view, at, at + TOKENS_AT_ONCE);
    yield;
  }
  return { tokens, rest: view.getUint32(4, true) };
}

/** Reads the tokens that begin before `to`; returns where they end. */
function addTokens(tokens: Token[], bytes: Uint8Array, view: DataView, from: number, to: number): number {
  const count = view.getUint32(0, true);
  let at = from;
  while (at < to && tokens.length < count) {
    const length = view.getUint32(at + 16, true);
    const token: Token = {
      term: decodeUtf8(bytes, at + TOKEN_HEADER, at + TOKEN_HEADER + length),
      startOffset: view.getUint32(at, true),
      endOffset: view.getUint32(at + 4, true),
      position: view.getUint32(at + 8, true),
      type: TOKEN_TYPES[view.getUint8(at + 12)] ?? 'word',
    };
    if (view.getUint8(at + 13) !== 0) token.keyword = true;
    tokens.push(token);
    at += TOKEN_HEADER + ((length + 3) & ~3);
  }
  return at;
}

/** Tokens that are written at a time: about 0.2 ms. */
const WRITTEN_AT_ONCE = 1000;

/** The bytes that {@link decodeTokens} reads: tokens made on the host, on their way into a chain. In turns if there are many. */
export function* encodeTokens({ tokens, rest }: TokenList): Turns<Uint8Array<ArrayBuffer>> {
  const terms: Uint8Array[] = [];
  let size = TOKENS_HEADER;
  for (const { term } of tokens) {
    const bytes = encodeUtf8(term);
    size += TOKEN_HEADER + ((bytes.length + 3) & ~3);
    if (terms.push(bytes) % WRITTEN_AT_ONCE === 0) yield;
  }
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, tokens.length, true);
  view.setUint32(4, rest, true);
  let at = TOKENS_HEADER;
  for (let i = 0; i < terms.length; i++) {
    if (i > 0 && i % WRITTEN_AT_ONCE === 0) yield;
    const token = tokens[i]!;
    const term = terms[i]!;
    view.setUint32(at, token.startOffset, true);
    view.setUint32(at + 4, token.endOffset, true);
    view.setUint32(at + 8, token.position, true);
    view.setUint8(at + 12, Math.max(TOKEN_TYPES.indexOf(token.type), 0));
    view.setUint8(at + 13, token.keyword === true ? 1 : 0);
    view.setUint32(at + 16, term.length, true);
    bytes.set(term, at + TOKEN_HEADER);
    at += TOKEN_HEADER + ((term.length + 3) & ~3);
  }
  return bytes;
}
