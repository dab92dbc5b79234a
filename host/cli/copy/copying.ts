/** Documents on their way from one index to another, percolator queries last. */
import type { BulkSender } from '../remote/bulkSender.js';
import { actionOf } from '../remote/hits.js';
import { type ReadingOptions, readDocuments } from '../remote/reading.js';
import type { Requests } from '../remote/requests.js';
import { PERCOLATOR, type ScrollOptions } from '../remote/scroll.js';

/**
 * Has a sender send all documents of an index, no faster than they are taken, and waits until they are taken or refused; ends early when
 * it is stopped. Throws what ended either of them.
 */
export async function copyDocuments(
  from: Requests,
  options: ScrollOptions,
  sender: BulkSender,
  reading: ReadingOptions,
): Promise<void> {
  let documents = 0;
  for (const type of [undefined, PERCOLATOR]) {
    const before = documents;
    const began = (total: number) => reading.began?.(before + total);
    for await (const hits of readDocuments(from, { ...options, type }, { ...reading, began })) {
      for (const hit of hits) {
        const place = { file: 0, offset: documents, line: documents + 1, documents };
        sender.add(sender.laneOf(hit.id), actionOf(hit), hit.source, place, false);
        documents++;
      }
      await sender.ready();
    }
  }
  if (!reading.stop.aborted) await sender.finish();
}
