/** An index as a file, and an index from one. */
import { indexAlreadyExists, indexClosed } from '../errors.js';
import type { Cluster } from '../metadata/cluster.js';
import { checkIndexName } from '../metadata/names.js';
import type { IndexMetadata, OpenIndex } from '../metadata/openIndex.js';
import { readSettings } from '../settings/indexSettings.js';
import { randomId } from '../shard/ids.js';
import type { Blobs, Storage } from '../storage/storage.js';
import { ExportFile, ExportFileError, ExportFileWriter } from './exportFile.js';
import type { ExportRecord } from './exportRecord.js';
import type { Imported } from './imported.js';
import { readShard } from './reading.js';
import { writeParts } from './writing.js';

/** What an import needs of the engine. */
export interface ImportServices {
  storage: Storage;
  blobs: Blobs;
  cluster: Cluster;
}

/** The file of an index as it is now, with as much of it in segments as can be. */
export async function exportIndex(index: OpenIndex): Promise<Uint8Array<ArrayBuffer>> {
  if (index.closed) throw indexClosed(index.name);
  const file = new ExportFileWriter();
  const shards: ExportRecord['shards'] = [];
  for (const shard of index.shards) shards.push(await writeParts(shard, async (bytes) => file.put(bytes)));
  return file.finish(recordOf(index, shards));
}

/** What the file is of. What the documents of the shards needed of the mapping is in it by now. */
export function recordOf(index: OpenIndex, shards: ExportRecord['shards']): ExportRecord {
  const { name, created, settings, mapping, aliases, warmers } = index.saved();
  return {
    index: {
      name,
      created,
      settings,
      ...(mapping === undefined ? {} : { mapping }),
      ...(aliases === undefined ? {} : { aliases }),
      ...(warmers === undefined ? {} : { warmers }),
    },
    shards,
  };
}

/**
 * Makes an index of a file, all of it or nothing; resolves when it is open.
 * @param bytes stay as they are: what is kept in memory is read from them
 */
export async function importIndex(
  bytes: Uint8Array,
  wanted: string | undefined,
  { storage, blobs, cluster }: ImportServices,
): Promise<Imported> {
  const file = new ExportFile(bytes);
  const { index: from, shards } = file.record;
  const name = wanted ?? from.name;
  checkIndexName(name);
  const check = () => {
    cluster.stored.blocks.check('metadata_write');
    if (cluster.find(name) !== undefined) throw indexAlreadyExists(name);
  };
  check();
  const settings = readSettings(name, from.settings.flat);
  if (settings.shards !== shards.length)
    throw new ExportFileError(`the file has ${shards.length} shards of ${settings.shards}`);
  const shardUids = await cluster.reserveShards(shards.length);
  const metadata: IndexMetadata = { ...from, name, uuid: randomId(), settings, shardUids };
  try {
    for (const [number, shard] of shards.entries())
      await readShard(shard, async (part) => file.read(part), shardUids[number]!, { storage, blobs });
    await cluster.adopt([metadata], [], check, () => {});
  } catch (e) {
    // Unless it has been adopted, nobody knows them.
    if (cluster.find(name)?.metadata.shardUids !== shardUids) await cluster.abandonShards(shardUids);
    throw e;
  }
  return { index: name, documents: shards.reduce((sum, { documents }) => sum + documents, 0) };
}
