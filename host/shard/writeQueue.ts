/** Operations on their way through a shard: they wait in a queue, are taken from it in spans, and their requests are answered. */
import { ElasticsearchError } from '../errors.js';
import type { Operation, WriteResult } from './operation.js';

/** What became of an operation. */
export type Outcome = WriteResult | ElasticsearchError;

/** The operations of one request on one shard. */
export interface Group {
  readonly ops: readonly Operation[];
  /** What became of those that are decided; it counts once it has been told. */
  readonly outcomes: Outcome[];
  /** Operations whose outcomes have not been told yet. */
  left: number;
  resolve(outcomes: Outcome[]): void;
}

/** Operations of a group that follow one another, `to` left out. */
export interface Span {
  readonly group: Group;
  readonly from: number;
  to: number;
}

/** Groups in the order in which they came. */
export class WriteQueue {
  readonly #groups: Group[] = [];
  /** The next operation of the first group. */
  #at = 0;

  get empty(): boolean {
    return this.#groups.length === 0;
  }

  /** Adds a group, which must have operations. */
  add(group: Group): void {
    this.#groups.push(group);
  }

  /** Takes the next operation: the last of the span that is returned, which is the last of `spans`. */
  take(spans: Span[]): Span {
    const group = this.#groups[0]!;
    let span = spans.at(-1);
    if (span?.group === group) span.to++;
    else {
      span = { group, from: this.#at, to: this.#at + 1 };
      spans.push(span);
    }
    if (++this.#at === group.ops.length) {
      this.#groups.shift();
      this.#at = 0;
    }
    return span;
  }
}

/** Tells requests what became of their operations; with `failure`, that becomes of those that would have succeeded. */
export function settle(spans: readonly Span[], failure?: ElasticsearchError): void {
  for (const { group, from, to } of spans) {
    const { outcomes } = group;
    if (failure !== undefined) {
      for (let at = from; at < to; at++)
        if (!(outcomes[at] instanceof ElasticsearchError)) outcomes[at] = failure;
    }
    group.left -= to - from;
    if (group.left === 0) group.resolve(outcomes);
  }
}
