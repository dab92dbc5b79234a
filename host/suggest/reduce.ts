/** What shards suggest, brought together. */
import { ElasticsearchError } from '../errors.js';
import type { Entry, Option, Order } from './context.js';

/** One shard's entries of a suggestion. */
export interface Partial {
  size: number;
  order: Order;
  entries: readonly Entry[];
}

/** The entries of all shards, place by place, each with its best options. */
export function reduceSuggestion(partials: readonly Partial[]): Entry[] {
  const [first, ...others] = partials;
  if (first === undefined) return [];
  for (const { entries } of others)
    if (entries.length !== first.entries.length)
      throw cannotMerge('result', `sizes actual [${entries.length}] expected [${first.entries.length}]`);
  return first.entries.map((entry, i) => {
    const same = [entry, ...others.map(({ entries }) => entries[i]!)];
    for (const { text } of same)
      if (text !== entry.text) throw cannotMerge('entries', `text actual [${text}] expected [${entry.text}]`);
    const options = same.length === 1 ? entry.options : merged(same, first.order);
    return { ...entry, options: options.slice(0, first.size) };
  });
}

/** 500: the indices cut the text differently. */
function cannotMerge(what: string, difference: string): ElasticsearchError {
  return new ElasticsearchError(
    'ElasticsearchIllegalStateException',
    `Can't merge suggest ${what}, this might be caused by suggest calls across multiple indices with different analysis chains. Suggest entries have different ${difference}`,
  );
}

function merged(entries: readonly Entry[], order: Order): Option[] {
  const byText = new Map<string, Option>();
  const cutoff = entries.reduce((most, each) => Math.max(most, each.cutoff ?? 0), 0);
  for (const option of entries.flatMap(({ options }) => options)) {
    const known = byText.get(option.text);
    if (known === undefined) byText.set(option.text, { ...option });
    else {
      // All else is what the first shard knows.
      known.score = Math.max(known.score, option.score);
      if (known.freq !== undefined) known.freq += option.freq ?? 0;
    }
  }
  return [...byText.values()].filter(({ score }) => score > cutoff || cutoff === 0).sort(orders[order]);
}

function byText(a: Option, b: Option): number {
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}

function byFrequency(a: Option, b: Option): number {
  return (b.freq ?? 0) - (a.freq ?? 0);
}

function byScore(a: Option, b: Option): number {
  return b.score - a.score;
}

const orders: Record<Order, (a: Option, b: Option) => number> = {
  score: (a, b) => byScore(a, b) || byText(a, b),
  termScore: (a, b) => byScore(a, b) || byFrequency(a, b) || byText(a, b),
  termFrequency: (a, b) => byFrequency(a, b) || byScore(a, b) || byText(a, b),
};
