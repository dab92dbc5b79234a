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
}

/** Reads the bytes that the core's `search` left behind (`assembly/search/README.md`, *Result*). */
export function decodeResult(bytes: Uint8Array): SearchResult {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const n = view.getUint32(12, true);
  const keys = new Float64Array(n);
  const scores = new Float32Array(n);
  for (let i = 0, at = 16; i < n; i++, at += 16) {
    keys[i] = view.getUint32(at, true) + view.getUint32(at + 4, true) * 0x1_0000_0000;
    scores[i] = view.getFloat32(at + 8, true);
  }
  return { total: view.getFloat64(0, true), maxScore: view.getFloat32(8, true), keys, scores };
}

/** The bytes of a result, for transports and tests. */
export function encodeResult(result: SearchResult): Uint8Array {
  const n = result.keys.length;
  const bytes = new Uint8Array(16 + n * 16);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, result.total, true);
  view.setFloat32(8, result.maxScore, true);
  view.setUint32(12, n, true);
  for (let i = 0, at = 16; i < n; i++, at += 16) {
    const key = result.keys[i]!;
    view.setUint32(at, key >>> 0, true);
    view.setUint32(at + 4, Math.floor(key / 0x1_0000_0000), true);
    view.setFloat32(at + 8, result.scores[i]!, true);
  }
  return bytes;
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

/** A token as the core's analyzers make them; offsets count UTF-16 units, positions start at 1. */
export interface Token {
  term: string;
  startOffset: number;
  endOffset: number;
  position: number;
  type: string;
}

const TOKEN_TYPES = [
  '<ALPHANUM>',
  '<NUM>',
  '<SOUTHEAST_ASIAN>',
  '<IDEOGRAPHIC>',
  '<HIRAGANA>',
  '<KATAKANA>',
  '<HANGUL>',
  'word',
];

/** Reads the bytes of `analyze` (`assembly/README.md`, *Tokens*). */
export function decodeTokens(bytes: Uint8Array): Token[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const utf8 = new TextDecoder();
  const tokens: Token[] = [];
  const count = view.getUint32(0, true);
  for (let i = 0, at = 4; i < count; i++) {
    const length = view.getUint16(at + 14, true);
    tokens.push({
      term: utf8.decode(bytes.subarray(at + 16, at + 16 + length)),
      startOffset: view.getUint32(at, true),
      endOffset: view.getUint32(at + 4, true),
      position: view.getUint32(at + 8, true),
      type: TOKEN_TYPES[view.getUint8(at + 12)] ?? 'word',
    });
    at += 16 + ((length + 3) & ~3);
  }
  return tokens;
}
