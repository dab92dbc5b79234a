/** Answers of aggregations as groups of buckets, each with the filter that finds its documents. */
import { isObject, type Json, type JsonObject, LosslessNumber } from '../../api/json';
import { bucketFilter, labelOf } from './bucketFilter';

/** Numbers of a bucket beside its count of documents, by name: `avg_price`, `stats_price.max`. */
export type Measures = ReadonlyMap<string, number | undefined>;

export interface Bucket {
  /** As it is shown. */
  label: string;
  key: Json;
  count: number;
  /** A filter that its documents match; undefined where there is none. */
  filter: Json | undefined;
  measures: Measures;
  inner: Group | undefined;
}

export interface Group {
  name: string;
  kind: string;
  field: string;
  buckets: readonly Bucket[];
  /** Documents in buckets that aren't shown: `sum_other_doc_count`. */
  others: number;
  /** By how much a count may be too low: `doc_count_error_upper_bound`. */
  error: number;
}

export interface Result {
  /** The first aggregation that has buckets. */
  group: Group | undefined;
  /** Numbers of all documents. */
  measures: Measures;
  total: number;
  timedOut: boolean;
  failedShards: number;
  took: number;
}

/** @param asked the `aggs` that were sent */
export function resultOf(asked: Json, answer: JsonObject): Result {
  const { group, measures } = contentOf(asked, isObject(answer.aggregations) ? answer.aggregations : {});
  const hits = isObject(answer.hits) ? answer.hits : {};
  const shards = isObject(answer._shards) ? answer._shards : {};
  return {
    group,
    measures,
    total: numberOf(hits.total) ?? 0,
    timedOut: answer.timed_out === true,
    failedShards: numberOf(shards.failed) ?? 0,
    took: numberOf(answer.took) ?? 0,
  };
}

/** All names of measures in a group, and in what is within it, in their order. */
export function measureNames({ group, measures }: Pick<Result, 'group' | 'measures'>): readonly string[] {
  const names = new Set(measures.keys());
  const visit = (each: Group | undefined) => {
    for (const bucket of each?.buckets ?? []) {
      for (const name of bucket.measures.keys()) names.add(name);
      visit(bucket.inner);
    }
  };
  visit(group);
  return [...names];
}

/** A number that charts show: the count, or a measure. */
export function measureOf(bucket: Bucket, measure: string): number | undefined {
  return measure === '' ? bucket.count : bucket.measures.get(measure);
}

function contentOf(
  asked: Json | undefined,
  answer: JsonObject,
): { group: Group | undefined; measures: Measures } {
  let group: Group | undefined;
  const measures = new Map<string, number | undefined>();
  for (const [name, spec] of Object.entries(isObject(asked) ? asked : {})) {
    const result = answer[name];
    if (!isObject(spec) || !isObject(result)) continue;
    const { aggs, aggregations, ...rest } = spec;
    const [kind, body] = Object.entries(rest).find(([key]) => key !== 'meta') ?? [];
    if (kind === undefined) continue;
    const inner = aggs ?? aggregations;
    if (result.buckets !== undefined || result.doc_count !== undefined)
      group ??= groupOf(name, kind, isObject(body) ? body : {}, inner, result);
    else addMeasures(measures, name, result);
  }
  return { group, measures };
}

function groupOf(
  name: string,
  kind: string,
  body: JsonObject,
  inner: Json | undefined,
  result: JsonObject,
): Group {
  const { buckets } = result;
  const raw: [string | undefined, JsonObject][] = Array.isArray(buckets)
    ? buckets.filter(isObject).map((bucket) => [undefined, bucket])
    : isObject(buckets)
      ? Object.entries(buckets).map(([key, bucket]) => [key, isObject(bucket) ? bucket : {}])
      : [[name, result]];
  return {
    name,
    kind,
    field: typeof body.field === 'string' ? body.field : '',
    others: numberOf(result.sum_other_doc_count) ?? 0,
    error: numberOf(result.doc_count_error_upper_bound) ?? 0,
    buckets: raw.map(([named, bucket], i) => {
      const key = named ?? bucket.key ?? String(i);
      return {
        label: labelOf(kind, body, key, bucket),
        key,
        count: numberOf(bucket.doc_count) ?? 0,
        filter: bucketFilter(kind, body, key, bucket, i),
        ...measuresAndInner(inner, bucket),
      };
    }),
  };
}

function measuresAndInner(
  asked: Json | undefined,
  bucket: JsonObject,
): { measures: Measures; inner: Group | undefined } {
  const { group, measures } = contentOf(asked, bucket);
  return { measures, inner: group };
}

function addMeasures(measures: Map<string, number | undefined>, name: string, result: JsonObject): void {
  if (result.value !== undefined) {
    measures.set(name, numberOf(result.value));
    return;
  }
  const values = isObject(result.values) ? result.values : result;
  for (const [key, value] of Object.entries(values))
    if (!key.endsWith('_as_string') && !isObject(value)) measures.set(`${name}.${key}`, numberOf(value));
}

/** Charts take doubles: a count or a mean of more digits is shown rounded there, keys never are. */
export function numberOf(value: Json | undefined): number | undefined {
  const number =
    typeof value === 'number' ? value : value instanceof LosslessNumber ? Number(value.value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}
