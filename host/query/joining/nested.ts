/** `nested`: documents of which an object of a nested field matches, itself or as the part of another object. */

import { JoinMode } from '../../core/abi/plan.js';
import { queryParsing } from '../../errors.js';
import { booleanOf, isObject, type JsonObject, strictFloatOf, textOf } from '../../json/values.js';
import { TYPE } from '../../mapping/field.js';
import { nestedType, type ObjectField } from '../../mapping/objects.js';
import type { NestedNode } from '../../plan/nodes/nested.js';
import type { PlanNode } from '../../plan/nodes.js';
import {
  asFilter,
  cached,
  constant,
  type Dsl,
  type FilterKind,
  type QueryKind,
  show,
  unsupported,
} from '../context.js';
import { type QueryInnerHits, queryInnerHits } from './innerHits.js';

const utf8 = new TextEncoder();

/** The nested documents of a nested field. */
export function nestedDocumentsNode(path: string): PlanNode {
  return cached({ kind: 'terms', field: TYPE, terms: [utf8.encode(nestedType(path))] });
}

/** The nested object of a path; an error of 1.7 where there is none. */
export function nestedObject(path: string, dsl: Dsl): ObjectField {
  const fail = (detail: string) => queryParsing(dsl.index, `[nested] ${detail}`);
  const object = dsl.model.objectAt(path, dsl.searchedTypes);
  if (object === undefined) throw fail(`failed to find nested object under path [${path}]`);
  if (object.nested === undefined) throw fail(`nested object under path [${path}] is not of nested type`);
  return object;
}

/** Compiles what stands below a nested field's name, for its objects. */
export function compileInside(kind: 'query' | 'filter', json: unknown, path: string, dsl: Dsl) {
  return dsl.inside(path, () => (kind === 'query' ? dsl.optionalQuery(json) : dsl.filter(json)));
}

const MODES: Record<string, JoinMode | undefined> = {
  avg: JoinMode.avg,
  max: JoinMode.max,
  total: JoinMode.total,
  sum: JoinMode.total,
  none: JoinMode.none,
};

/** The parts of a nested query or filter, each read where it stands. */
class Reader {
  readonly #dsl: Dsl;
  readonly #kind: 'query' | 'filter';
  boost = 1;
  mode: JoinMode = JoinMode.avg;
  /** Of a filter: whether the documents around the objects are meant, or the objects themselves. */
  joins = true;
  /** What is shown of the objects. */
  innerHits: QueryInnerHits | undefined;
  #path: string | undefined;
  /** What is inside, and whether it was there when the path was not known yet. */
  #inner: { kind: 'query' | 'filter'; json: unknown; node: PlanNode | undefined; read: boolean } | undefined;

  constructor(dsl: Dsl, kind: 'query' | 'filter') {
    this.#dsl = dsl;
    this.#kind = kind;
  }

  object(name: string, json: JsonObject): void {
    if (name === 'inner_hits') {
      this.innerHits = queryInnerHits(json, this.#dsl);
      return;
    }
    if (name !== 'query' && name !== 'filter') throw unsupported(this.#dsl, 'nested', name, this.#kind);
    // A query goes before a filter.
    if (name === 'filter' && this.#inner?.kind === 'query') return;
    const path = this.#path;
    const node = path === undefined ? undefined : compileInside(name, json, path, this.#dsl);
    this.#inner = { kind: name, json, node, read: path !== undefined };
  }

  scalar(name: string, value: unknown): void {
    const text = textOf(value) ?? '';
    if (name === 'path') {
      nestedObject(text, this.#dsl);
      this.#path = text;
    } else if (name === 'boost') {
      this.boost = strictFloatOf(value);
    } else if (this.#kind === 'query' && (name === 'score_mode' || name === 'scoreMode')) {
      const mode = Object.hasOwn(MODES, text) ? MODES[text] : undefined;
      if (mode === undefined)
        throw queryParsing(this.#dsl.index, `illegal score_mode for nested query [${text}]`);
      this.mode = mode;
    } else if (this.#kind === 'filter' && name === 'join') {
      this.joins = booleanOf(value);
    } else if (name !== '_name' && !(this.#kind === 'filter' && FILTER_OPTIONS.has(name))) {
      throw unsupported(this.#dsl, 'nested', name, this.#kind);
    }
  }

  /** What is inside, and the path; undefined if that comes to nothing. */
  end(): { node: PlanNode; path: string } | undefined {
    const fail = (detail: string) => queryParsing(this.#dsl.index, `[nested] ${detail}`);
    const inner = this.#inner;
    if (inner === undefined) throw fail("requires either 'query' or 'filter' field");
    const path = this.#path;
    if (path === undefined) throw fail("requires 'path' field");
    const node = inner.read ? inner.node : compileInside(inner.kind, inner.json, path, this.#dsl);
    if (node === undefined) return undefined;
    return { node: inner.kind === 'filter' ? constant(node, 1) : node, path };
  }
}

const FILTER_OPTIONS = new Set(['_cache', '_cache_key', '_cacheKey']);

function compile(body: unknown, dsl: Dsl, kind: 'query' | 'filter'): PlanNode | undefined {
  const reader = new Reader(dsl, kind);
  for (const [name, value] of Object.entries(isObject(body) ? body : {})) {
    if (isObject(value)) reader.object(name, value);
    else if (value !== null && !Array.isArray(value)) reader.scalar(name, value);
  }
  const inside = reader.end();
  if (inside === undefined) return undefined;
  const { node: query, path } = inside;
  if (reader.innerHits !== undefined) {
    const { name = path, options } = reader.innerHits;
    const scope = { kind: 'parts' as const, path, around: dsl.nestedPath };
    dsl.showInner({ name, scope, options, query, inner: [] });
  }
  const parts: PlanNode = { kind: 'filtered', boost: 1, query, filter: nestedDocumentsNode(path) };
  if (!reader.joins) return parts;
  const node: NestedNode = {
    kind: 'nested',
    boost: kind === 'query' ? reader.boost : 1,
    mode: kind === 'query' ? reader.mode : JoinMode.none,
    node: parts,
    parents: dsl.nestedPath === undefined ? undefined : nestedDocumentsNode(dsl.nestedPath),
  };
  return node;
}

function nested(body: JsonObject, dsl: Dsl): PlanNode | undefined {
  return compile(body, dsl, 'query');
}

export const nestedQuery: QueryKind = { names: ['nested'], read: nested, reach: 'found' };

function readNestedFilter(body: unknown, dsl: Dsl): PlanNode | undefined {
  const node = compile(body, dsl, 'filter');
  return node && asFilter(node, () => `QueryWrapperFilter(${show(dsl, node)})`);
}

export const nestedFilter: FilterKind = { names: ['nested'], read: readNestedFilter, reach: 'found' };
