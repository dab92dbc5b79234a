/**
 * The heaviest completions of a shard. Each segment gives its best ones as Lucene's suggester does, of equal weight in the order of its
 * paths; what they come to is in the order in which Java reads a hash map of them and sorts it.
 */
import { hashOrder } from '../compat17/javaHash.js';
import { introSort } from '../compat17/introSort.js';
import { completionEntry, NO_WEIGHT } from '../mapping/completionEntry.js';
import type { TermMatcher } from '../plan/termMatcher.js';
import { compareBytes } from '../storage/storage.js';
import type { Option, SuggestShard } from './context.js';

/** More entries of a segment are not looked at. */
const MAX_ENTRIES = 100_000;

/** An entry of a segment. */
interface Found {
  reading: string;
  output: string;
  payload: string;
  /** Whether it has a weight of its own. */
  isWeighted: boolean;
  weight: number;
  /** The first document that has it. */
  document: number;
}

/** What a shard suggests: up to `size` options, the heaviest first. */
export async function heaviest(
  shard: SuggestShard,
  field: number,
  matchers: readonly TermMatcher[],
  size: number,
): Promise<Option[]> {
  const { segments, found } = await entriesOf(shard, field, matchers, size);
  const byText = new Map<string, Option>();
  for (const entries of found) {
    for (const { output, payload, weight } of entries) {
      const option: Option = { text: output, score: Math.fround(weight) };
      if (payload !== '') option.payload = payload;
      const known = byText.get(output);
      if (known === undefined || known.score < option.score) byText.set(output, option);
    }
  }
  const options = hashOrder(byText.keys(), segments * size).map((text) => byText.get(text)!);
  introSort(options, (a, b) => b.score - a.score);
  return options.slice(0, size);
}

/** The best entries of each segment, and how many segments the shard has. */
async function entriesOf(
  shard: SuggestShard,
  field: number,
  matchers: readonly TermMatcher[],
  size: number,
): Promise<{ segments: number; found: Found[][] }> {
  for (let limit = 2 * size + 16; ; limit *= 4) {
    const most = Math.min(limit, MAX_ENTRIES);
    const answers = await Promise.all(matchers.map((matcher) => shard.heaviest(field, matcher, most)));
    const bySegment = new Map<number, Found[]>();
    const cut = new Set<number>();
    for (const { entries } of answers) {
      const counts = new Map<number, number>();
      for (const { segment, document, weight, term } of entries) {
        const { weight: own, ...entry } = completionEntry(term);
        const each = { ...entry, weight, document, isWeighted: own !== NO_WEIGHT };
        const known = bySegment.get(segment);
        if (known === undefined) bySegment.set(segment, [each]);
        else known.push(each);
        const count = (counts.get(segment) ?? 0) + 1;
        counts.set(segment, count);
        if (count === most) cut.add(segment);
      }
    }
    const best = [...bySegment].map(([segment, entries]) => ({ segment, entries: bestOf(entries) }));
    const isDone = best.every(({ segment, entries }) => entries.length >= size || !cut.has(segment));
    if (!isDone && most < MAX_ENTRIES) continue;
    const found = best.sort((a, b) => a.segment - b.segment).map(({ entries }) => entries.slice(0, size));
    return { segments: answers[0]?.segments ?? 0, found };
  }
}

/** The entries of a segment in order, each output with the same payload once. */
function bestOf(entries: readonly Found[]): Found[] {
  const chosen = new Map<string, Found>();
  for (const each of entries) {
    const key = JSON.stringify([each.reading, each.output]);
    const known = chosen.get(key);
    if (known === undefined || replaces(each, known)) chosen.set(key, each);
  }
  const sorted = [...chosen.values()].map((each) => ({ each, bytes: utf8.encode(each.reading) }));
  sorted.sort(
    (a, b) => b.each.weight - a.each.weight || compareBytes(a.bytes, b.bytes) || byOutput(a.each, b.each),
  );
  const best = new Map<string, Found>();
  for (const { each } of sorted) {
    const key = JSON.stringify([each.output, each.payload]);
    if (!best.has(key)) best.set(key, each);
  }
  return [...best.values()];
}

const utf8 = new TextEncoder();

/** Among entries of one reading and output one without a weight stays, then the heaviest, then that of the first document. */
function replaces(a: Found, b: Found): boolean {
  if (a.isWeighted !== b.isWeighted) return b.isWeighted;
  return (b.weight - a.weight || a.document - b.document) < 0;
}

/** Under one reading, those without a weight of their own go before the others. */
function byOutput(a: Found, b: Found): number {
  return (
    Number(a.isWeighted) - Number(b.isWeighted) || compareBytes(utf8.encode(a.output), utf8.encode(b.output))
  );
}
