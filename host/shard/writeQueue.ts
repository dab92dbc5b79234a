/** Operations on their way through a shard: they wait in a queue, are taken from it in spans, and their requests are answered. */
import { ElasticsearchError } from '../errors.js';
import type { LogPlace } from '../storage/logRows.js';
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
  /** Where it is in a log; undefined where it is in none. */
  readonly logged?: LoggedGroup;
}

/** A group that is a message of the log of its index. */
export interface LoggedGroup {
  readonly message: LogPlace;
  /** It could not be carried out, which is no outcome: it stays in the log. */
  reject(error: ElasticsearchError): void;
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

  /** Whether a message of a log has been taken in part: its operations share a commit. */
  get isWithinMessage(): boolean {
    return this.#at > 0 && this.#groups[0]!.logged !== undefined;
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

  /** Takes what is left of the group of that span, which was taken last. */
  takeRest(span: Span): void {
    if (this.#groups[0] !== span.group) return;
    span.to = span.group.ops.length;
    this.#groups.shift();
    this.#at = 0;
  }
}

/** Tells requests what became of their operations; with `failure`, that becomes of those that would have succeeded. Messages of a log fail as a whole. */
export function settle(spans: readonly Span[], failure?: ElasticsearchError): void {
  for (const { group, from, to } of spans) {
    const { outcomes } = group;
    if (failure !== undefined && group.logged !== undefined) {
      group.logged.reject(failure);
      continue;
    }
    if (failure !== undefined) {
      for (let at = from; at < to; at++)
        if (!(outcomes[at] instanceof ElasticsearchError)) outcomes[at] = failure;
    }
    group.left -= to - from;
    if (group.left === 0) group.resolve(outcomes);
  }
}
