/** Filters: sets of documents that never score. */

import { queryParsing } from '../errors.js';
import { compileScript, noScore, readsScore, type ScriptSpec, scriptKey } from '../script/script.js';
import { valuesUnder } from '../json/repeatedKeys.js';
import { textTerm } from '../mapping/terms.js';
import { isCompound, isObject, type JsonObject, javaScalar, strictIntOf, textOf } from '../json/values.js';
import { OCCURRENCES } from './compound/compound.js';
import {
  asFilter,
  cached,
  type Dsl,
  type FilterCompiler,
  type FilterKind,
  IGNORED,
  listed,
  matchAll,
  NONE,
  NOTHING,
  notStarted,
  Options,
  ofType,
  type Reading,
  type ResolvedField,
  resolve,
  show,
  unexpectedTokenIn,
  typeNode,
} from './context.js';
import { existsSet, missingSet } from './term/existence.js';
import { isNamed, takeIndices } from './compound/indices.js';
import { metaPrefix, metaSet } from './term/meta.js';
import { metaMatching } from './term/metaPatterns.js';
import { isNumeric, prefixCoded } from './term/numericTerms.js';
import { multiTerm, patternOn, readFlags } from './term/patterns.js';
import { Occur } from '../core/abi/plan.js';
import type { PlanNode } from '../plan/nodes.js';
import { rangeSet } from './term/range.js';
import { combine } from './sets.js';
import { regexpMatcher } from './term/termMatchers.js';
import { idSet } from './term/terms.js';

/** The options of a filter whose body is an object; an empty array stands for an empty object, as in 1.7. */
function optionsOf(body: unknown, dsl: Dsl, name: string, reading: Reading = { ignored: IGNORED }): Options {
  if (Array.isArray(body) && body.length === 0) return new Options(dsl, name, {}, 'filter', reading);
  if (!isObject(body)) throw malformed(dsl);
  return new Options(dsl, name, body, 'filter', reading);
}

function malformed(dsl: Dsl) {
  return queryParsing(dsl.index, '[_na] filter malformed, no field after start_object');
}

const all: FilterCompiler = (body, dsl, name) => {
  optionsOf(body, dsl, name);
  return asFilter(matchAll(), () => '*:*');
};

/** `and` and `or`, also without their names: a list of filters is a conjunction. */
export const allOf: FilterCompiler = (body, dsl, name) => {
  let list: unknown = body;
  if (!Array.isArray(body)) {
    if (!isObject(body)) throw malformed(dsl);
    const rest = Object.entries(body).filter(([option]) => !IGNORED.has(option));
    for (const [option, value] of rest) {
      const unknown = unknownIn(option, value);
      if (unknown !== undefined) throw optionsOf(body, dsl, name).unsupported(unknown);
    }
    list = body.filters ?? rest.find(([, value]) => Array.isArray(value))?.[1];
  }
  if (!Array.isArray(list) || list.length === 0) {
    throw queryParsing(dsl.index, `[${name}] filter requires 'filters' to be set on it'`);
  }
  const filters = listed(list, 'filter', dsl).flatMap(
    (each) => dsl.filter(each, () => notStarted('filter', dsl)) ?? [],
  );
  const node = name === 'and' ? combine(filters, [], []) : combine([], filters, []);
  const sign = name === 'and' ? '+' : '';
  return node && asFilter(node, () => filters.map((each) => sign + show(dsl, each)).join(' '));
};

const not: FilterCompiler = (body, dsl) => {
  if (Array.isArray(body)) {
    const filters = body.flatMap((each) => dsl.filter(each) ?? []);
    if (body.length === 0) throw queryParsing(dsl.index, 'filter is required when using `not` filter');
    return notOf(combine(filters, [], []), dsl);
  }
  if (!isObject(body)) throw malformed(dsl);
  const rest = Object.fromEntries(Object.entries(body).filter(([option]) => !IGNORED.has(option)));
  if (Object.keys(rest).length === 0) {
    throw queryParsing(dsl.index, 'filter is required when using `not` filter');
  }
  for (const [option, value] of Object.entries(rest)) {
    if (value !== null && !isCompound(value)) throw optionsOf(body, dsl, 'not').unsupported(option);
  }
  if (rest.filter === undefined) return notOf(dsl.filter(rest), dsl);
  const unexpectedToken = () => optionsOf(body, dsl, 'not').unsupported('filter');
  return notOf(dsl.filter(rest.filter, unexpectedToken), dsl);
};

/** The first name that means nothing beside the list of a conjunction: of a scalar, or in an object. */
function unknownIn(option: string, value: unknown): string | undefined {
  if (value === null || Array.isArray(value)) return undefined;
  if (!isCompound(value)) return option;
  for (const [name, each] of Object.entries(value)) {
    const unknown = unknownIn(name, each);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}

function notOf(inner: PlanNode | undefined, dsl: Dsl): PlanNode | undefined {
  if (inner === undefined) return undefined;
  return asFilter(combine([], [], [inner])!, () => `NotFilter(${show(dsl, inner)})`);
}

const bool: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name);
  const groups = options.rest();
  if (groups.every(([, filters]) => filters === null)) {
    throw queryParsing(dsl.index, '[bool] filter has no inner should/must/must_not elements');
  }
  const clauses: [PlanNode[], PlanNode[], PlanNode[]] = [[], [], []];
  const inOrder: { sign: string; node: PlanNode }[] = [];
  for (const [group, filters] of groups) {
    const occur = OCCURRENCES.get(group);
    if (filters === null) continue;
    if (occur === undefined || !isCompound(filters)) throw options.unsupported(group);
    for (const each of valuesUnder(body as JsonObject, group)) {
      const unexpectedToken = unexpectedTokenIn(each, 'filter', options, group, dsl);
      for (const clause of listed(each, 'filter', dsl)) {
        const filter = dsl.filter(clause, unexpectedToken);
        if (filter === undefined) continue;
        clauses[occur].push(filter);
        inOrder.push({ sign: ['+', '', '-'][occur]!, node: filter });
      }
    }
  }
  const node = combine(clauses[Occur.Must], clauses[Occur.Should], clauses[Occur.MustNot]);
  const text = () => inOrder.map(({ sign, node }) => sign + show(dsl, node)).join(' ');
  return node && asFilter(node, () => `BooleanFilter(${text()})`);
};

/** The documents that have any of these values. */
function termSet(name: string, values: readonly unknown[], dsl: Dsl): PlanNode {
  const meta = metaSet(
    name,
    values.map((value) => javaScalar(value) ?? ''),
    dsl,
  );
  if (meta !== undefined) return cached(meta);
  const resolved = resolve(dsl, name);
  const { field, number } = resolved;
  const terms = values.map((value) =>
    field === undefined ? textTerm(javaScalar(value) ?? '') : field.term(value),
  );
  const node: PlanNode = { kind: 'terms', field: number, terms };
  return ofType(resolved, cached(asFilter(node, () => termsText(resolved, terms))));
}

/** Terms in their order. */
function termsText({ name, field }: ResolvedField, terms: readonly Uint8Array[]): string {
  const numeric = field !== undefined && isNumeric(field.type) ? field.type : undefined;
  const texts = terms.map((term) => (numeric === undefined ? utf8.decode(term) : prefixCoded(numeric, term)));
  return [...new Set(texts)]
    .sort()
    .map((text) => `${name}:${text}`)
    .join(' ');
}

const utf8 = new TextDecoder();

const term: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name);
  let field: string | undefined;
  let value: unknown;
  for (const [given, inner] of options.rest()) {
    if (isObject(inner)) {
      const parts = new Options(dsl, name, inner, 'filter', { ignored: IGNORED });
      value = parts.scalar('term', 'value');
      parts.end();
      field = given;
      continue;
    }
    // Of a list, the last scalar counts; without one the name is no field.
    const scalars = [inner].flat(Number.POSITIVE_INFINITY).filter((each) => textOf(each) !== undefined);
    if (scalars.length === 0) continue;
    field = given;
    value = scalars.at(-1);
  }
  if (field === undefined) throw queryParsing(dsl.index, 'No field specified for term filter');
  if (textOf(value) === undefined) throw queryParsing(dsl.index, 'No value specified for term filter');
  return termSet(field, [value], dsl);
};

const EXECUTIONS = /^(plain|fielddata|(bool|and|or)(_nocache)?)$/;

const terms: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name, { ignored: IGNORED, knowsLists: true });
  const execution = options.text('execution');
  let field: string | undefined;
  const values: unknown[] = [];
  for (const [given, list] of options.rest()) {
    if (list === null) continue;
    if (isObject(list)) values.push(...lookedUp(list, dsl));
    else if (!Array.isArray(list)) throw options.unsupported(given);
    else if (field !== undefined)
      throw queryParsing(dsl.index, '[terms] filter does not support multiple fields');
    else values.push(...list);
    field = given;
  }
  if (field === undefined) {
    throw queryParsing(dsl.index, 'terms filter requires a field name, followed by array of terms');
  }
  const name17 = field;
  if (values.some((value) => textOf(value) === undefined)) {
    throw queryParsing(dsl.index, 'No value specified for terms filter');
  }
  if (execution !== undefined && !EXECUTIONS.test(execution)) {
    throw queryParsing(dsl.index, `terms filter execution value [${execution}] not supported`);
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

/** The terms that a field of another document holds. */
function lookedUp(given: JsonObject, dsl: Dsl): unknown[] {
  const options = new Options(dsl, 'terms', given, 'filter');
  const index = options.text('index') ?? dsl.index;
  const [type, id, path] = [options.text('type'), options.text('id'), options.text('path')];
  options.take('routing');
  options.take('cache');
  const [unknown] = options.rest();
  if (unknown !== undefined) {
    const detail = `[terms] filter does not support [${unknown[0]}] within lookup element`;
    throw queryParsing(dsl.index, detail);
  }
  for (const [key, value] of Object.entries({ type, id, path })) {
    if (value === undefined) {
      throw queryParsing(dsl.index, `[terms] filter lookup element requires specifying the ${key}`);
    }
  }
  return valuesAt(dsl.source(index, type!, id!), path!.split('.')).filter(
    (value) => textOf(value) !== undefined,
  );
}

/** The values at a path, lists flattened; a name may have dots. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, path));
  if (path.length === 0) return [value];
  if (!isObject(value)) return [];
  const found: unknown[] = [];
  for (let end = 1; end <= path.length; end++) {
    const name = path.slice(0, end).join('.');
    if (Object.hasOwn(value, name)) found.push(...valuesAt(value[name], path.slice(end)));
  }
  return found;
}

const range: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name);
  const execution = options.text('execution');
  // Of several fields the last one counts, and so it is with objects in a list.
  let entry: readonly [string, JsonObject] | undefined;
  for (const [field, given] of options.rest()) {
    const bounds = options.object(field);
    if (bounds !== undefined) entry = [field, bounds];
    else if (!Array.isArray(given) && given !== null) throw options.unsupported(field);
  }
  if (entry === undefined)
    throw queryParsing(dsl.index, '[range] filter no field specified for range filter');
  const byColumn = execution !== undefined && checkExecution(execution, entry[0], dsl);
  return cached(rangeSet(entry[0], entry[1], dsl, byColumn));
};

/** By the terms of a field, or by the values of a numeric one; whether it is these, which need not be indexed. */
function checkExecution(execution: string, name: string, dsl: Dsl): boolean {
  const { field } = resolve(dsl, name);
  if (field === undefined || execution === 'index') return false;
  if (execution !== 'fielddata')
    throw queryParsing(dsl.index, `[range] filter doesn't support [${execution}] execution`);
  if (!isNumeric(field.type))
    throw queryParsing(dsl.index, `[range] filter field [${name}] is not a numeric type`);
  return true;
}

/** `numeric_range`: a range of numbers; other fields have none. */
const numericRange: FilterCompiler = (body, dsl, name) => {
  const [entry, second] = optionsOf(body, dsl, name).rest();
  if (entry === undefined || !isObject(entry[1]) || second !== undefined) {
    throw queryParsing(dsl.index, '[numeric_range] filter no field specified for range filter');
  }
  const { field } = resolve(dsl, entry[0]);
  if (field === undefined) {
    const detail = `failed to find mapping for field [${entry[0]}]`;
    throw queryParsing(dsl.index, detail);
  }
  if (!isNumeric(field.type)) {
    throw queryParsing(dsl.index, `Field [${entry[0]}] is not a numeric type`);
  }
  return rangeSet(entry[0], entry[1], dsl, true);
};

/** `script`: documents for which it isn't 0. */
const script: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name);
  const spec: ScriptSpec = { source: 'inline' };
  for (const [key, value] of options.rest()) {
    if (!scriptKey(spec, key, value))
      throw queryParsing(dsl.index, `[script] filter does not support [${key}]`);
  }
  if (spec.text === undefined) throw queryParsing(dsl.index, 'script must be provided with a [script]');
  const compiled = compileScript(spec, 'search', dsl);
  if (readsScore(compiled)) dsl.refuse(noScore());
  const node: PlanNode = { kind: 'expression', script: compiled };
  return asFilter(node, () => `ScriptFilter(${spec.text})`);
};

const prefix: FilterCompiler = (body, dsl, name) => {
  // The last scalar counts, whatever it stands under.
  const scalars = optionsOf(body, dsl, name)
    .rest()
    .flatMap(([field, given]) => {
      const value = [given]
        .flat(Number.POSITIVE_INFINITY)
        .flatMap((each) => textOf(each) ?? [])
        .at(-1);
      return value === undefined ? [] : [[field, value] as const];
    });
  const entry = scalars.at(-1);
  if (entry === undefined) throw queryParsing(dsl.index, 'No value specified for prefix filter');
  const [, value] = entry;
  const meta = metaPrefix(entry[0], value, dsl);
  if (meta !== undefined) return cached(asFilter(meta, () => `PrefixFilter(${entry[0]}:${value})`));
  const resolved = resolve(dsl, entry[0]);
  const bytes = resolved.field === undefined ? textTerm(value) : resolved.field.term(value);
  const node: PlanNode = { kind: 'prefix', field: resolved.number, prefix: bytes };
  return ofType(resolved, cached(asFilter(node, () => `PrefixFilter(${resolved.name}:${value})`)));
};

const ids: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name, { knowsLists: true });
  return idSet(options, dsl, () =>
    queryParsing(dsl.index, '[ids] filter requires providing a values element'),
  );
};

const exists: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name, {});
  const field = options.text('field');
  options.end();
  if (field === undefined) throw queryParsing(dsl.index, 'exists must be provided with a [field]');
  return existsSet(field, dsl);
};

const missing: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name, {});
  const field = options.text('field');
  const existence = options.flag(true, 'existence');
  const nullValue = options.flag(false, 'null_value');
  options.end();
  if (field === undefined) throw queryParsing(dsl.index, 'missing must be provided with a [field]');
  if (!existence && !nullValue) {
    const detail = 'missing must have either existence, or null_value, or both set to true';
    throw queryParsing(dsl.index, detail);
  }
  const nulls = nullValue ? nullsSet(field, dsl) : undefined;
  if (!existence) return nulls;
  const set = missingSet(field, dsl);
  if (nulls === undefined) return set;
  return asFilter(
    combine([], [set, nulls], [])!,
    () => `BooleanFilter(${show(dsl, set)} ${show(dsl, nulls)})`,
  );
};

/** Documents in which the value that the mapping puts in place of null was indexed. */
function nullsSet(name: string, dsl: Dsl): PlanNode | undefined {
  const sets: PlanNode[] = [];
  for (const field of dsl.model.leavesOf(name)) {
    const stand = field.toJSON().null_value;
    if (stand !== undefined) sets.push(termSet(field.fullName, [stand], dsl));
  }
  const node = combine([], sets, []);
  return (
    node && cached(asFilter(node, () => `BooleanFilter(${sets.map((each) => show(dsl, each)).join(' ')})`))
  );
}

const regexp: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name);
  let flags = readFlags(options.text('flags'), options.scalar('flags_value'));
  readMost(options);
  const [entry] = options.rest();
  let value = entry?.[1];
  if (isObject(value)) {
    const inner = new Options(dsl, name, value, 'filter', { ignored: NOTHING });
    value = inner.scalar('value');
    const own = inner.text('flags');
    const number = inner.scalar('flags_value');
    if (own !== undefined || number !== undefined) flags = readFlags(own, number);
    readMost(inner);
    inner.end();
  }
  const pattern = textOf(value);
  if (entry === undefined || pattern === undefined) {
    throw queryParsing(dsl.index, 'No value specified for regexp filter');
  }
  const matcher = regexpMatcher(pattern, flags);
  const meta = metaMatching(entry[0], matcher, dsl, (text) => regexpMatcher(text + pattern, flags));
  if (meta !== undefined) return cached(asFilter(meta, () => `${entry[0]}:${pattern}`));
  const resolved = resolve(dsl, entry[0]);
  const own = patternOn(resolved, pattern, (text) => regexpMatcher(text, flags));
  return ofType(resolved, cached(asFilter(multiTerm(resolved, own), () => `${resolved.name}:${pattern}`)));
};

/** Automata are bounded in another way. */
function readMost(options: Options): void {
  const most = options.scalar('max_determinized_states', 'maxDeterminizedStates');
  if (most !== undefined) strictIntOf(most);
}

/** `indices`: one filter on the indices named, another elsewhere. */
const indices: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name, { knowsLists: true });
  const filter = options.object('filter');
  const otherwise = options.take('no_match_filter') ?? undefined;
  const named = takeIndices(options, dsl, name);
  options.end();
  if (filter === undefined) throw queryParsing(dsl.index, "[indices] requires 'filter' element");
  const chosen = isNamed(named, dsl, name);
  if (chosen) return dsl.filter(filter);
  if (otherwise === 'none') return NONE;
  if (otherwise === null || isCompound(otherwise)) return dsl.filter(otherwise);
  return asFilter(matchAll(), () => '*:*');
};

const type: FilterCompiler = (body, dsl) => {
  const [entry] = isObject(body) ? Object.entries(body) : [];
  if (entry?.[0] !== 'value' || typeof entry[1] !== 'string') {
    throw queryParsing(dsl.index, '[type] filter should have a value field, and the type name');
  }
  return cached(typeNode([entry[1]]));
};

const LIMIT_TEXT = 'org.elasticsearch.common.lucene.search.LimitFilter@1b3c5d7f';

/** `limit`: the first documents of each shard that it is asked about. */
const limit: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name, { ignored: NOTHING });
  const value = options.scalar('value');
  options.end();
  if (value === undefined) throw queryParsing(dsl.index, 'No value specified for limit filter');
  const most = Math.min(Math.max(strictIntOf(value), 0), 0xffff_fffe);
  return asFilter({ kind: 'limit', limit: most, node: matchAll() }, () => LIMIT_TEXT);
};

const query: FilterCompiler = (body, dsl) => {
  if (!isCompound(body)) throw malformed(dsl);
  return wrapped(dsl.optionalQuery(body), dsl);
};

function wrapped(node: PlanNode | undefined, dsl: Dsl): PlanNode | undefined {
  return node && asFilter(node, () => `QueryWrapperFilter(${show(dsl, node)})`);
}

const fquery: FilterCompiler = (body, dsl, name) => {
  const options = optionsOf(body, dsl, name);
  const inner = options.object('query');
  options.end();
  if (inner === undefined) throw queryParsing(dsl.index, "[fquery] requires 'query' element");
  const unexpectedToken = () => options.unsupported('query');
  return wrapped(dsl.optionalQuery(inner, unexpectedToken), dsl);
};

/** The filters, but for those of files of their own. */
export const filterKinds: readonly FilterKind[] = [
  { names: ['match_all', 'matchAll'], read: all, reach: 'found' },
  { names: ['and', 'or'], read: allOf, reach: 'found' },
  { names: ['not'], read: not, reach: 'found' },
  { names: ['bool'], read: bool, reach: 'found' },
  { names: ['term'], read: term, reach: 'found' },
  // The list of terms may be a value of a document.
  { names: ['terms', 'in'], read: terms, reach: 'named' },
  { names: ['range'], read: range, reach: 'found' },
  { names: ['numeric_range', 'numericRange'], read: numericRange, reach: 'found' },
  { names: ['script'], read: script, reach: 'scripts' },
  { names: ['prefix'], read: prefix, reach: 'found' },
  { names: ['ids'], read: ids, reach: 'found' },
  { names: ['exists'], read: exists, reach: 'found' },
  { names: ['missing'], read: missing, reach: 'found' },
  { names: ['regexp'], read: regexp, reach: 'found' },
  { names: ['indices'], read: indices, reach: 'found' },
  { names: ['limit'], read: limit, reach: 'found' },
  { names: ['type'], read: type, reach: 'found' },
  { names: ['query'], read: query, reach: 'found' },
  { names: ['fquery'], read: fquery, reach: 'found' },
];
