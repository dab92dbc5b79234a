/** The kinds of facets: each with the aggregation that stands for it, and how what that finds is shown. */

import { ElasticsearchError } from '../errors.js';
import { parseTime } from '../time/durations.js';
import type { MappingModel } from '../mapping/model.js';
import { isObject, type JsonObject, strictIntOf, textOf } from '../json/values.js';
import {
  buckets,
  type Found,
  number,
  option,
  orderOf,
  type Shown,
  statistics,
  summary,
  TERM_ORDERS,
  valuesOf,
  whichTerms,
} from './facetParts.js';
import { Double } from './rendered.js';
import { DISTANCES } from './distances.js';
import { FIRST_NUMBERS } from './firstNumbers.js';
import { TOWARDS_ZERO } from './histogram.js';
import { statisticsOfFields, termsOfFields } from './facetsOfFields.js';
import { sourceOf, ValueType } from './source.js';

/** Reads what is asked of a facet of that name. */
export type Kind = (name: string, body: JsonObject, model: MappingModel) => Shown;

export const KINDS: Record<string, Kind> = {
  terms: termsFacet,
  terms_stats: termsStatsFacet,
  termsStats: termsStatsFacet,
  statistical: statisticalFacet,
  histogram: numberHistogramFacet,
  date_histogram: dateHistogramFacet,
  dateHistogram: dateHistogramFacet,
  range: rangeFacet,
  geo_distance: geoDistanceFacet,
  geoDistance: geoDistanceFacet,
  filter: (_, body) => countFacet('filter', { filter: body }),
  query: (_, body) => countFacet('query', { filter: { query: body } }),
};

function required<T>(facet: string, field: T | undefined, detail: string): T {
  if (field === undefined)
    throw new ElasticsearchError('FacetPhaseExecutionException', `Facet [${facet}]: ${detail}`);
  return field;
}

const EVERYTHING = { match_all: {} };
const VALUE_FIELDS = ['value_field', 'valueField'];
const VALUE_SCRIPTS = ['value_script', 'valueScript'];
const SCRIPT_FIELDS = ['script_field', 'scriptField'];

/** The values that a facet goes by: where a script makes what it describes, another may make these. */
function keysOf(
  body: JsonObject,
  values: JsonObject | undefined,
  ...fields: string[]
): JsonObject | undefined {
  return valuesOf(body, fields, values?.script === undefined ? [] : ['key_script', 'keyScript']);
}

function termsFacet(name: string, body: JsonObject): Shown {
  const { fields } = body;
  if (Array.isArray(fields) && fields.length > 1) return termsOfFields(fields.map(String), body);
  const field = (Array.isArray(fields) ? textOf(fields[0]) : undefined) ?? option(body, 'field');
  const values = valuesOf({ ...body, field }, ['field'], ['script', ...SCRIPT_FIELDS]);
  if (values === undefined)
    throw new ElasticsearchError(
      'ElasticsearchParseException',
      `terms facet [${name}] must have a field, fields or script parameter`,
    );
  const source = field === undefined ? values : { field, ...values };
  const order = orderOf(option(body, 'order', 'comparator') ?? 'count', TERM_ORDERS, 'terms');
  const size = body.size === undefined || body.size === null ? 10 : strictIntOf(body.size);
  const terms = { ...source, size, order, ...whichTerms(body) };
  return {
    aggregation: {
      filter: EVERYTHING,
      aggs: {
        terms: { terms },
        ...(field === undefined ? {} : { missing: { missing: { field } } }),
        total: { value_count: source },
      },
    },
    show: (found) => {
      const some = size === 0 ? [] : buckets(found.terms);
      const list = some.map(({ key, doc_count }) => ({ term: key, count: doc_count }));
      const total = number((found.total as Found).value);
      const other = total - list.reduce((sum, { count }) => sum + number(count), 0);
      const missing = (found.missing as Found | undefined)?.doc_count ?? 0;
      return { _type: 'terms', missing, total, other, terms: list };
    },
  };
}

const STATISTICS = {
  count: '_count',
  term: '_term',
  total: 's.sum',
  min: 's.min',
  max: 's.max',
  mean: 's.avg',
};

function termsStatsFacet(name: string, body: JsonObject, model: MappingModel): Shown {
  const key = required(
    name,
    option(body, 'key_field', 'keyField'),
    '[key_field] is required to be set for terms stats facet',
  );
  const value = required(
    name,
    valuesOf(body, VALUE_FIELDS, ['script', ...SCRIPT_FIELDS, ...VALUE_SCRIPTS]),
    'either [value_field] or [script] are required to be set for terms stats facet',
  );
  const isNumber = sourceOf(model, key, ValueType.string).type !== ValueType.string;
  const order = orderOf(option(body, 'order', 'comparator') ?? 'count', STATISTICS, 'terms');
  const size = option(body, 'all_terms', 'allTerms') === 'true' ? 0 : (body.size ?? 10);
  const terms = { terms: { field: key, size, order }, aggs: { s: { stats: value } } };
  return {
    aggregation: { filter: EVERYTHING, aggs: { terms, missing: { missing: { field: key } } } },
    show: (found) => ({
      _type: 'terms_stats',
      // 1.7 counts them of numbers alone.
      missing: isNumber ? (found.missing as Found).doc_count : 0,
      terms: buckets(found.terms).map((bucket) => {
        const { min, max, total, total_count, mean } = summary(bucket.s as Found);
        return { term: bucket.key, count: bucket.doc_count, total_count, min, max, total, mean };
      }),
    }),
  };
}

function statisticalFacet(name: string, body: JsonObject): Shown {
  if (Array.isArray(body.fields)) return statisticsOfFields(body.fields.map(String));
  const values = required(
    name,
    valuesOf(body, ['field'], body.field === undefined ? ['script'] : []),
    'statistical facet requires either [script] or [field] to be set',
  );
  return {
    aggregation: { extended_stats: values },
    show: statistics,
  };
}

function histogramFacet(
  name: string,
  body: JsonObject,
  type: string,
  shownKey: string,
  options: readonly string[],
  marks: JsonObject = {},
): Shown {
  const detail =
    'key field is required to be set for histogram facet, either using [field] or using [key_field]';
  const value = valuesOf(body, VALUE_FIELDS, VALUE_SCRIPTS);
  const key = required(name, keysOf(body, value, 'key_field', 'keyField', 'field'), detail);
  required(name, option(body, 'interval'), '[interval] is required to be set for histogram facet');
  const order = option(body, 'order', 'comparator') ?? shownKey;
  const given = options.flatMap((each) => (body[each] === undefined ? [] : [[each, body[each]] as const]));
  return {
    aggregation: {
      [type]: { ...key, min_doc_count: 1, ...Object.fromEntries(given), ...marks },
      ...(value === undefined ? {} : { aggs: { s: { stats: value } } }),
    },
    show: (found) => {
      const entries = buckets(found).map((bucket): Found => {
        const entry = { [shownKey]: bucket.key, count: bucket.doc_count };
        return value === undefined ? entry : { ...entry, ...summary(bucket.s as Found) };
      });
      if (order !== shownKey) entries.sort((a, b) => number(b[order]) - number(a[order]));
      return { _type: type, entries };
    },
  };
}

function numberHistogramFacet(name: string, body: JsonObject): Shown {
  const time = option(body, 'time_interval', 'timeInterval');
  const interval = time === undefined ? body.interval : parseTime(time);
  return histogramFacet(name, { ...body, interval }, 'histogram', 'key', ['interval'], {
    [TOWARDS_ZERO]: true,
  });
}

function dateHistogramFacet(name: string, body: JsonObject): Shown {
  return histogramFacet(name, body, 'date_histogram', 'time', [
    'interval',
    'time_zone',
    'pre_zone',
    'post_zone',
    'pre_zone_adjust_large_interval',
    'pre_offset',
    'post_offset',
    'factor',
  ]);
}

/** Ranges under names of their own, and how they are shown in the order in which they are given. */
function rangesOf(name: string, given: unknown, type: string) {
  const ranges = Array.isArray(given) ? given.filter(isObject) : [];
  if (ranges.length === 0) required(name, undefined, `no ranges defined for ${type} facet`);
  const bounds = ranges.map(({ from, to }, i) => ({
    key: String(i),
    ...(from === undefined || from === null ? {} : { from }),
    ...(to === undefined || to === null ? {} : { to }),
  }));
  const show = (found: Found): Found => {
    const byKey = new Map(buckets(found).map((bucket) => [bucket.key, bucket]));
    const shown = ranges.map((range, i) => {
      const bucket = byKey.get(String(i)) ?? {};
      const { min, max, total_count, total, mean } = summary((bucket.s ?? { count: 0 }) as Found);
      const text = (bound: unknown) => (typeof bound === 'string' ? bound : undefined);
      return {
        from: bounds[i]!.from === undefined ? undefined : bucket.from,
        from_str: text(range.from),
        to: bounds[i]!.to === undefined ? undefined : bucket.to,
        to_str: text(range.to),
        count: bucket.doc_count,
        ...(type !== 'range' || number(total_count) > 0 ? { min, max } : {}),
        total_count,
        total,
        mean,
      };
    });
    return { _type: type, ranges: shown };
  };
  return { bounds, show };
}

function rangeFacet(name: string, body: JsonObject): Shown {
  const [own, given] = Object.entries(body).find(([, value]) => Array.isArray(value)) ?? [];
  const { bounds, show } = rangesOf(name, given, 'range');
  const detail = 'key field is required to be set for range facet, either using [field] or using [key_field]';
  const value = valuesOf(body, VALUE_FIELDS, VALUE_SCRIPTS);
  const named = own === undefined ? undefined : { field: own };
  const key: JsonObject = required<JsonObject>(
    name,
    own === 'ranges' ? keysOf(body, value, 'field', 'key_field', 'keyField') : named,
    detail,
  );
  const isText = bounds.some(({ from, to }) => typeof from === 'string' || typeof to === 'string');
  const ranges = { [isText ? 'date_range' : 'range']: { ...key, ranges: bounds } };
  const described = value ?? (key.script === undefined ? undefined : key);
  if (described !== undefined) return { aggregation: { ...ranges, aggs: { s: { stats: described } } }, show };
  // Of each document the first value in a range counts.
  const firsts = bounds.map(({ from, to }, i) => [`first${i}`, { [FIRST_NUMBERS]: { ...key, from, to } }]);
  return {
    aggregation: { filter: EVERYTHING, aggs: { ranges, ...Object.fromEntries(firsts) } },
    show: (found) => {
      const within = buckets(found.ranges).map((bucket) => ({
        ...bucket,
        s: found[`first${String(bucket.key)}`],
      }));
      return show({ buckets: within });
    },
  };
}

const DISTANCE_OPTIONS = new Set([
  'ranges',
  'unit',
  'distance_type',
  'distanceType',
  ...VALUE_FIELDS,
  ...VALUE_SCRIPTS,
  'lang',
  'params',
  'normalize',
]);

function geoDistanceFacet(name: string, body: JsonObject): Shown {
  const { bounds, show } = rangesOf(name, body.ranges, 'geo_distance');
  const place = Object.keys(body).find((key) => !DISTANCE_OPTIONS.has(key));
  const field = required(name, place, 'no point defined for geo_distance facet');
  const value = valuesOf(body, VALUE_FIELDS, VALUE_SCRIPTS);
  const type = option(body, 'distance_type', 'distanceType');
  const from = {
    field,
    origin: body[field],
    ...(body.unit === undefined ? {} : { unit: body.unit }),
    ...(type === undefined ? {} : { distance_type: type }),
  };
  if (value !== undefined)
    return {
      aggregation: { geo_distance: { ...from, ranges: bounds }, aggs: { s: { stats: value } } },
      show,
    };
  const rings = bounds.map((range) => ({
    from: Number(range.from ?? Number.NEGATIVE_INFINITY),
    to: Number(range.to ?? Number.POSITIVE_INFINITY),
  }));
  return {
    aggregation: {
      filter: EVERYTHING,
      aggs: Object.fromEntries(rings.map((ring, i) => [`ring${i}`, { [DISTANCES]: { ...from, ...ring } }])),
    },
    show: (found) => ({
      _type: 'geo_distance',
      ranges: rings.map(({ from, to }, i) => {
        const { min, max, total_count, total, mean } = summary(found[`ring${i}`] as Found);
        return {
          from: Number.isFinite(from) ? new Double(from) : undefined,
          to: Number.isFinite(to) ? new Double(to) : undefined,
          count: total_count,
          min,
          max,
          total_count,
          total,
          mean,
        };
      }),
    }),
  };
}

function countFacet(type: string, aggregation: JsonObject): Shown {
  return { aggregation, show: ({ doc_count }) => ({ _type: type, count: doc_count }) };
}
