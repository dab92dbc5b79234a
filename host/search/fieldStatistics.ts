/** `_field_stats`: what indices know of fields, without looking at a document. */
import { ElasticsearchError, javaArgument, toElasticsearchError } from '../errors.js';
import { UTC } from '../time/calendar.js';
import { fractionOf, orderedOf } from '../mapping/fielddata.js';
import { Column, INVERTED, type LeafField } from '../mapping/field.js';
import { DateField } from '../mapping/scalars.js';
import type { QueryFailure } from './queryFailure.js';
import { searchedShards } from './chosenShards.js';
import type { SearchedShard } from '../shard/searchedShard.js';
import type { SearchTarget } from '../metadata/targets.js';
import { TermReader } from '../shard/termReader.js';
import type { WorkLimit } from '../workLimit.js';

/** What is known of a field. */
export interface FieldSummary {
  maxDoc: number;
  documents: number;
  /** -1 where nobody counts them. */
  postings: number;
  occurrences: number;
  kind: 'text' | 'long' | 'double' | 'date';
  smallest: bigint | number | string;
  largest: bigint | number | string;
  /** How a value is shown. */
  print(value: bigint | number | string): bigint | number | string;
}

/** By field. */
export type Summaries = Map<string, FieldSummary>;

/** What is known by the names of indices, or under `_all`. */
export async function fieldStatistics(
  targets: readonly SearchTarget[],
  names: readonly string[],
  byIndex: boolean,
  limit: WorkLimit,
): Promise<{ found: Map<string, Summaries>; total: number; failures: QueryFailure[] }> {
  const found = new Map<string, Summaries>();
  const failures: QueryFailure[] = [];
  let total = 0;
  for (const { index } of targets) {
    for (const shard of searchedShards(index)) {
      total++;
      try {
        const own = await shardStatistics(shard, names, (name) => index.model.find(name)?.field, limit);
        const group = byIndex ? index.name : '_all';
        const known = found.get(group) ?? new Map<string, FieldSummary>();
        found.set(group, known);
        for (const [name, summary] of own) add(known, name, summary, index.name);
      } catch (e) {
        const error = toElasticsearchError(e);
        if (error.exception === 'ElasticsearchIllegalStateException') throw error;
        failures.push({ index: index.name, shard: shard.number, error });
      }
    }
  }
  return { found, total, failures };
}

function add(known: Summaries, name: string, summary: FieldSummary, index: string): void {
  const before = known.get(name);
  if (before === undefined) {
    known.set(name, summary);
    return;
  }
  if (before.kind !== summary.kind) {
    throw new ElasticsearchError(
      'ElasticsearchIllegalStateException',
      `trying to merge the field stats of field [${name}] from index [${index}] but the field type is incompatible, try to set the 'level' option to 'indices'`,
    );
  }
  const plus = (a: number, b: number) => (a < 0 || b < 0 ? -1 : a + b);
  before.maxDoc += summary.maxDoc;
  before.documents = plus(before.documents, summary.documents);
  before.postings = plus(before.postings, summary.postings);
  before.occurrences = plus(before.occurrences, summary.occurrences);
  if (summary.smallest < before.smallest) before.smallest = summary.smallest;
  if (summary.largest > before.largest) before.largest = summary.largest;
}

async function shardStatistics(
  shard: SearchedShard,
  names: readonly string[],
  fieldOf: (name: string) => LeafField | undefined,
  limit: WorkLimit,
): Promise<Summaries> {
  const fields = names.map((name) => {
    const field = fieldOf(name);
    if (field === undefined) throw javaArgument(`field [${name}] doesn't exist`);
    return field;
  });
  const indexed = fields.filter(({ number, isIndexed }) => number >= 0 && isIndexed);
  const statistics = await new TermReader(shard.searches, limit).statistics(
    indexed.map(({ number }) => number),
  );
  const summaries: Summaries = new Map();
  indexed.forEach((field, i) => {
    const own = statistics.fields[i]!;
    if (own.segments === 0) return;
    const { kind, read, steps, print } = readerOf(field);
    summaries.set(names[fields.indexOf(field)]!, {
      maxDoc: statistics.documents,
      documents: own.documents,
      postings: own.postings * steps,
      occurrences: kind === 'text' ? own.occurrences : -1,
      kind,
      smallest: read(own.smallest),
      largest: read(own.largest),
      print,
    });
  });
  return summaries;
}

const utf8 = new TextDecoder();

/** Bits of numbers in Lucene, and the step in which it indexes them once more with less precision. */
const NUMBERS: Record<string, readonly [bits: number, step: number]> = {
  integer: [32, 8],
  float: [32, 8],
  short: [32, 8],
  byte: [32, 32],
  token_count: [32, 8],
};
const LONG = [64, 16] as const;

/** How the terms of a field are read and shown, and how many terms Lucene makes of a value. */
function readerOf(field: LeafField): Pick<FieldSummary, 'kind' | 'print'> & {
  read(term: Uint8Array): bigint | number | string;
  steps: number;
} {
  const same = (value: bigint | number | string) => value;
  const [bits, usual] = NUMBERS[field.type] ?? LONG;
  const given = field.toJSON().precision_step;
  const step = typeof given === 'number' && given > 0 ? given : usual;
  const steps = Math.ceil(bits / Math.min(step, bits));
  const column = (field.core?.flags ?? 0) & ~INVERTED;
  if (field instanceof DateField) {
    const print = (value: bigint | number | string) =>
      typeof value === 'bigint' ? field.format.print(Number(value), UTC) : value;
    return { kind: 'date', read: orderedOf, steps, print };
  }
  if (column === Column.long && field.type !== 'boolean')
    return { kind: 'long', read: orderedOf, steps, print: same };
  if (column === Column.double)
    return { kind: 'double', read: (term) => fractionOf(orderedOf(term)), steps, print: same };
  const read = (term: Uint8Array) => utf8.decode(term);
  return { kind: 'text', read, steps: 1, print: same };
}
