/** Deletes what the old server hasn't got any more. */
import { BulkSender } from '../remote/bulkSender.js';
import { metadataText } from '../remote/hits.js';
import type { RefusedFile } from '../remote/refusedFile.js';
import { encoded, type Requests } from '../remote/requests.js';
import type { MoveOptions } from './documents.js';
import type { Part } from './part.js';
import { unlikeDocuments } from './unlike.js';

const BULK_BYTES = 1024 * 1024;
const CONFLICT = 409;
/** What of a document says which one it is. */
const IDENTITY = ['_type', '_id', '_routing', '_parent', '_version'];

/** Deletes them; returns how many. What is written meanwhile stays. */
export async function deleteGone(
  from: Requests,
  to: Requests,
  { there, here }: Part,
  refused: RefusedFile,
  { size, tries, stop, retrying }: MoveOptions,
): Promise<number> {
  let deleted = 0;
  let kept = 0;
  const sender = new BulkSender(to, {
    path: `/${encoded(here.index)}/_bulk`,
    lanes: 1,
    bulkBytes: BULK_BYTES,
    tries,
    refuse: (action) => {
      kept++;
      if (action.status !== CONFLICT) refused.add(action);
    },
    done: (actions) => {
      deleted += actions;
    },
    retrying,
  });
  try {
    const gone = unlikeDocuments(
      { requests: to, place: here },
      { requests: from, place: there },
      { size },
      { stop, tries, retrying },
    );
    for await (const { hit, version } of gone) {
      if (version !== undefined) continue;
      const identity = new Map([...hit.metadata].filter(([name]) => IDENTITY.includes(name)));
      const place = { file: 0, offset: 0, line: 1, documents: 0 };
      sender.add(0, `{"delete":{${metadataText(identity)}}}`, undefined, place, false);
      await sender.ready();
    }
    if (!stop.aborted) await sender.finish();
  } finally {
    await sender.stop();
  }
  return deleted - kept;
}
