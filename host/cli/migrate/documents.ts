/** The documents of a part, from the old server to the new one. What is there in the same or a newer version is refused there, and counted. */
import { BulkSender } from '../remote/bulkSender.js';
import { actionOf, type BareHit } from '../remote/hits.js';
import { readDocuments } from '../remote/reading.js';
import type { RefusedFile } from '../remote/refusedFile.js';
import { encoded, type Requests } from '../remote/requests.js';
import { movedHit, type Part } from './part.js';
import { withoutSourceRefusal } from './structure.js';
import { Tally } from './tally.js';

const BULK_BYTES = 4 * 1024 * 1024;
const CONFLICT = 409;
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
  /** Those that are taken or refused. */
  settled = 0;
  /** Those whose time to live was over. */
  expired = 0;
  refused = 0;
  withoutSource = 0;
  /** Those that are there in the same or a newer version. */
  alreadyThere = 0;
  /** What was read. */
  tally = new Tally();

  get taken(): number {
    return this.settled - this.alreadyThere - this.expired - this.refused;
  }
}

/** Moves them. Throws what ended it; comes back early when it is stopped. */
export async function moveDocuments(
  from: Requests,
  to: Requests,
  { there, here, reading }: Part,
  moved: Moved,
  refused: RefusedFile,
  { connections, size, tries, isForced, stop, retrying }: MoveOptions,
): Promise<void> {
  const placeOf = (documents: number) => ({ file: 0, offset: documents, line: documents + 1, documents });
  let documents = 0;
  const scrolled = {
    ...there,
    ...reading,
    size,
    withoutSource: ({ metadata }: BareHit) => {
      moved.withoutSource++;
      refused.add(withoutSourceRefusal(metadata, placeOf(documents)));
    },
  };
  const began = (total: number) => {
    moved.total = total;
  };
  const sender = new BulkSender(to, {
    path: `/${encoded(here.index)}/_bulk`,
    lanes: connections,
    bulkBytes: BULK_BYTES,
    tries,
    refuse: (action) => {
      if (action.status === CONFLICT) moved.alreadyThere++;
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
    for await (const page of readDocuments(from, scrolled, { stop, tries, retrying, began })) {
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
  }
}
