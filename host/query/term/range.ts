/** `range`, as a query and as a filter. */

import { type ElasticsearchError, numberFormat, queryParsing, toElasticsearchError } from '../../errors.js';
import { booleanOf, isObject, type JsonObject, javaScalar, textOf } from '../../json/values.js';
import { columnOf, type LeafField, type RangeBounds, type RangeTerms } from '../../mapping/field.js';
import { textTerm } from '../../mapping/terms.js';
import type { RangeNode } from '../../plan/nodes/range.js';
import type { PlanNode } from '../../plan/nodes.js';
import { rangeText } from '../../plan/termRange.js';
import { parseZone, UTC } from '../../time/calendar.js';
import { dateFormat } from '../../time/dateFormats.js';
import {
  asFilter,
  constant,
  type Dsl,
  NAMED,
  NOTHING,
  Options,
  ofType,
  onField,
  type QueryCompiler,
  type QueryKind,
  type ResolvedField,
  resolve,
  withBoost,
} from '../context.js';
import { pointRange } from '../geo/geoText.js';
import { metaMatching } from './metaPatterns.js';
import { isNumeric, numericRangeText } from './numericTerms.js';
import { multiTerm } from './patterns.js';

/** `range`. */
const range: QueryCompiler = (body, dsl) => {
  const [entry, second] = Object.entries(body);
  if (entry === undefined) {
    throw queryParsing(dsl.index, '[range] query malformed, no field to indicate field name');
  }
  if (!isObject(entry[1])) {
    throw queryParsing(dsl.index, '[range] query malformed, after field missing start object');
  }
  if (second !== undefined)
    throw queryParsing(dsl.index, '[range] query malformed, does not end with an object');
  const { boost, ...rest } = entry[1];
  const { resolved, bounds } = readBounds(entry[0], rest, dsl, 'query');
  const query = rangeNode(resolved, bounds, dsl);
  return withBoost(query, new Options(dsl, 'range', boost === undefined ? {} : { boost }).boost());
};

export const rangeQuery: QueryKind = { names: ['range'], read: range, reach: 'found', byField: true };

/** The terms within bounds, as a query. */
export function rangeNode(resolved: ResolvedField, bounds: RangeBounds, dsl: Dsl): PlanNode {
  if (resolved.field?.type === 'geo_point') {
    const points = asFilter(
      pointRange(resolved.number, bounds),
      () => `${resolved.name}:${pointsText(bounds)}`,
    );
    return ofType(resolved, constant(points, 1));
  }
  const { lower, upper } = termsOf(resolved, bounds, dsl);
  const { includeLower, includeUpper } = bounds;
  const matcher = { type: 'range' as const, lower, upper, includeLower, includeUpper };
  const meta = metaMatching(resolved.name, matcher, dsl);
  if (meta !== undefined)
    return constant(
      asFilter(meta, () => `${resolved.name}:${rangeText({ lower, upper, ...bounds })}`),
      1,
    );
  const query = multiTerm(resolved, matcher);
  return ofType(
    resolved,
    onField(resolved, query, () => textOfRange(resolved, lower, upper, bounds)),
  );
}

/** Bounds as they were given. */
function pointsText(bounds: RangeBounds): string {
  const term = (value: unknown) => (textOf(value) === undefined ? undefined : textTerm(textOf(value)!));
  return rangeText({ lower: term(bounds.from), upper: term(bounds.to), ...bounds });
}

/** The documents with a term within bounds, as a filter; of several bounds for one side the last written counts. */
export function rangeSet(name: string, given: JsonObject, dsl: Dsl, byColumn = false): PlanNode {
  const { resolved, bounds } = readBounds(name, given, dsl, 'filter');
  if (resolved.field?.type === 'geo_point')
    return { ...pointRange(resolved.number, bounds), text: () => `${resolved.name}:${pointsText(bounds)}` };
  const { lower, upper } = termsOf(resolved, bounds, dsl);
  const { includeLower, includeUpper } = bounds;
  const matcher = { type: 'range' as const, lower, upper, includeLower, includeUpper };
  const meta = metaMatching(resolved.name, matcher, dsl);
  if (meta !== undefined) return meta;
  const node: RangeNode = {
    kind: 'range',
    field: byColumn ? columnOf(resolved.field) : resolved.number,
    lower,
    upper,
    includeLower,
    includeUpper,
  };
  return onField(resolved, node, () => textOfRange(resolved, lower, upper, bounds));
}

function textOfRange(
  { field }: ResolvedField,
  lower: Uint8Array | undefined,
  upper: Uint8Array | undefined,
  bounds: RangeBounds,
): string {
  if (field !== undefined && isNumeric(field.type)) {
    return numericRangeText(field.type, lower, upper, bounds);
  }
  return rangeText({ lower, upper, ...bounds });
}

function termsOf({ field }: ResolvedField, bounds: RangeBounds, { lateErrors }: Dsl): RangeTerms {
  if (field?.type === 'date' && lateErrors !== undefined) return lateTermsOf(field, bounds, lateErrors);
  if (field !== undefined) return field.range(bounds);
  const text = (value: unknown) =>
    value === undefined || value === null ? undefined : textTerm(javaScalar(value) ?? '');
  return { lower: text(bounds.from), upper: text(bounds.to) };
}

/** The same of dates that 1.7 reads when the query is run. */
function lateTermsOf(field: LeafField, bounds: RangeBounds, errors: ElasticsearchError[]): RangeTerms {
  try {
    return field.range(bounds);
  } catch (e) {
    errors.push(toElasticsearchError(e));
    return { lower: undefined, upper: undefined };
  }
}

function readBounds(
  name: string,
  given: JsonObject,
  dsl: Dsl,
  kind: 'query' | 'filter',
): { resolved: ResolvedField; bounds: RangeBounds } {
  const options = new Options(dsl, 'range', given, kind, { ignored: kind === 'filter' ? NOTHING : NAMED });
  const zone = options.text('time_zone', 'timeZone');
  const format = options.text('format');
  const bounds: RangeBounds = {
    from: undefined,
    to: undefined,
    includeLower: true,
    includeUpper: true,
    zone: zone === undefined ? UTC : parseZone(zone),
    asFilter: kind === 'filter',
    // Only asked for where a date is said by it: what else is compiled comes to the same at any time.
    get now() {
      return dsl.now;
    },
    format: format === undefined ? undefined : dateFormat(format),
  };
  for (const [option, value] of options.rest()) readBound(bounds, option, value, options);
  const resolved = resolve(dsl, name);
  if (zone !== undefined && resolved.field?.type !== 'date') {
    const detail = `[range] time_zone can not be applied to non date field [${name}]`;
    throw queryParsing(dsl.index, detail);
  }
  return { resolved, bounds };
}

const BOUNDS = new Set(['from', 'to', 'gt', 'gte', 'ge', 'lt', 'lte', 'le']);

function readBound(bounds: RangeBounds, option: string, value: unknown, options: Options): void {
  if (Array.isArray(value)) throw numberFormat(']');
  // The parser takes the brace for the bound, and goes on inside.
  if (isObject(value))
    throw options.unsupported((BOUNDS.has(option) ? Object.keys(value)[0] : undefined) ?? option);
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
