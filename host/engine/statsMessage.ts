/** Stats of a shard as nodes send them to each other, in JSON. What is read is checked: stats have finite numbers and nothing else. */
import { isObject } from '../json/values.js';
import { type Counters, SearchCounters, WriteCounters } from '../shard/counters.js';
import { nothing, type Stats } from './stats.js';

/** Names of types, groups, fields and segments of one shard that are read, at most. */
const MAX_ENTRIES = 100_000;

/** What `JSON.stringify` writes of stats: maps become lists of their entries. */
export function statsMessage({ fielddata, completions, counters, ...rest }: Stats): object {
  const { types, groups, ...counts } = counters;
  return {
    ...rest,
    counters: { ...counts, types: [...types], groups: [...groups] },
    fielddata: [...fielddata],
    completions: [...completions],
  };
}

/** Stats that another node has sent. Throws an `Error` for what isn't any. */
export function readStatsMessage(message: unknown): Stats {
  const stats = nothing();
  const fields = object(message);
  takeNumbers(stats, fields);
  takeNumbers(stats.merging, object(fields.merging));
  takeNumbers(stats.filters, object(fields.filters));
  stats.segments = list(fields.segments).map((each) =>
    takeNumbers({ id: 0, documents: 0, deleted: 0, bytes: 0 }, object(each)),
  );
  for (const [name, bytes] of entries(fields.fielddata)) stats.fielddata.set(name, number(bytes));
  for (const [name, bytes] of entries(fields.completions)) stats.completions.set(name, number(bytes));
  readCounters(stats.counters, object(fields.counters));
  return stats;
}

function readCounters(counters: Counters, fields: Readonly<Record<string, unknown>>): void {
  takeNumbers(counters, fields);
  takeNumbers(counters.writes, object(fields.writes));
  takeNumbers(counters.searches, object(fields.searches));
  for (const [name, counts] of entries(fields.types))
    counters.types.set(name, takeNumbers(new WriteCounters(), object(counts)));
  for (const [name, counts] of entries(fields.groups))
    counters.groups.set(name, takeNumbers(new SearchCounters(), object(counts)));
}

/** Takes every number that an object has from the one of that name; one that a node of another version doesn't send stays. */
function takeNumbers<T extends object>(to: T, from: Readonly<Record<string, unknown>>): T {
  for (const key of Object.keys(to) as (keyof T & string)[])
    if (typeof to[key] === 'number' && from[key] !== undefined) (to[key] as number) = number(from[key]);
  return to;
}

function number(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new Error('stats have a number that is none');
  return value;
}

function object(value: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw new Error('stats have a part that is no object');
  return value;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length > MAX_ENTRIES)
    throw new Error('stats have a part that is no list');
  return value;
}

function entries(value: unknown): [name: string, value: unknown][] {
  return list(value).map((entry) => {
    const [name, each] = list(entry);
    if (typeof name !== 'string') throw new Error('stats have a name that is none');
    return [name, each];
  });
}
