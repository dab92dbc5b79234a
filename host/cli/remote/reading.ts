/**
 * All documents of an index, over as many scrolls as that takes. A scroll that breaks can't be taken up where it was: the server may have
 * forgotten it, or be a page ahead. Another one is begun, of which the documents that have come are left out. Each document comes once, as it was
 * when one of the scrolls began.
 */
import { pause, TRIES } from './pauses.js';
import { Received } from './received.js';
import type { Hit } from './hits.js';
import { NoAnswer, Refused, type Requests } from './requests.js';
import { Scroll, ScrollError, type ScrollOptions } from './scroll.js';

const NOT_FOUND = 404;
const TOO_MANY = 429;
const SERVER_ERROR = 500;

export interface ReadingOptions {
  stop: AbortSignal;
  /** Scrolls that may break one after the other without a new document. */
  tries?: number;
  /** Another scroll is begun after a pause, because of this. */
  retrying?(reason: string): void;
  /** A scroll has begun, of so many documents. */
  began?(total: number): void;
}

/** Documents page by page; a page has at least one. Throws what ended it; ends early when it is stopped. */
export async function* readDocuments(
  requests: Requests,
  options: ScrollOptions,
  { stop, tries = TRIES, retrying, began }: ReadingOptions,
): AsyncGenerator<readonly Hit[]> {
  const received = new Received();
  const { withoutSource } = options;
  const reading: ScrollOptions =
    withoutSource === undefined
      ? options
      : { ...options, withoutSource: (hit) => received.add(hit.metadata) && withoutSource(hit) };
  // Where nobody is, or no such index, is told at once.
  let scroll: Scroll | undefined = await Scroll.open(requests, reading);
  for (let tried = 1; ; tried++) {
    const before = received.count;
    try {
      scroll ??= await Scroll.open(requests, reading);
      began?.(scroll.total);
      yield* newOnes(scroll, received, stop);
      return;
    } catch (e) {
      if (stop.aborted) return;
      if (received.count > before) tried = 1;
      if (tried > tries || !received.isComplete || !isBroken(e, scroll !== undefined)) throw e;
      retrying?.((e as Error).message);
    }
    scroll = undefined;
    await pause(tried, stop);
    if (stop.aborted) return;
  }
}

async function* newOnes(
  scroll: Scroll,
  received: Received,
  stop: AbortSignal,
): AsyncGenerator<readonly Hit[]> {
  try {
    for await (const page of scroll.pages(stop)) {
      const hits = page.filter(({ metadata }) => received.add(metadata));
      if (hits.length > 0) yield hits;
    }
  } finally {
    await scroll.close();
  }
}

/** Whether another scroll may come further. A scroll that is missing was forgotten; an index that is missing comes not back. */
function isBroken(e: unknown, isOpen: boolean): boolean {
  if (e instanceof ScrollError || e instanceof NoAnswer) return true;
  if (!(e instanceof Refused)) return false;
  return e.status === TOO_MANY || e.status >= SERVER_ERROR || (e.status === NOT_FOUND && isOpen);
}
