/** Filters: sets of documents that never score. */

import { notOffered, queryParsing } from '../errors.js';
import { NO_ANALYZER } from '../analysis/registry.js';
import { FIELD_NAMES } from '../mapping/field.js';
import { textTerm } from '../mapping/terms.js';
import { isObject, textOf } from '../mapping/values.js';
import { OCCURRENCES } from './compound.js';
import {
  type Dsl,
  type FilterCompiler,
  IGNORED,
  matchAll,
  NONE,
  ofType,
  Options,
  resolve,
  typeNode,
} from './context.js';
import { metaSet } from './meta.js';
import { Occur, type PlanNode } from './plan.js';
import { idSet, prefixSet, rangeSet } from './terms.js';

/** Those in all of `must`, in none of `mustNot` and, if there is a `should`, in at least one of them. */
function combine(
  must: readonly PlanNode[],
  should: readonly PlanNode[],
  mustNot: readonly PlanNode[],
): PlanNode | undefined {
  if (must.length + should.length + mustNot.length === 0) return undefined;
  const [first] = [...must, ...should];
  if (first !== undefined && mustNot.length === 0 && must.length + should.length === 1) return first;
  const required = must.length + should.length === 0 ? [matchAll()] : must;
  return {
    kind: 'boolean',
    noCoord: true,
    boost: 1,
    minimum: should.length > 0 && required.length > 0 ? 1 : 0,
    clauses: [
      ...required.map((node) => ({ occur: Occur.Must, node })),
      ...should.map((node) => ({ occur: Occur.Should, node })),
      ...mustNot.map((node) => ({ occur: Occur.MustNot, node })),
    ],
  };
}

/** The options of a filter whose body is an object; an empty array stands for an empty object, as in 1.7. */
function optionsOf(body: unknown, dsl: Dsl, name: string): Options {
  if (Array.isArray(body) && body.length === 0) return new Options(dsl, name, {}, 'filter');
  if (!isObject(body)) throw malformed(dsl);
  return new Options(dsl, name, body, 'filter');
}

function malformed(dsl: Dsl) {
  return queryParsing(dsl.index, '[_na] filter malformed, no field after start_object');
}

const all: FilterCompiler = (body, dsl, name) => {
  optionsOf(body, dsl, name);
  return matchAll();
};

/** `and` and `or`, also without their names: a list of filters is a conjunction. */
export const allOf: FilterCompiler = (body, dsl, name) => {
  let list: unknown = body;
  if (!Array.isArray(body)) {
    if (!isObject(body)) throw malformed(dsl);
    const rest = Object.entries(body).filter(([option]) => !IGNORED.has(option));
    list = body.filters ?? rest.find(([, value]) => Array.isArray(value))?.[1];
  }
  if (!Array.isArray(list) || list.length === 0) {
    throw queryParsing(dsl.index, `[${name}] filter requires 'filters' to be set on it'`);
  }
  const filters = list.flatMap((each) => dsl.filter(each) ?? []);
  return name === 'and' ? combine(filters, [], []) : combine([], filters, []);
};

const not: FilterCompiler = (body, dsl) => {
  if (Array.isArray(body)) {
    const filters = body.flatMap((each) => dsl.filter(each) ?? []);
    if (body.length === 0) throw queryParsing(dsl.index, 'filter is required when using `not` filter');
    return combine([], [], filters);
  }
  if (!isObject(body)) throw malformed(dsl);
  const rest = Object.fromEntries(Object.entries(body).filter(([option]) => !IGNORED.has(option)));
  if (Object.keys(rest).length === 0) {
    throw queryParsing(dsl.index, 'filter is required when using `not` filter');
  }
  const inner = dsl.filter(rest.filter === undefined ? rest : rest.filter);
  return inner === undefined ? undefined : combine([], [], [inner]);
};

const bool: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name);
  const groups = options.rest();
  if (groups.every(([, filters]) => filters === null)) {
    throw queryParsing(dsl.index, '[bool] filter has no inner should/must/must_not elements');
  }
  const clauses: [PlanNode[], PlanNode[], PlanNode[]] = [[], [], []];
  for (const [group, filters] of groups) {
    const occur = OCCURRENCES.get(group);
    if (filters === null && occur !== undefined) continue;
    if (occur === undefined || typeof filters !== 'object' || filters === null)
      throw options.unsupported(group);
    for (const each of Array.isArray(filters) ? filters : [filters]) {
      const filter = dsl.filter(each);
      if (filter !== undefined) clauses[occur].push(filter);
    }
  }
  return combine(clauses[Occur.Must], clauses[Occur.Should], clauses[Occur.MustNot]);
};

/** The documents that have any of these values. */
function termSet(name: string, values: readonly unknown[], dsl: Dsl): PlanNode {
  const meta = metaSet(
    name,
    values.map((value) => textOf(value) ?? ''),
    dsl,
  );
  if (meta !== undefined) return meta;
  const resolved = resolve(dsl, name);
  const { field, number } = resolved;
  const terms = values.map((value) =>
    field === undefined ? textTerm(textOf(value) ?? '') : field.term(value),
  );
  const node: PlanNode = { kind: 'terms', field: number, terms };
  return ofType(resolved, node);
}

const term: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name);
  let field: string | undefined;
  let value: unknown;
  for (const [given, inner] of options.rest()) {
    field = given;
    value = inner;
    if (isObject(inner)) {
      const parts = new Options(dsl, name, inner, 'filter');
      value = parts.scalar('term', 'value');
      parts.end();
    } else if (Array.isArray(inner)) value = inner.at(-1);
    else if (inner === null) field = undefined;
  }
  if (field === undefined) throw queryParsing(dsl.index, 'No field specified for term filter');
  if (textOf(value) === undefined) throw queryParsing(dsl.index, 'No value specified for term filter');
  return termSet(field, [value], dsl);
};

const terms: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name);
  const execution = options.text('execution');
  let field: string | undefined;
  let values: unknown[] = [];
  for (const [given, list] of options.rest()) {
    if (isObject(list)) throw notOffered('terms lookup in a terms filter');
    if (!Array.isArray(list)) throw options.unsupported(given);
    field = given;
    values = list;
  }
  if (field === undefined) {
    throw queryParsing(dsl.index, 'terms filter requires a field name, followed by array of terms');
  }
  const name17 = field;
  if (values.some((value) => textOf(value) === undefined)) {
    throw queryParsing(dsl.index, 'No value specified for terms filter');
  }
  if (values.length === 0) return NONE;
  if (execution?.startsWith('and') === true) {
    return combine(
      values.map((value) => termSet(name17, [value], dsl)),
      [],
      [],
    );
  }
  return termSet(field, values, dsl);
};

const range: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name);
  options.take('execution');
  const [entry, second] = options.rest();
  if (entry === undefined)
    throw queryParsing(dsl.index, '[range] filter no field specified for range filter');
  if (!isObject(entry[1])) throw options.unsupported(entry[0]);
  if (second !== undefined) throw options.unsupported(second[0]);
  return rangeSet(entry[0], entry[1], dsl, 'filter');
};

const prefix: FilterCompiler = (body, dsl, name) => {
  const [entry] = optionsOf(body, dsl, name).rest();
  const value = entry === undefined ? undefined : textOf(entry[1]);
  if (entry === undefined || value === undefined) {
    throw queryParsing(dsl.index, 'No value specified for prefix filter');
  }
  return prefixSet(entry[0], value, dsl);
};

const ids: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name);
  return idSet(options, dsl, () =>
    queryParsing(dsl.index, '[ids] filter requires providing a values element'),
  );
};

const exists: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name);
  const field = options.text('field');
  if (field === undefined) throw queryParsing(dsl.index, 'exists must be provided with a [field]');
  options.end();
  return existsSet(field, dsl);
};

const missing: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name);
  const field = options.text('field');
  if (field === undefined) throw queryParsing(dsl.index, 'missing must be provided with a [field]');
  const existence = options.flag(true, 'existence');
  const nullValue = options.flag(false, 'null_value');
  options.end();
  if (!existence && !nullValue) {
    const detail = 'missing must have either existence, or null_value, or both set to true';
    throw queryParsing(dsl.index, detail);
  }
  if (nullValue) throw notOffered('[null_value] of a missing filter');
  const set = existsSet(field, dsl);
  return set.kind === 'none' ? matchAll() : combine([], [], [set]);
};

/**
 * Documents in which a field, or any field of an object, was indexed. A text may leave no term behind; then the
 * field's name is indexed instead.
 */
function existsSet(name: string, dsl: Dsl): PlanNode {
  const leaves = dsl.model.leavesOf(name).filter((field) => field.number >= 0);
  const numbers = new Set(leaves.map((field) => field.number));
  const sets: PlanNode[] = [...numbers].map((field) => ({ kind: 'exists', field }));
  const texts = leaves.filter((field) => field.core!.analyzer !== NO_ANALYZER).map((field) => field.fullName);
  if (texts.length > 0) {
    sets.push({ kind: 'terms', field: FIELD_NAMES, terms: [...new Set(texts)].map(textTerm) });
  }
  return combine([], sets, []) ?? NONE;
}

const type: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name);
  const value = options.text('value');
  if (value === undefined) {
    throw queryParsing(dsl.index, '[type] filter should have a value field, and the type name');
  }
  options.end();
  return typeNode([value]);
};

const query: FilterCompiler = (body, dsl) => {
  if (typeof body !== 'object' || body === null) throw malformed(dsl);
  return dsl.query(body);
};

const fquery: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name);
  const inner = options.take('query');
  if (inner === undefined) throw queryParsing(dsl.index, "[fquery] requires 'query' element");
  options.end();
  return dsl.query(inner);
};

/** The filters by name. */
export const filterCompilers: Record<string, FilterCompiler | undefined> = {
  match_all: all,
  matchAll: all,
  and: allOf,
  or: allOf,
  not,
  bool,
  term,
  terms,
  in: terms,
  range,
  prefix,
  ids,
  exists,
  missing,
  type,
  query,
  fquery,
};

/** Filters of 1.7 that are not offered yet. */
export const filtersNotOffered = new Set([
  'numeric_range',
  'regexp',
  'nested',
  'has_child',
  'has_parent',
  'geo_distance',
  'geo_distance_range',
  'geo_bounding_box',
  'geo_bbox',
  'geo_polygon',
  'geo_shape',
  'geohash_cell',
  'script',
  'limit',
  'indices',
  'wrapper',
]);
