/** Documents on their way from one index to another. */
import type { BulkSender } from '../remote/bulkSender.js';
import { actionOf } from '../remote/hits.js';
import type { Scroll } from '../remote/scroll.js';

/**
 * Has a sender send all documents of a scroll, no faster than they are taken, and waits until they are taken or refused; ends early when
 * it is stopped. Throws what ended either of them.
 */
export async function copyDocuments(scroll: Scroll, sender: BulkSender, stop: AbortSignal): Promise<void> {
  let documents = 0;
  for await (const hits of scroll.pages(stop)) {
    for (const hit of hits) {
      const place = { file: 0, offset: documents, line: documents + 1, documents };
      sender.add(sender.laneOf(hit.id), actionOf(hit), hit.source, place, false);
      documents++;
    }
    await sender.ready();
  }
  if (!stop.aborted) await sender.finish();
}
