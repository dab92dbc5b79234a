/** Queries on terms: `term`, `terms`, `prefix`, `range`, `ids`. */

import { type ElasticsearchError, notOffered, numberFormat, queryParsing } from '../errors.js';
import { parseZone, UTC } from '../mapping/dates.js';
import type { RangeBounds } from '../mapping/field.js';
import { textTerm } from '../mapping/terms.js';
import { booleanOf, isObject, type JsonObject, textOf } from '../mapping/values.js';
import {
  checkClauses,
  constant,
  type Dsl,
  fieldOptions,
  NONE,
  ofType,
  Options,
  type QueryCompiler,
  resolve,
  withBoost,
} from './context.js';
import { metaSet, metaTerm } from './meta.js';
import { applyMinimum } from './minimumShouldMatch.js';
import { Occur, type PlanNode, type RangeNode } from './plan.js';

/** One term of a field, as a query. */
function termQuery(name: string, value: unknown, dsl: Dsl): PlanNode {
  const text = textOf(value) ?? '';
  const meta = metaTerm(name, text, dsl);
  if (meta !== undefined) return meta;
  const resolved = resolve(dsl, name);
  const { field, number } = resolved;
  const term = field === undefined ? textTerm(text) : field.term(value);
  const node: PlanNode = { kind: 'term', field: number, boost: 1, term };
  return ofType(resolved, field?.isConstant === true ? constant(node, 1) : node);
}

/** `term`: the last field given counts, as in 1.7. */
export const term: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'term', body);
  let boost = options.boost();
  let name: string | undefined;
  let value: unknown;
  for (const [field, given] of options.rest()) {
    name = field;
    value = given;
    if (isObject(given)) {
      const inner = fieldOptions(dsl, 'term', given, 'value');
      value = inner.scalar('term', 'value');
      boost = inner.number(boost, 'boost');
      inner.end();
    } else if (Array.isArray(given)) value = given.at(-1);
  }
  if (name === undefined) throw queryParsing(dsl.index, '[term] query malformed, no field');
  if (textOf(value) === undefined) throw queryParsing(dsl.index, 'No value specified for term query');
  return withBoost(termQuery(name, value, dsl), boost);
};

/** `terms`: a boolean query of optional terms. */
export const terms: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'terms', body);
  const noCoord = options.flag(false, 'disable_coord', 'disableCoord');
  const minimum = options.text('minimum_should_match', 'minimumShouldMatch', 'minimum_match', 'minimumMatch');
  const boost = options.boost();
  const fields = options.rest();
  let name: string | undefined;
  let values: unknown[] = [];
  for (const [field, given] of fields) {
    if (!Array.isArray(given)) throw options.unsupported(field);
    name = field;
    values = given;
  }
  if (name === undefined) throw queryParsing(dsl.index, 'No field specified for terms query');
  checkClauses(values.length);
  const clauses = values.map((value) => {
    if (textOf(value) === undefined) throw queryParsing(dsl.index, 'No value specified for terms query');
    return { occur: Occur.Should, node: termQuery(name, value, dsl) };
  });
  return applyMinimum({ kind: 'boolean', noCoord, boost, minimum: 0, clauses }, minimum);
};

const CONSTANT_REWRITES = /^constant_?score(_?(auto|filter|boolean|default))?$/i;

/** `prefix`: a constant score. */
export const prefix: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'prefix', body);
  const [entry] = options.rest();
  if (entry === undefined) throw queryParsing(dsl.index, '[prefix] query malformed, no field');
  const inner = fieldOptions(dsl, 'prefix', entry[1], 'value');
  const value = inner.text('value', 'prefix');
  const boost = inner.boost();
  const rewrite = inner.text('rewrite');
  if (rewrite !== undefined && !CONSTANT_REWRITES.test(rewrite)) throw notOffered(`rewrite [${rewrite}]`);
  inner.end();
  if (value === undefined) throw queryParsing(dsl.index, 'No value specified for prefix query');
  return constant(prefixSet(entry[0], value, dsl), boost);
};

/** The documents with a term that begins so. */
export function prefixSet(name: string, value: string, dsl: Dsl): PlanNode {
  if (metaSet(name, [], dsl) !== undefined) throw notOffered(`a prefix of the field [${name}]`);
  const resolved = resolve(dsl, name);
  const bytes = resolved.field === undefined ? textTerm(value) : resolved.field.term(value);
  return ofType(resolved, { kind: 'prefix', field: resolved.number, prefix: bytes });
}

/** `range`: a constant score. */
export const range: QueryCompiler = (body, dsl) => {
  const entries = new Options(dsl, 'range', body).rest();
  const [entry, second] = entries;
  if (entry === undefined) {
    throw queryParsing(dsl.index, '[range] query malformed, no field to indicate field name');
  }
  if (!isObject(entry[1])) {
    throw queryParsing(dsl.index, '[range] query malformed, after field missing start object');
  }
  if (second !== undefined)
    throw queryParsing(dsl.index, '[range] query malformed, does not end with an object');
  const { boost, ...options } = entry[1];
  const set = rangeSet(entry[0], options, dsl, 'query');
  return constant(set, new Options(dsl, 'range', boost === undefined ? {} : { boost }).boost());
};

/** The documents with a term within bounds; of several bounds for one side the last written counts. */
export function rangeSet(name: string, given: JsonObject, dsl: Dsl, kind: 'query' | 'filter'): PlanNode {
  if (metaSet(name, [], dsl) !== undefined) throw notOffered(`a range of the field [${name}]`);
  const options = new Options(dsl, 'range', given, kind);
  const zone = options.text('time_zone', 'timeZone');
  if (options.take('format') !== undefined) throw notOffered('[format] of a range');
  const bounds: RangeBounds = {
    from: undefined,
    to: undefined,
    includeLower: true,
    includeUpper: true,
    zone: zone === undefined ? UTC : parseZone(zone),
    asFilter: kind === 'filter',
    now: dsl.now,
  };
  for (const [option, value] of options.rest()) readBound(bounds, option, value, options);
  const resolved = resolve(dsl, name);
  const { field, number } = resolved;
  if (zone !== undefined && field?.type !== 'date') {
    const detail = `[range] time_zone can not be applied to non date field [${name}]`;
    throw queryParsing(dsl.index, detail);
  }
  const text = (value: unknown) =>
    value === undefined || value === null ? undefined : textTerm(textOf(value) ?? '');
  const { lower, upper } =
    field === undefined ? { lower: text(bounds.from), upper: text(bounds.to) } : field.range(bounds);
  const { includeLower, includeUpper } = bounds;
  const node: RangeNode = { kind: 'range', field: number, lower, upper, includeLower, includeUpper };
  return ofType(resolved, node);
}

function readBound(bounds: RangeBounds, option: string, value: unknown, options: Options): void {
  if (Array.isArray(value)) throw numberFormat(']');
  if (isObject(value)) throw options.unsupported(option);
  switch (option) {
    case 'from':
      bounds.from = value;
      break;
    case 'to':
      bounds.to = value;
      break;
    case 'include_lower':
    case 'includeLower':
      bounds.includeLower = booleanOf(value);
      break;
    case 'include_upper':
    case 'includeUpper':
      bounds.includeUpper = booleanOf(value);
      break;
    case 'gt':
    case 'gte':
    case 'ge':
      bounds.from = value;
      bounds.includeLower = option !== 'gt';
      break;
    case 'lt':
    case 'lte':
    case 'le':
      bounds.to = value;
      bounds.includeUpper = option !== 'lt';
      break;
    default:
      throw options.unsupported(option);
  }
}

/** `ids`: a constant score. */
export const ids: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'ids', body);
  const boost = options.boost();
  const set = idSet(options, dsl, () => queryParsing(dsl.index, '[ids] query, no ids values provided'));
  return set.kind === 'none' ? NONE : constant(set, boost);
};

/** The documents of the ids among the options. */
export function idSet(options: Options, dsl: Dsl, missing: () => ElasticsearchError): PlanNode {
  const values = options.take('values');
  const given = options.take('type', 'types', '_type');
  options.end();
  if (values === undefined || values === null) throw missing();
  if (!Array.isArray(values)) throw options.unsupported('values');
  const named = (Array.isArray(given) ? given : given === undefined ? [] : [given]).flatMap(
    (type) => textOf(type) ?? [],
  );
  const types = named.length === 0 ? dsl.types : named;
  const uids = values.flatMap((value) => {
    const id = textOf(value);
    if (id === undefined) throw queryParsing(dsl.index, 'No value specified for term filter');
    return types.map((type) => `${type}#${id}`);
  });
  return uids.length === 0 ? NONE : { kind: 'uids', uids };
}
