/** What a shard has done since it was opened, and does: counts, and times in milliseconds. */
import type { Operation } from './operation.js';

/** Writes. */
export class WriteCounters {
  indexed = 0;
  indexTime = 0;
  indexingNow = 0;
  deleted = 0;
  deleteTime = 0;
  deletingNow = 0;
  noops = 0;

  /** A write begins (1), or is answered (-1). */
  begin(kind: Operation['kind'], change: 1 | -1): void {
    if (kind === 'delete') this.deletingNow += change;
    else this.indexingNow += change;
  }
}

/** Searches. */
export class SearchCounters {
  queries = 0;
  queryTime = 0;
  queriesNow = 0;
  fetches = 0;
  fetchTime = 0;
}

/** How many operations on a type did what. */
export interface Tally {
  indexed: number;
  deleted: number;
  noops: number;
}

/** Types and groups that are counted for themselves; what comes after so many isn't. */
const MAX_NAMES = 1000;

export class Counters {
  readonly writes = new WriteCounters();
  readonly searches = new SearchCounters();
  /** The same by type, and by the groups that searches name. */
  readonly types = new Map<string, WriteCounters>();
  readonly groups = new Map<string, SearchCounters>();
  found = 0;
  foundTime = 0;
  missing = 0;
  missingTime = 0;
  refreshes = 0;
  refreshTime = 0;
  flushes = 0;
  flushTime = 0;
  merges = 0;
  mergeTime = 0;
  mergedDocuments = 0;
  mergedBytes = 0;
  percolations = 0;
  percolateTime = 0;
  percolationsNow = 0;
  suggestions = 0;
  suggestTime = 0;
  suggestionsNow = 0;

  /** Adds those of another shard. */
  add(other: Counters): void {
    addNumbers(this, other);
    addNumbers(this.writes, other.writes);
    addNumbers(this.searches, other.searches);
    for (const [type, counters] of other.types)
      addNumbers(
        named(this.types, type, () => new WriteCounters()),
        counters,
      );
    for (const [group, counters] of other.groups)
      addNumbers(
        named(this.groups, group, () => new SearchCounters()),
        counters,
      );
  }

  /** What has been counted since this was called last. What is going on counts as begun, and its end as one less. */
  take(): Counters {
    const taken = new Counters();
    taken.add(this);
    zero(this);
    for (const part of [this.writes, this.searches, ...this.types.values(), ...this.groups.values()])
      zero(part);
    return taken;
  }

  /** Adds those of a shard that is there no more: what it is doing still is not counted. */
  addPast(other: Counters): void {
    this.add(other);
    this.searches.queriesNow = 0;
    this.percolationsNow = this.suggestionsNow = 0;
    for (const counters of this.groups.values()) counters.queriesNow = 0;
    for (const counters of [this.writes, ...this.types.values()])
      counters.indexingNow = counters.deletingNow = 0;
  }

  /** Writes begin (1), or are answered (-1). */
  writing(ops: readonly Pick<Operation, 'kind' | 'type'>[], change: 1 | -1): void {
    let last: string | undefined;
    let ofType = this.writes;
    for (let i = 0; i < ops.length; i++) {
      const { kind, type } = ops[i]!;
      if (type !== last) ofType = named(this.types, type, () => new WriteCounters());
      last = type;
      this.writes.begin(kind, change);
      ofType.begin(kind, change);
    }
  }

  /** Writes were carried out, type by type; they took so long together. */
  wrote(types: ReadonlyMap<string, Tally>, ms: number): void {
    let all = 0;
    for (const { indexed, deleted } of types.values()) all += indexed + deleted;
    const each = all === 0 ? 0 : ms / all;
    for (const [type, { indexed, deleted, noops }] of types)
      for (const counters of [this.writes, named(this.types, type, () => new WriteCounters())]) {
        counters.indexed += indexed;
        counters.indexTime += indexed * each;
        counters.deleted += deleted;
        counters.deleteTime += deleted * each;
        counters.noops += noops;
      }
  }

  /** The counters of the searches that name these groups, and those of all. */
  searching(groups: readonly string[]): SearchCounters[] {
    return [this.searches, ...groups.map((group) => named(this.groups, group, () => new SearchCounters()))];
  }
}

function named<T>(map: Map<string, T>, name: string, make: () => T): T {
  let found = map.get(name);
  if (found === undefined) {
    found = make();
    if (map.size < MAX_NAMES) map.set(name, found);
  }
  return found;
}

function zero<T extends object>(numbers: T): void {
  for (const key of Object.keys(numbers) as (keyof T)[])
    if (typeof numbers[key] === 'number') (numbers[key] as number) = 0;
}

function addNumbers<T extends object>(to: T, from: T): void {
  for (const key of Object.keys(to) as (keyof T)[]) {
    const value = from[key];
    if (typeof value === 'number') (to[key] as number) += value;
  }
}
