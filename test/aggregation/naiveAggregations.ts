/** Aggregations the obvious way: over an array of documents. */

export interface Doc {
  word: string[];
  whole: number[];
  fraction: number | undefined;
  time: number;
  lat: number;
  lon: number;
  /** Four decimal numbers with dots between them. */
  address?: string | undefined;
  places?: { lat: number; lon: number }[];
}

type Json = Record<string, unknown>;
export type Tree = Record<string, Json & { aggs?: Tree }>;

const DAY = 86_400_000;

function addressNumber(text: string): number {
  return text.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

/** A number, a time or an address as a number. */
function boundOf(bound: string | number): number {
  if (typeof bound === 'number') return bound;
  return /^\d+\./.test(bound) ? addressNumber(bound) : Date.parse(bound);
}

function valuesOf(doc: Doc, field: string): (string | number)[] {
  if (field === 'word') return [...new Set(doc.word)];
  if (field === 'whole') return [...new Set(doc.whole)];
  if (field === 'time') return [doc.time];
  if (field === 'address') return doc.address === undefined ? [] : [addressNumber(doc.address)];
  return doc.fraction === undefined ? [] : [doc.fraction];
}

function numbersOf(docs: readonly Doc[], field: string): number[] {
  return docs.flatMap((doc) => valuesOf(doc, field).map(Number));
}

/** Documents by key, each once in a bucket. */
function group<K>(docs: readonly Doc[], keys: (doc: Doc) => K[]): Map<K, Doc[]> {
  const groups = new Map<K, Doc[]>();
  for (const doc of docs)
    for (const key of new Set(keys(doc))) groups.set(key, [...(groups.get(key) ?? []), doc]);
  return groups;
}

function arc(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const rad = Math.PI / 180;
  const h =
    Math.sin(((lat2 - lat1) * rad) / 2) ** 2 +
    Math.cos(lat1 * rad) * Math.cos(lat2 * rad) * Math.sin(((lon2 - lon1) * rad) / 2) ** 2;
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** A filter: a term, numbers between bounds, no values, or not, all or one of others. */
export type Filter =
  | { term: Record<string, string | number> }
  | { range: Record<string, { gte: number; lt: number }> }
  | { missing: { field: string } }
  | { not: Filter }
  | { and: Filter[] }
  | { or: Filter[] };

export function matches(filter: Filter, doc: Doc): boolean {
  if ('not' in filter) return !matches(filter.not, doc);
  if ('and' in filter) return filter.and.every((each) => matches(each, doc));
  if ('or' in filter) return filter.or.some((each) => matches(each, doc));
  if ('missing' in filter) return valuesOf(doc, filter.missing.field).length === 0;
  if ('term' in filter) {
    const [[field, value]] = Object.entries(filter.term) as [[string, string | number]];
    return valuesOf(doc, field).includes(value);
  }
  const [[field, { gte, lt }]] = Object.entries(filter.range) as [[string, { gte: number; lt: number }]];
  return valuesOf(doc, field).some((value) => Number(value) >= gte && Number(value) < lt);
}

/**
 * Halves the earth by turns from west to east and from south to north, and makes a character of five halvings. A border belongs to
 * the half before it.
 */
export function geohash(lat: number, lon: number, length: number): string {
  const spans = [
    { low: -180, high: 180, value: lon },
    { low: -90, high: 90, value: lat },
  ];
  let hash = '';
  for (let character = 0; character < length; character++) {
    let bits = 0;
    for (let bit = 0; bit < 5; bit++) {
      const span = spans[(character * 5 + bit) % 2]!;
      const middle = (span.low + span.high) / 2;
      const isBehind = span.value > middle;
      if (isBehind) span.low = middle;
      else span.high = middle;
      bits = bits * 2 + Number(isBehind);
    }
    hash += '0123456789bcdefghjkmnpqrstuvwxyz'[bits];
  }
  return hash;
}

/** The box around points; that across the date line where it is narrower and may be taken. */
function boundsOf(points: readonly { lat: number; lon: number }[], mayWrap: boolean): Json {
  if (points.length === 0) return { bounds: undefined };
  const lats = points.map(({ lat }) => lat);
  const lons = points.map(({ lon }) => lon);
  let [left, right] = [Math.min(...lons), Math.max(...lons)];
  if (mayWrap && left < 0 && right >= 0) {
    // As if those in the west came after those in the east.
    const turned = lons.map((lon) => (lon < 0 ? lon + 360 : lon));
    const [first, last] = [Math.min(...turned), Math.max(...turned)];
    if (last - first < right - left) [left, right] = [first, last - 360];
  }
  return {
    bounds: {
      top_left: { lat: Math.max(...lats), lon: left },
      bottom_right: { lat: Math.min(...lats), lon: right },
    },
  };
}

function below(tree: Json & { aggs?: Tree }, docs: readonly Doc[]): Json {
  return { doc_count: docs.length, ...aggregate(tree.aggs ?? {}, docs) };
}

interface Options {
  field: string;
  interval: number;
  ranges: { from?: number; to?: number }[];
  filters: Filter[] | Record<string, Filter>;
  precision: number;
  wrap_longitude?: boolean;
}

/** `all`: also those that the query doesn't match. */
function one(tree: Json & { aggs?: Tree }, docs: readonly Doc[], all: readonly Doc[]): unknown {
  const kind = Object.keys(tree).find((key) => key !== 'aggs')!;
  const options = tree[kind] as unknown as Options;
  const { field } = options;
  switch (kind) {
    case 'terms': {
      const groups = [...group(docs, (doc) => valuesOf(doc, field))];
      groups.sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
      return { buckets: groups.map(([key, its]) => ({ key, ...below(tree, its) })) };
    }
    case 'histogram':
    case 'date_histogram': {
      const width = kind === 'histogram' ? options.interval : DAY;
      const keys = (doc: Doc) =>
        valuesOf(doc, field).map((v) => Math.floor(Math.trunc(Number(v)) / width) * width || 0);
      const groups = [...group(docs, keys)].sort((a, b) => a[0] - b[0]);
      return { buckets: groups.map(([key, its]) => ({ key, ...below(tree, its) })) };
    }
    case 'range': {
      const within = (v: number, { from = -Infinity, to = Infinity }) => v >= from && v < to;
      return {
        buckets: options.ranges.map((range) =>
          below(
            tree,
            docs.filter((doc) => valuesOf(doc, field).some((v) => within(Number(v), range))),
          ),
        ),
      };
    }
    case 'date_range':
    case 'ip_range': {
      const text = (bound: string | number | undefined) =>
        bound === undefined
          ? '*'
          : kind === 'date_range'
            ? new Date(boundOf(bound)).toISOString()
            : [24, 16, 8, 0].map((shift) => (boundOf(bound) >>> shift) & 255).join('.');
      return {
        buckets: options.ranges.map(({ from, to }: { from?: number | string; to?: number | string }) => {
          const low = from === undefined ? -Infinity : boundOf(from);
          const high = to === undefined ? Infinity : boundOf(to);
          const its = docs.filter((doc) => numbersOf([doc], field).some((v) => v >= low && v < high));
          return {
            key: `${text(from)}-${text(to)}`,
            from: from === undefined ? undefined : low,
            from_as_string: from === undefined ? undefined : text(from),
            to: to === undefined ? undefined : high,
            to_as_string: to === undefined ? undefined : text(to),
            ...below(tree, its),
          };
        }),
      };
    }
    case 'filter': {
      const filter = tree.filter as Filter;
      return below(
        tree,
        docs.filter((doc) => matches(filter, doc)),
      );
    }
    case 'filters': {
      const bucketOf = (filter: Filter) =>
        below(
          tree,
          docs.filter((doc) => matches(filter, doc)),
        );
      const { filters } = options;
      if (Array.isArray(filters)) return { buckets: filters.map(bucketOf) };
      return {
        buckets: Object.fromEntries(Object.entries(filters).map(([name, each]) => [name, bucketOf(each)])),
      };
    }
    case 'global':
      return below(tree, all);
    case 'geohash_grid': {
      const cells = (doc: Doc) =>
        (doc.places ?? []).map(({ lat, lon }) => geohash(lat, lon, options.precision));
      const groups = [...group(docs, cells)];
      groups.sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? 1 : -1));
      return { buckets: groups.map(([key, its]) => ({ key, ...below(tree, its) })) };
    }
    case 'geo_bounds':
      return boundsOf(
        docs.flatMap((doc) => doc.places ?? []),
        options.wrap_longitude ?? true,
      );
    case 'geo_distance':
      return {
        buckets: options.ranges.map(({ from = 0, to = Infinity }) =>
          below(
            tree,
            docs.filter(({ lat, lon }) => arc(50, 10, lat, lon) >= from && arc(50, 10, lat, lon) < to),
          ),
        ),
      };
    case 'missing':
      return below(
        tree,
        docs.filter((doc) => valuesOf(doc, field).length === 0),
      );
    case 'cardinality':
      return { value: new Set(docs.flatMap((doc) => valuesOf(doc, field))).size };
    case 'value_count':
      return { value: docs.flatMap((doc) => valuesOf(doc, field)).length };
    default: {
      const numbers = numbersOf(docs, field);
      const sum = numbers.reduce((all, v) => all + v, 0);
      if (numbers.length === 0) return { count: 0, min: null, max: null, sum: null };
      return { count: numbers.length, min: Math.min(...numbers), max: Math.max(...numbers), sum };
    }
  }
}

export function aggregate(tree: Tree, docs: readonly Doc[], all: readonly Doc[] = docs): Json {
  return Object.fromEntries(Object.entries(tree).map(([name, each]) => [name, one(each, docs, all)]));
}
