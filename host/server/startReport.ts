/** What a start has found, as one line of the log. */
import type { Engine } from '../engine/engine.js';
import { statsOf } from '../engine/stats.js';
import { sizeText } from '../settings/sizes.js';
import { dataBytes } from './dataFolder.js';
import { type Logger, tookText } from './log.js';

/**
 * Waits until the indices are open, and tells the log how many there are, with their shards and documents, what the data folder takes of
 * the disk, and how long it took. Shards that can't be opened make it a warning. A server that ends before tells nothing.
 * @param data the data folder; undefined where nothing is kept
 * @param began when the start began, as `performance.now()` tells it
 */
export async function reportStart(
  engine: Engine,
  data: string | undefined,
  began: number,
  log: Pick<Logger, 'info' | 'warn' | 'isLevelEnabled'>,
  ended: () => boolean,
): Promise<void> {
  if (!log.isLevelEnabled('warn')) return;
  await engine.ready(undefined);
  const ms = Math.round(performance.now() - began);
  const found = { indices: 0, closed: 0, shards: 0, failed: 0, documents: 0 };
  for (const index of engine.cluster.all()) {
    found.indices++;
    if (index.closed) found.closed++;
    for (const { shard, stats } of await statsOf(index, { scrolls: engine.scrolls })) {
      found.shards++;
      if (!shard.active) found.failed++;
      found.documents += stats?.documents ?? 0;
    }
  }
  if (ended()) return;
  const bytes = data === undefined ? undefined : dataBytes(data);
  const fields = { event: 'opened', ...found, ...(bytes === undefined ? {} : { bytes }), ms };
  const { failed, closed } = found;
  const indices = `${counted(found.indices, 'index', 'indices')}${closed > 0 ? ` (${closed} closed)` : ''}`;
  const shards = counted(found.shards, 'shard', 'shards');
  const documents = counted(found.documents, 'document', 'documents');
  const size = bytes === undefined ? '' : `, ${sizeText(bytes)} on the disk`;
  const text = `opened ${indices}, ${shards}, ${documents}${size}, in ${tookText(ms)}`;
  if (failed === 0) log.info(fields, text);
  else log.warn(fields, `${text}; ${failed} of the shards can't be opened`);
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
