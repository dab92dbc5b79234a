/** What the core tells of a document that is explained: the rewritten query with its numbers (assembly/search/README.md). */

import type { Occur } from '../core/abi/plan.js';
import type { PlanNode } from '../plan/nodes.js';

/** A term, phrase or span of a similarity. */
export interface Leaf {
  field: number;
  idf: number;
  /** The norm of the whole query times the boosts around this node. */
  norm: number;
  freq: number;
  /** The document's, NaN in fields without. */
  fieldNorm: number;
  /** BM25; k1 is NaN for the others. */
  k1: number;
  b: number;
  averageLength: number;
  /** One a term, where a probabilistic model scores. */
  models: ModelExplanation[];
}

/** A term as a probabilistic model scores it; `parts` are the three numbers that kind has (assembly/search/README.md). */
export interface ModelExplanation {
  kind: number;
  basic: number;
  effect: number;
  normalization: number;
  parameter: number;
  boost: number;
  docs: number;
  df: number;
  ttf: number;
  averageLength: number;
  length: number;
  score: number;
  parts: readonly [number, number, number];
}

/** A node of the rewritten query. */
export interface ExplanationNode {
  /** The node that it was in the plan, if it was in there. */
  origin: PlanNode | undefined;
  occur: Occur;
  matched: boolean;
  /** The segment has no document that could match. */
  nowhere: boolean;
  /** No segment of the shard has a term of a multi-term query. */
  termless: boolean;
  boost: number;
  /** The document's score. */
  value: number;
  is:
    | {
        kind: 'leaf';
        leaf: Leaf;
        isPhrase: boolean;
        span: SpanExplanation | undefined;
        slop: number;
        terms: TermExplanation[];
      }
    | {
        kind: 'boolean';
        noCoord: boolean;
        boosting: boolean;
        minimum: number;
        factor: number;
        parts: ExplanationNode[];
      }
    | { kind: 'disMax'; tieBreaker: number; parts: ExplanationNode[] }
    | { kind: 'filtered'; query: ExplanationNode; filter: ExplanationNode }
    | { kind: 'nested'; from: number; to: number }
    | { kind: 'function'; query: ExplanationNode; values: number[] }
    | { kind: 'join' }
    | { kind: 'constant'; all: boolean; norm: number };
}

export interface TermExplanation {
  term: string;
  position: number;
  df: number;
}

/** A span query as it has been rewritten. */
export interface SpanExplanation {
  kind: number;
  field: number;
  term: string;
  df: number;
  /** The slop of near, the margin before of not. */
  first: number;
  /** In order, for near; the margin behind of not; the end of first. */
  second: number;
  parts: SpanExplanation[];
}

/** One document. */
export interface Explained {
  /** Its number in its segment. */
  document: number;
  maxDoc: number;
  root: ExplanationNode;
}

const TERM = 2;
const BOOLEAN = 3;
const FILTERED = 5;
const PHRASE = 6;
const DIS_MAX = 10;
const FUNCTION = 16;
const NESTED = 32;
const JOIN = 33;
export const SpanKind = { term: 19, near: 20, or: 21, not: 22, first: 23, mask: 25 } as const;

const utf8 = new TextDecoder();

/** Reads the facts of the documents that a plan explains; undefined for those that are not there. */
export function readExplanationNodes(
  bytes: Uint8Array,
  places: ReadonlyMap<number, PlanNode>,
): (Explained | undefined)[] {
  const reader = new Reader(bytes, places);
  const maxDoc = reader.u32();
  const found: (Explained | undefined)[] = [];
  while (!reader.atEnd)
    found.push(reader.u8() === 0 ? undefined : { document: reader.u32(), maxDoc, root: reader.fact() });
  return found;
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #places: ReadonlyMap<number, PlanNode>;
  #at = 0;

  constructor(bytes: Uint8Array, places: ReadonlyMap<number, PlanNode>) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#places = places;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }
  u8(): number {
    return this.#view.getUint8(this.#move(1));
  }
  u16(): number {
    return this.#view.getUint16(this.#move(2), true);
  }
  u32(): number {
    return this.#view.getUint32(this.#move(4), true);
  }
  f32(): number {
    return this.#view.getFloat32(this.#move(4), true);
  }
  f64(): number {
    return this.#view.getFloat64(this.#move(8), true);
  }
  #term(): string {
    const length = this.u16();
    const at = this.#move(length);
    return utf8.decode(this.#bytes.subarray(at, at + length));
  }
  #list<T>(count: number, read: () => T): T[] {
    return Array.from({ length: count }, read);
  }
  #move(count: number): number {
    this.#at += count;
    return this.#at - count;
  }

  fact(): ExplanationNode {
    const [kind, occur, flags, state] = [this.u8(), this.u8() as Occur, this.u8(), this.u8()];
    const origin = this.#places.get(this.u32());
    const [boost, value] = [this.f32(), this.f32()];
    const is = this.#is(kind, flags);
    const [matched, nowhere, termless] = [1, 2, 4].map((bit) => (state & bit) !== 0) as [
      boolean,
      boolean,
      boolean,
    ];
    return { origin, occur, matched, nowhere, termless, boost, value, is };
  }

  #is(kind: number, flags: number): ExplanationNode['is'] {
    if (kind === TERM || kind === PHRASE) {
      const [leaf, slop] = [this.#leaf(), this.u32()];
      const terms = this.#list(this.u16(), () => ({
        position: this.u32(),
        df: this.u32(),
        term: this.#term(),
      }));
      return { kind: 'leaf', leaf, isPhrase: kind === PHRASE, span: undefined, slop, terms };
    }
    if (kind >= SpanKind.term && kind <= SpanKind.mask) {
      const leaf = this.#leaf();
      return { kind: 'leaf', leaf, isPhrase: false, span: this.#span(), slop: 0, terms: [] };
    }
    if (kind === BOOLEAN || kind === DIS_MAX) {
      const [minimum, factor] = [this.u16(), this.f32()];
      const parts = this.#list(this.u16(), () => this.fact());
      if (kind === DIS_MAX) return { kind: 'disMax', tieBreaker: factor, parts };
      return {
        kind: 'boolean',
        noCoord: (flags & 1) !== 0,
        boosting: (flags & 2) !== 0,
        minimum,
        factor,
        parts,
      };
    }
    if (kind === NESTED) return { kind: 'nested', from: this.u32(), to: this.u32() - 1 };
    if (kind === JOIN) {
      this.f32();
      return { kind: 'join' };
    }
    if (kind === FILTERED) return { kind: 'filtered', query: this.fact(), filter: this.fact() };
    if (kind === FUNCTION)
      return { kind: 'function', query: this.fact(), values: this.#list(this.u16(), () => this.f64()) };
    return { kind: 'constant', all: kind === 1, norm: this.f32() };
  }

  #leaf(): Leaf {
    return {
      field: this.u16(),
      idf: this.f32(),
      norm: this.f32(),
      freq: this.f32(),
      fieldNorm: this.f32(),
      k1: this.f32(),
      b: this.f32(),
      averageLength: this.f32(),
      models: this.#list(this.u16(), () => this.#model()),
    };
  }

  #model(): ModelExplanation {
    return {
      kind: this.u8(),
      basic: this.u8(),
      effect: this.u8(),
      normalization: this.u8(),
      parameter: this.f32(),
      boost: this.f32(),
      docs: this.f32(),
      df: this.f32(),
      ttf: this.f32(),
      averageLength: this.f32(),
      length: this.f32(),
      score: this.f32(),
      parts: [this.f32(), this.f32(), this.f32()],
    };
  }

  #span(): SpanExplanation {
    const kind = this.u8();
    if (kind === SpanKind.term) {
      const field = this.u16();
      this.f32();
      return { kind, field, df: this.u32(), term: this.#term(), first: 0, second: 0, parts: [] };
    }
    const [first, second, field] = [this.u32(), this.u32(), this.u16()];
    return { kind, field, term: '', df: 0, first, second, parts: this.#list(this.u16(), () => this.#span()) };
  }
}
