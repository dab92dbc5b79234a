/** The documents of a part, from the old server to the new one. What is there in the same or a newer version is refused there, and counted. */
import { BulkSender } from '../remote/bulkSender.js';
import { actionOf } from '../remote/hits.js';
import { pause, TRIES } from '../remote/pauses.js';
import type { RefusedFile } from '../remote/refusedFile.js';
import { encoded, NoAnswer, Refused, type Requests } from '../remote/requests.js';
import { Scroll, ScrollError } from '../remote/scroll.js';
import { messageOf } from '../terminal/exitStatus.js';
import { movedHit, type Part } from './part.js';
import { withoutSourceRefusal } from './structure.js';
import { Tally } from './tally.js';

const BULK_BYTES = 4 * 1024 * 1024;
const CONFLICT = 409;
const NOT_FOUND = 404;
const TOO_MANY = 429;
const EXPIRED = 'AlreadyExpiredException';

export interface MoveOptions {
  connections: number;
  /** Documents of each shard that are read at once. */
  size: number;
  tries: number;
  /** What is on the old server takes the place of newer versions. */
  isForced: boolean;
  stop: AbortSignal;
  retrying(reason: string): void;
}

/** What became of the documents of a part. */
export class Moved {
  /** Documents that the old server has. */
  total = 0;
  /** Those of this scroll that are taken or refused. */
  settled = 0;
  /** Those whose time to live was over. */
  expired = 0;
  refused = 0;
  withoutSource = 0;
  /** What was read. */
  tally = new Tally();
  /** Those that are there in the same or a newer version. */
  #conflicts = 0;
  /** Those that earlier scrolls of this run moved. */
  #before = 0;

  conflict(): void {
    this.#conflicts++;
  }

  /** Another scroll begins. */
  begin(total: number): void {
    this.#before += this.#fresh;
    Object.assign(this, { total, settled: 0, expired: 0, refused: 0, withoutSource: 0, tally: new Tally() });
    this.#conflicts = 0;
  }

  /** Documents of the same or a newer version that this run didn't move. */
  get alreadyThere(): number {
    return Math.max(0, this.#conflicts - this.#before);
  }

  get taken(): number {
    return this.#before + this.#fresh;
  }

  get #fresh(): number {
    return this.settled - this.#conflicts - this.expired - this.refused;
  }
}

/**
 * Moves them. A scroll that breaks begins anew, since what came before is refused as already there. Throws what ended it; comes back early
 * when it is stopped.
 */
export async function moveDocuments(
  from: Requests,
  to: Requests,
  part: Part,
  moved: Moved,
  refused: RefusedFile,
  options: MoveOptions,
): Promise<void> {
  for (let tries = 1; !options.stop.aborted; tries++)
    try {
      await moveOnce(from, to, part, moved, refused, options);
      return;
    } catch (e) {
      if (!isBroken(e) || tries > options.tries) throw e;
      options.retrying(`${messageOf(e)}; reading ${part.there.index} begins anew`);
      await pause(Math.min(tries, TRIES), options.stop);
    }
}

/** Whether a scroll may succeed when it begins anew. */
function isBroken(e: unknown): boolean {
  if (e instanceof ScrollError || e instanceof NoAnswer) return true;
  return e instanceof Refused && (e.status === NOT_FOUND || e.status === TOO_MANY || e.status >= 500);
}

async function moveOnce(
  from: Requests,
  to: Requests,
  { there, here, reading }: Part,
  moved: Moved,
  refused: RefusedFile,
  { connections, size, tries, isForced, stop, retrying }: MoveOptions,
): Promise<void> {
  const placeOf = (documents: number) => ({ file: 0, offset: documents, line: documents + 1, documents });
  let documents = 0;
  const scroll = await Scroll.open(from, {
    ...there,
    ...reading,
    size,
    withoutSource: ({ metadata }) => {
      const place = placeOf(documents);
      moved.withoutSource++;
      refused.add(withoutSourceRefusal(metadata, place));
    },
  });
  moved.begin(scroll.total);
  const sender = new BulkSender(to, {
    path: `/${encoded(here.index)}/_bulk`,
    lanes: connections,
    bulkBytes: BULK_BYTES,
    tries,
    refuse: (action) => {
      if (action.status === CONFLICT) moved.conflict();
      else if (action.reason.includes(EXPIRED)) moved.expired++;
      else {
        moved.refused++;
        refused.add(action);
      }
    },
    done: (actions) => {
      moved.settled += actions;
    },
    retrying,
  });
  try {
    for await (const page of scroll.pages(stop)) {
      for (const read of page) {
        const hit = movedHit(read, here);
        moved.tally.add(hit);
        const action = actionOf(hit, isForced ? 'force' : 'external');
        sender.add(sender.laneOf(hit.id), action, hit.source, placeOf(documents++), false);
      }
      await sender.ready();
    }
    if (!stop.aborted) await sender.finish();
  } finally {
    await sender.stop();
    await scroll.close();
  }
}
