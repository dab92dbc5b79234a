/**
 * Plans: the queries that the core runs, as a tree and as bytes (assembly/search/README.md draws them). Nodes are the
 * queries of Lucene after rewriting; their boosts are 32-bit floats.
 */

import { ElasticsearchError, illegalArgument } from '../errors.js';

/** How a clause of a boolean query occurs. */
export const Occur = { Must: 0, Should: 1, MustNot: 2 } as const;
export type Occur = (typeof Occur)[keyof typeof Occur];

export interface NoneNode {
  kind: 'none';
}
export interface AllNode {
  kind: 'all';
  boost: number;
}
export interface TermNode {
  kind: 'term';
  field: number;
  boost: number;
  term: Uint8Array;
}
export interface Clause {
  occur: Occur;
  node: PlanNode;
}
export interface BooleanNode {
  kind: 'boolean';
  noCoord: boolean;
  boost: number;
  /** 0: none set. */
  minimum: number;
  clauses: Clause[];
}
export interface ConstantNode {
  kind: 'constant';
  boost: number;
  node: PlanNode;
}
export interface FilteredNode {
  kind: 'filtered';
  boost: number;
  query: PlanNode;
  filter: PlanNode;
}
export interface PhraseNode {
  kind: 'phrase';
  field: number;
  boost: number;
  slop: number;
  positions: { position: number; terms: Uint8Array[] }[];
}
export interface TermsNode {
  kind: 'terms';
  field: number;
  terms: Uint8Array[];
}
export interface PrefixNode {
  kind: 'prefix';
  field: number;
  prefix: Uint8Array;
}
export interface RangeNode {
  kind: 'range';
  field: number;
  lower?: Uint8Array | undefined;
  upper?: Uint8Array | undefined;
  includeLower: boolean;
  includeUpper: boolean;
}
export interface DisMaxNode {
  kind: 'disMax';
  boost: number;
  tieBreaker: number;
  nodes: PlanNode[];
}
/** Documents by `type#id`; each shard has its own keys for them. */
export interface UidsNode {
  kind: 'uids';
  uids: string[];
}
/** Documents by key. */
export interface KeysNode {
  kind: 'keys';
  keys: number[];
}
export interface ExistsNode {
  kind: 'exists';
  field: number;
}

export type PlanNode =
  | NoneNode
  | AllNode
  | TermNode
  | BooleanNode
  | ConstantNode
  | FilteredNode
  | PhraseNode
  | TermsNode
  | PrefixNode
  | RangeNode
  | DisMaxNode
  | UidsNode
  | KeysNode
  | ExistsNode;

/** A whole plan. */
export interface Plan {
  /** How many hits are wanted; 0 for the total alone. */
  k: number;
  /** Score document by document, never in bulk. */
  inOrder: boolean;
  root: PlanNode;
  postFilter?: PlanNode | undefined;
}

/** The key of a document of the shard that the plan is for, by `type#id`. */
export type KeyLookup = (uid: string) => number | undefined;

/** Limits of the core. */
export const MAX_DEPTH = 64;
export const MAX_NODES = 16_384;
/** The most clauses of one boolean query, as in 1.7. */
export const MAX_CLAUSES = 1024;

const MAGIC = 0x4e4c5052;
const VERSION = 1;

/** Whether the plan differs from shard to shard. */
export function dependsOnShard(node: PlanNode): boolean {
  switch (node.kind) {
    case 'uids':
      return true;
    case 'boolean':
      return node.clauses.some((clause) => dependsOnShard(clause.node));
    case 'constant':
      return dependsOnShard(node.node);
    case 'filtered':
      return dependsOnShard(node.query) || dependsOnShard(node.filter);
    case 'disMax':
      return node.nodes.some(dependsOnShard);
    default:
      return false;
  }
}

/** The bytes of a plan. `keyOf` is asked for the documents that are searched by id. */
export function encodePlan(plan: Plan, keyOf?: KeyLookup): Uint8Array {
  const writer = new PlanWriter(keyOf);
  writer.u32(MAGIC);
  writer.u8(VERSION);
  writer.u8((plan.postFilter === undefined ? 0 : 1) | (plan.inOrder ? 2 : 0));
  writer.u16(0);
  writer.u32(plan.k);
  writer.node(plan.root, 1);
  if (plan.postFilter !== undefined) writer.node(plan.postFilter, 1);
  return writer.bytes();
}

class PlanWriter {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;
  #nodes = 0;
  readonly #keyOf: KeyLookup | undefined;

  constructor(keyOf: KeyLookup | undefined) {
    this.#keyOf = keyOf;
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  node(node: PlanNode, depth: number): void {
    if (depth > MAX_DEPTH) throw tooComplex(`more than ${MAX_DEPTH} levels deep`);
    if (++this.#nodes > MAX_NODES) throw tooComplex(`more than ${MAX_NODES} parts`);
    switch (node.kind) {
      case 'none':
        this.u8(0);
        break;
      case 'all':
        this.u8(1);
        this.f32(node.boost);
        break;
      case 'term':
        this.u8(2);
        this.u16(node.field);
        this.f32(node.boost);
        this.#term(node.term);
        break;
      case 'boolean':
        this.u8(3);
        this.u8(node.noCoord ? 1 : 0);
        this.f32(node.boost);
        this.u16(Math.min(node.minimum, 0xffff));
        this.u16(count(node.clauses));
        for (const clause of node.clauses) {
          this.u8(clause.occur);
          this.node(clause.node, depth + 1);
        }
        break;
      case 'constant':
        this.u8(4);
        this.f32(node.boost);
        this.node(node.node, depth + 1);
        break;
      case 'filtered':
        this.u8(5);
        this.f32(node.boost);
        this.node(node.query, depth + 1);
        this.node(node.filter, depth + 1);
        break;
      case 'phrase':
        this.u8(6);
        this.u16(node.field);
        this.f32(node.boost);
        this.u32(node.slop);
        this.u16(count(node.positions));
        for (const { position, terms } of node.positions) {
          this.u32(position);
          this.u16(count(terms));
          for (const term of terms) this.#term(term);
        }
        break;
      case 'terms':
        this.u8(7);
        this.u16(node.field);
        this.u32(node.terms.length);
        for (const term of node.terms) this.#term(term);
        break;
      case 'prefix':
        this.u8(8);
        this.u16(node.field);
        this.#term(node.prefix);
        break;
      case 'range':
        this.u8(9);
        this.u16(node.field);
        this.u8(
          (node.lower === undefined ? 0 : 1) |
            (node.includeLower ? 2 : 0) |
            (node.upper === undefined ? 0 : 4) |
            (node.includeUpper ? 8 : 0),
        );
        this.#term(node.lower ?? EMPTY);
        this.#term(node.upper ?? EMPTY);
        break;
      case 'disMax':
        this.u8(10);
        this.f32(node.boost);
        this.f32(node.tieBreaker);
        this.u16(count(node.nodes));
        for (const each of node.nodes) this.node(each, depth + 1);
        break;
      case 'uids':
        this.#keys(this.#lookUp(node.uids));
        break;
      case 'keys':
        this.#keys(node.keys);
        break;
      case 'exists':
        this.u8(12);
        this.u16(node.field);
        break;
    }
  }

  #lookUp(uids: readonly string[]): number[] {
    if (this.#keyOf === undefined) throw new Error('a plan with document ids needs the keys of a shard');
    const keys: number[] = [];
    for (const uid of uids) {
      const key = this.#keyOf(uid);
      if (key !== undefined) keys.push(key);
    }
    return keys;
  }

  #keys(keys: readonly number[]): void {
    const ascending = [...new Set(keys)].sort((a, b) => a - b);
    this.u8(11);
    this.u32(ascending.length);
    for (const key of ascending) {
      this.u32(key >>> 0);
      this.u32(Math.floor(key / 0x1_0000_0000));
    }
  }

  #term(term: Uint8Array): void {
    if (term.length > 0xffff) throw tooComplex('a term of more than 65535 bytes');
    this.u16(term.length);
    this.#reserve(term.length);
    this.#bytes.set(term, this.#length);
    this.#length += term.length;
  }

  u8(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  u16(value: number): void {
    this.#reserve(2);
    this.#view.setUint16(this.#length, value, true);
    this.#length += 2;
  }

  u32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  f32(value: number): void {
    if (!Number.isFinite(Math.fround(value))) throw illegalArgument(`a boost of [${value}] is too large`);
    this.#reserve(4);
    this.#view.setFloat32(this.#length, value, true);
    this.#length += 4;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const bytes = new Uint8Array(2 * this.#bytes.length + more);
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

const EMPTY = new Uint8Array(0);

function count(list: readonly unknown[]): number {
  if (list.length > 0xffff) throw tooComplex('more than 65535 parts in one place');
  return list.length;
}

function tooComplex(why: string): ElasticsearchError {
  return new ElasticsearchError('QueryParsingException', `[_na] query is too complex: ${why}`);
}
