/**
 * Reads a segment's image as assembly/segment/README.md draws it, and insists on every rule of that page. Nothing is clever.
 */

import { type DecodedColumn, readColumns } from './columnReader.js';

export const FREQS = 1;
export const POSITIONS = 2;
export const NORMS = 4;

const BLOCK = 128;
const BLOCK_TERMS = 32;

export interface DecodedPosting {
  doc: number;
  freq: number;
  positions: number[];
}

export interface DecodedTerm {
  /** One character (0 to 255) a byte. */
  term: string;
  postings: DecodedPosting[];
}

export interface DecodedField {
  field: number;
  flags: number;
  /** Documents that have a term in the field. */
  docs: number;
  norms: number[] | undefined;
  terms: DecodedTerm[];
}

export interface DecodedSegment {
  docs: number;
  keys: bigint[];
  fields: DecodedField[];
  columns: DecodedColumn[];
}

function insist(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`not a well-formed segment: ${what}`);
}

/** The decoded value of a norm byte: SmallFloat 3.15. */
export function byte315ToFloat(byte: number): number {
  if (byte === 0) return 0;
  const view = new DataView(new ArrayBuffer(4));
  view.setInt32(0, (byte << 21) + (48 << 24));
  return view.getFloat32(0);
}

/** A place in the image from which numbers are read. */
class Reader {
  at: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }

  u8(): number {
    return this.#view.getUint8(this.at++);
  }

  u16(): number {
    this.at += 2;
    return this.#view.getUint16(this.at - 2, true);
  }

  u32(): number {
    this.at += 4;
    return this.#view.getUint32(this.at - 4, true);
  }

  u64(): bigint {
    this.at += 8;
    return this.#view.getBigUint64(this.at - 8, true);
  }

  f32(): number {
    this.at += 4;
    return this.#view.getFloat32(this.at - 4, true);
  }

  vint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.u8();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  bytes(length: number): string {
    insist(this.at + length <= this.#bytes.length, 'bytes beyond the end');
    let text = '';
    for (let i = 0; i < length; i++) text += String.fromCharCode(this.u8());
    return text;
  }

  /** `count` numbers of `bits` bits, one after the other. */
  bitString(count: number, bits: number): bigint[] {
    const start = BigInt(this.at) * 8n;
    const values: bigint[] = [];
    for (let i = 0; i < count; i++) {
      let value = 0n;
      for (let b = 0; b < bits; b++) {
        const bit = start + BigInt(i) * BigInt(bits) + BigInt(b);
        const byte = this.#bytes[Number(bit >> 3n)]!;
        value |= BigInt((byte >> Number(bit & 7n)) & 1) << BigInt(b);
      }
      values.push(value);
    }
    return values;
  }

  /** 128 numbers packed with `bits` bits, as assembly/codec/bitpack128.ts draws them. */
  packed(bits: number): number[] {
    const unit = bits <= 4 ? 8 : bits <= 14 ? 16 : 32;
    const units = 32 / unit;
    const values: number[] = [];
    for (let i = 0; i < BLOCK; i++) {
      const lane = i % 4;
      const row = Math.floor(i / 4);
      let value = 0;
      for (let b = 0; b < bits; b++) {
        const bit = Math.floor(row / units) * bits + b;
        const inLane = (row % units) * unit + (bit % unit);
        const at = this.at + Math.floor(bit / unit) * 16 + lane * 4 + (inLane >> 3);
        value += ((this.#bytes[at]! >> (inLane & 7)) & 1) * 2 ** b;
      }
      values.push(value);
    }
    this.at += 16 * bits;
    return values;
  }
}

/** Reads `count` documents as vints, after the document `previous`. */
function readVintDocs(reader: Reader, count: number, previous: number, flags: number): DecodedPosting[] {
  const postings: DecodedPosting[] = [];
  let doc = previous;
  for (let i = 0; i < count; i++) {
    const value = reader.vint();
    let freq = 1;
    if (flags & FREQS) {
      doc += Math.floor(value / 2) + 1;
      if (value % 2 === 0) {
        freq = reader.vint();
        insist(freq > 1, 'a frequency of 1 written out');
      }
    } else {
      doc += value + 1;
    }
    postings.push({ doc, freq, positions: [] });
  }
  return postings;
}

/** Gives the postings their positions, from the gaps of all of them in order. */
function setPositions(postings: DecodedPosting[], nextGap: () => number): void {
  for (const posting of postings) {
    let position = 0;
    for (let i = 0; i < posting.freq; i++) {
      position += nextGap();
      posting.positions.push(position);
    }
  }
}

function impactOf(postings: DecodedPosting[], field: DecodedField): number {
  let best = 0;
  for (const { doc, freq } of postings) {
    const norm = field.norms ? byte315ToFloat(field.norms[doc]!) : 1;
    const tf = field.flags & FREQS ? Math.fround(Math.sqrt(freq)) : 1;
    best = Math.max(best, Math.fround(tf * norm));
  }
  return best;
}

/** The position blocks of a long list: gaps, and where each block begins. */
function readPositionBlocks(reader: Reader, total: number): { gaps: number[]; starts: number[] } {
  const base = reader.at;
  const gaps: number[] = [];
  const starts: number[] = [];
  while (gaps.length < total) {
    starts.push(reader.at - base);
    const bits = reader.u8();
    if (total - gaps.length >= BLOCK) {
      insist(bits <= 32, 'width of a position block');
      gaps.push(...reader.packed(bits));
    } else {
      insist(bits === 0xff, 'rest of the positions');
      while (gaps.length < total) gaps.push(reader.vint());
    }
  }
  return { gaps, starts };
}

interface Sections {
  postings: number;
  positions: number;
}

/** A term's postings, and where the bytes of the list end. */
interface List {
  postings: DecodedPosting[];
  end: number;
}

/** Reads a list of at least 128 documents. */
function readLong(bytes: Uint8Array, at: number, df: number, field: DecodedField, sections: Sections): List {
  const head = new Reader(bytes, at);
  const blocks = head.u32();
  insist(blocks === Math.ceil(df / BLOCK), 'number of blocks');
  const positionsOffset = head.u32();
  const impact = head.f32();
  const lasts = Array.from({ length: blocks }, () => head.u32());
  const metas = Array.from({ length: blocks }, () => ({
    data: head.u32(),
    impact: head.f32(),
    positionBlock: head.u32(),
    code: head.u8(),
    freqBits: head.u8(),
    positionIndex: head.u8(),
    zero: head.u8(),
  }));
  const data = head.at;
  const all: DecodedPosting[] = [];
  const firstPositions: number[] = [];
  let positions = 0;
  let best = 0;
  let end = data;
  metas.forEach((meta, b) => {
    const previous = b ? lasts[b - 1]! : -1;
    const last = lasts[b]!;
    const reader = new Reader(bytes, data + meta.data);
    let postings: DecodedPosting[] = [];
    insist(meta.zero === 0, 'zero byte of a block');
    insist(reader.at === end, 'data of a block');
    if (meta.code === 0x81) {
      insist(b === blocks - 1 && df % BLOCK !== 0, 'vints in a full block');
      postings = readVintDocs(reader, df % BLOCK, previous, field.flags);
    } else {
      insist(df - b * BLOCK >= BLOCK, 'a short block packed');
      const docs: number[] = [];
      const span = last - previous;
      if (meta.code === 0x80) {
        const from = reader.at;
        for (let i = 0; i < span; i++) {
          if ((bytes[from + (i >> 3)]! >> (i & 7)) & 1) docs.push(previous + 1 + i);
        }
        reader.at += Math.ceil(span / 8);
      } else {
        insist(meta.code < 32, 'width of a block');
        insist(Math.ceil(span / 8) > 16 * meta.code, 'a bitset would not be larger');
        let doc = previous;
        for (const gap of reader.packed(meta.code)) {
          doc += gap + 1;
          docs.push(doc);
        }
      }
      insist(docs.length === BLOCK, 'documents of a block');
      const freqs = field.flags & FREQS ? reader.packed(meta.freqBits).map((f) => f + 1) : docs.map(() => 1);
      postings = docs.map((doc, i) => ({ doc, freq: freqs[i]!, positions: [] }));
    }
    end = reader.at;
    insist(postings.at(-1)!.doc === last, 'last document of a block');
    insist(impactOf(postings, field) === meta.impact, 'impact of a block');
    best = Math.max(best, meta.impact);
    firstPositions.push(positions);
    for (const posting of postings) positions += posting.freq;
    all.push(...postings);
  });
  insist(impact === best, 'impact of a list');
  if (field.flags & POSITIONS) {
    const read = readPositionBlocks(new Reader(bytes, sections.positions + positionsOffset), positions);
    let next = 0;
    setPositions(all, () => read.gaps[next++]!);
    metas.forEach((meta, b) => {
      const first = firstPositions[b]!;
      insist(meta.positionBlock === read.starts[Math.floor(first / BLOCK)], 'position block of a block');
      insist(meta.positionIndex === first % BLOCK, 'index in the position block');
    });
  } else {
    insist(positionsOffset === 0, 'positions where the field has none');
  }
  return { postings: all, end };
}

function readPostings(
  bytes: Uint8Array,
  offset: number,
  df: number,
  field: DecodedField,
  sections: Sections,
): List {
  const at = sections.postings + offset;
  if (df >= BLOCK) return readLong(bytes, at, df, field, sections);
  const reader = new Reader(bytes, at);
  const postings = readVintDocs(reader, df, -1, field.flags);
  if (field.flags & POSITIONS) setPositions(postings, () => reader.vint());
  return { postings, end: reader.at };
}

function readField(bytes: Uint8Array, entry: number, docs: number): DecodedField {
  const head = new Reader(bytes, entry);
  const number = head.u16();
  const flags = head.u16();
  const terms = head.u32();
  const blocks = head.u32();
  const blocksBytes = head.u32();
  const index = head.u32();
  const blockCount = head.u32();
  const postings = head.u32();
  const postingsBytes = head.u32();
  const positions = head.u32();
  head.u32();
  const norms = head.u32();
  const field: DecodedField = { field: number, flags, docs: head.u32(), norms: undefined, terms: [] };
  insist((norms !== 0) === ((flags & NORMS) !== 0), 'norms');
  insist((positions !== 0) === ((flags & POSITIONS) !== 0), 'positions');
  if (norms) field.norms = [...bytes.subarray(norms, norms + docs)];
  insist(blockCount === Math.ceil(terms / BLOCK_TERMS), 'number of dictionary blocks');
  const reader = new Reader(bytes, blocks);
  const offsets = new Reader(bytes, index);
  let term = '';
  let offset = 0;
  let listEnd = postings;
  for (let i = 0; i < terms; i++) {
    const before = term;
    if (i % BLOCK_TERMS === 0) {
      insist(offsets.u32() === reader.at - blocks, 'offset of a dictionary block');
      term = reader.bytes(reader.vint());
      offset = 0;
    } else {
      const shared = reader.vint();
      const rest = reader.bytes(reader.vint());
      insist(shared <= before.length && rest[0] !== before[shared], 'bytes in common');
      term = before.slice(0, shared) + rest;
    }
    insist(i === 0 || term > before, 'order of the terms');
    const df = reader.vint();
    offset += reader.vint();
    insist(df > 0, 'a term without documents');
    insist(postings + offset === listEnd, 'a gap between lists');
    const list = readPostings(bytes, offset, df, field, { postings, positions });
    listEnd = list.end;
    field.terms.push({ term, postings: list.postings });
  }
  insist(reader.at === blocks + blocksBytes, 'bytes of the dictionary');
  insist(listEnd === postings + postingsBytes, 'bytes of the postings');
  const withTerm = new Set(field.terms.flatMap((t) => t.postings.map((p) => p.doc)));
  insist(withTerm.size === field.docs, 'documents with a term');
  return field;
}

/** Decodes an image, the checksum aside. */
export function readSegment(bytes: Uint8Array): DecodedSegment {
  const head = new Reader(bytes, 0);
  insist(head.u32() === 0x4e4c5352, 'magic number');
  const version = head.u32();
  insist(version === 1 || version === 2, 'version');
  insist(head.u64() === BigInt(bytes.length), 'size');
  head.u64();
  const docs = head.u32();
  const fieldCount = head.u32();
  const firstKey = head.u64();
  const excessAt = head.u32();
  const excessBits = head.u32();
  const table = head.u32();
  const columnTable = head.u32();
  const columnCount = head.u32();
  insist((columnTable !== 0) === columnCount > 0 && (version > 1 || columnCount === 0), 'column table');
  insist(
    bytes.subarray(60, 96).every((byte) => byte === 0),
    'end of the header',
  );
  const excess = new Reader(bytes, excessAt).bitString(docs, excessBits);
  const keys = excess.map((e, doc) => firstKey + BigInt(doc) + e);
  for (const [doc, e] of excess.entries())
    insist(doc === 0 ? e === 0n : e >= excess[doc - 1]!, 'order of the keys');
  insist(table + 48 * fieldCount === bytes.length, 'the field table is last');
  const fields: DecodedField[] = [];
  for (let i = 0; i < fieldCount; i++) fields.push(readField(bytes, table + 48 * i, docs));
  for (const [i, field] of fields.entries())
    insist(i === 0 || field.field > fields[i - 1]!.field, 'order of the fields');
  return { docs, keys, fields, columns: readColumns(bytes, columnTable, columnCount, docs, fields) };
}
