/** Aggregations the obvious way: over an array of documents. */

export interface Doc {
  word: string[];
  whole: number[];
  fraction: number | undefined;
  time: number;
  lat: number;
  lon: number;
}

type Json = Record<string, unknown>;
export type Tree = Record<string, Json & { aggs?: Tree }>;

const DAY = 86_400_000;

function valuesOf(doc: Doc, field: string): (string | number)[] {
  if (field === 'word') return [...new Set(doc.word)];
  if (field === 'whole') return [...new Set(doc.whole)];
  if (field === 'time') return [doc.time];
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

function below(tree: Json & { aggs?: Tree }, docs: readonly Doc[]): Json {
  return { doc_count: docs.length, ...aggregate(tree.aggs ?? {}, docs) };
}

function one(tree: Json & { aggs?: Tree }, docs: readonly Doc[]): unknown {
  const kind = Object.keys(tree).find((key) => key !== 'aggs')!;
  const options = tree[kind] as { field: string; interval: number; ranges: { from?: number; to?: number }[] };
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

export function aggregate(tree: Tree, docs: readonly Doc[]): Json {
  return Object.fromEntries(Object.entries(tree).map(([name, each]) => [name, one(each, docs)]));
}
