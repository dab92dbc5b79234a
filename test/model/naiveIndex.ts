/**
 * The data of the naive engine: documents as lists of tokens, and the statistics and norms that Lucene 4.10 derives
 * from them. Nothing is compressed, nothing is clever.
 */

/** Flags of a field, as in assembly/README.md. */
export const FREQS = 1;
export const POSITIONS = 2;
export const NORMS = 4;

/** One token of a field: the term's bytes as a string of characters 0 to 255, and its position from 0. */
export interface NaiveToken {
  term: string;
  position: number;
}

/** What a document has in one field. */
export interface NaiveValue {
  tokens: NaiveToken[];
  /** The product of the field's boost over its values. */
  boost: number;
}

export interface NaiveDocument {
  key: number;
  fields: Map<number, NaiveValue>;
  deleted: boolean;
}

const utf8 = new TextEncoder();

/** The key of a term: its bytes as a string whose order is that of the bytes. */
export function termKey(term: Uint8Array | string): string {
  const bytes = typeof term === 'string' ? utf8.encode(term) : term;
  let key = '';
  for (const byte of bytes) key += String.fromCharCode(byte);
  return key;
}

/** A field's value from its texts, each already split into words. */
export function naiveValue(texts: readonly (readonly string[])[], gap = 0, boost = 1): NaiveValue {
  const tokens: NaiveToken[] = [];
  let position = 0;
  let product = 1;
  texts.forEach((words, i) => {
    if (i > 0) position += gap;
    for (const word of words) tokens.push({ term: termKey(word), position: position++ });
    product = Math.fround(product * boost);
  });
  return { tokens, boost: product };
}

/** A document of simple texts: field → words. */
export function documentOf(
  key: number,
  fields: Record<number, readonly string[]>,
  deleted = false,
): NaiveDocument {
  const values = Object.entries(fields).map(
    ([field, words]) => [Number(field), naiveValue([words])] as const,
  );
  return { key, fields: new Map(values), deleted };
}

/** Where a term occurs. */
export interface NaivePosting {
  doc: number;
  positions: number[];
}

/** One shard, one segment. Documents are numbered in the order given. */
export class NaiveIndex {
  readonly documents: readonly NaiveDocument[];
  readonly #flags: ReadonlyMap<number, number>;
  /** field → term → postings, deleted documents included. */
  readonly #postings = new Map<number, Map<string, NaivePosting[]>>();
  /** field → document → decoded norm. */
  readonly #norms = new Map<number, number[]>();

  /** `flags` by field number; unknown fields have freqs, positions and norms. */
  constructor(documents: readonly NaiveDocument[], flags: ReadonlyMap<number, number> = new Map()) {
    this.documents = documents;
    this.#flags = flags;
    documents.forEach((document, doc) => {
      for (const [field, value] of document.fields) this.#add(doc, field, value);
    });
  }

  get maxDoc(): number {
    return this.documents.length;
  }

  #add(doc: number, field: number, value: NaiveValue): void {
    if (value.tokens.length === 0) return;
    const terms = getOrMake(this.#postings, field, () => new Map<string, NaivePosting[]>());
    for (const { term, position } of value.tokens) {
      const list = getOrMake(terms, term, () => []);
      const last = list.at(-1);
      if (last?.doc === doc) last.positions.push(position);
      else list.push({ doc, positions: [position] });
    }
    if ((this.flags(field) & NORMS) === 0) return;
    const length = Math.fround(1 / Math.sqrt(value.tokens.length));
    const norms = getOrMake(this.#norms, field, () => []);
    norms[doc] = decodeNorm(encodeNorm(Math.fround(value.boost * length)));
  }

  flags(field: number): number {
    return this.#flags.get(field) ?? FREQS | POSITIONS | NORMS;
  }

  /** All postings of a term, deleted documents included; none if it is nowhere. */
  postings(field: number, term: string): readonly NaivePosting[] {
    return this.#postings.get(field)?.get(term) ?? [];
  }

  /** The terms of a field in the order of their bytes. */
  terms(field: number): string[] {
    return [...(this.#postings.get(field)?.keys() ?? [])].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }

  docFreq(field: number, term: string): number {
    return this.postings(field, term).length;
  }

  /** `(float) (ln(maxDoc / (double) (docFreq + 1)) + 1)`. */
  idf(field: number, term: string): number {
    return Math.fround(Math.log(this.maxDoc / (this.docFreq(field, term) + 1)) + 1);
  }

  /** The decoded norm, undefined where the field has none. */
  norm(field: number, doc: number): number | undefined {
    if ((this.flags(field) & NORMS) === 0) return undefined;
    return this.#norms.get(field)?.[doc];
  }

  isLive(doc: number): boolean {
    return this.documents[doc]?.deleted === false;
  }
}

const scratch = new DataView(new ArrayBuffer(4));

/** SmallFloat.floatToByte315. */
export function encodeNorm(value: number): number {
  scratch.setFloat32(0, value);
  const bits = scratch.getInt32(0);
  const small = bits >> (24 - 3);
  if (small <= (63 - 15) << 3) return bits <= 0 ? 0 : 1;
  if (small >= ((63 - 15) << 3) + 0x100) return 255;
  return (small - ((63 - 15) << 3)) & 0xff;
}

/** SmallFloat.byte315ToFloat. */
export function decodeNorm(byte: number): number {
  if (byte === 0) return 0;
  scratch.setInt32(0, (byte << (24 - 3)) + ((63 - 15) << 24));
  return scratch.getFloat32(0);
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
