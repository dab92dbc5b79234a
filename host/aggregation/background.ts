/** What significant_terms are told from, where it is not all documents: the terms of a filter's documents. */

import type { PlanBytes } from '../core/planBytes.js';
import type { Turns } from '../workLimit.js';
import { Aggregation, type Bucket } from './aggregation.js';
import { AggregationKind } from '../core/abi/aggregations.js';
import type { AggregationContext } from './body.js';
import type { PartialReader } from './reader.js';
import type { Reduction } from './reduction.js';
import type { Rendered } from './rendered.js';
import { addFilter, Filter, Global } from './singles.js';
import { type ValueSource, writeSource } from './source.js';
import { ALL, readKey, type TermKey } from './terms.js';

type Counts = Map<TermKey, number>;

/** Documents by term. */
class CountedTerms extends Aggregation<Counts> {
  override readonly shape = 'several';
  readonly #source: ValueSource;

  constructor(source: ValueSource) {
    super('');
    this.#source = source;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.terms);
    writeSource(bytes, this.#source);
    bytes.u8(0);
    bytes.u32(ALL);
    bytes.u32(1);
  }

  protected override writeTail(bytes: PlanBytes): void {
    bytes.u8(0);
  }

  override *read(reader: PartialReader, work: Reduction): Turns<Counts> {
    const counts: Counts = new Map();
    reader.f64();
    for (let n = reader.u32(); n > 0; n--) {
      if (work.isDue()) yield;
      const key = readKey(reader, this.#source);
      counts.set(key, reader.u32());
    }
    return counts;
  }

  override *merge(partials: readonly Counts[], work: Reduction): Turns<Counts> {
    const all: Counts = new Map();
    for (const counts of partials)
      for (const [key, count] of counts) {
        if (work.isDue()) yield;
        all.set(key, (all.get(key) ?? 0) + count);
      }
    return all;
  }

  override empty(): Counts {
    return new Map();
  }

  // biome-ignore lint/correctness/useYield: it takes no time
  override *render(): Turns<Rendered> {
    return null;
  }
}

/** The documents of a filter, whatever the query; known of a shard once this has been read of it. */
export class Background extends Global {
  #found: Bucket | undefined;

  override get isShown(): boolean {
    return false;
  }

  override *read(reader: PartialReader, work: Reduction): Turns<Bucket> {
    const all = yield* super.read(reader, work);
    this.#found = all.below[0] as Bucket;
    return all;
  }

  get docs(): number {
    return this.#found?.docs ?? 0;
  }

  docsWith(key: TermKey): number {
    return (this.#found?.below[0] as Counts | undefined)?.get(key) ?? 0;
  }
}

/** Asks for the terms of the documents of a filter. */
export function addBackground(json: unknown, source: ValueSource, context: AggregationContext): Background {
  const filter = new Filter('', addFilter(json, context));
  filter.children = [new CountedTerms(source)];
  const background = new Background('');
  background.children = [filter];
  context.extras.push(background);
  return background;
}
