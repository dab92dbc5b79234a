/** How a node comes from its own metadata to those of another one, which has followed the same log further. */
import type { IndexMetadata, OpenIndex } from '../metadata/openIndex.js';
import {
  decodeJson,
  encodeJson,
  indexKey,
  loggedMappingKey,
  nameInKey,
  shardKey,
} from '../storage/records.js';
import type { Entry, Storage } from '../storage/storage.js';
import type { LoggedMapping } from './indexLog.js';
import { isShared, type MetadataCommand } from './metadataCommand.js';

const [M, I, L] = Array.from('mil', (letter) => letter.charCodeAt(0));
const EMPTY = new Uint8Array(0);
const latin1 = new TextDecoder('latin1');

/**
 * The changes that make metadata of others one's own: first indices go that aren't there any more, or are others of that name now; then all else
 * follows. What a log has made of the mapping of an index that is here already stays: it belongs to what its copies here hold. An index that was
 * repaired meanwhile is here too: it begins its log with the copies of the one before, which may be nowhere else.
 */
export function metadataDifference(
  storage: Storage,
  own: readonly OpenIndex[],
  rows: readonly Entry[],
): { before: MetadataCommand; after: MetadataCommand } {
  const given = new Map<string, IndexMetadata>();
  const mappings = new Map<string, LoggedMapping>();
  for (const [key, row] of rows) {
    if (key[1] === I) given.set(nameInKey(key), decodeJson(row));
    else if (key[1] === L) mappings.set(nameInKey(key), decodeJson(row));
  }
  const gone = own.filter(({ name, metadata }) => {
    const index = given.get(name);
    return index?.uuid !== metadata.uuid && !isContinued(metadata, index);
  });
  const kept = new Set(own.filter((index) => !gone.includes(index)).map(({ name }) => name));
  const puts = rows.flatMap(([key, row]): Entry[] => {
    const name = nameInKey(key);
    if (key[1] === L) return kept.has(name) ? [] : [[key, row]];
    if (key[1] !== I || kept.has(name)) return [[key, row]];
    const metadata = given.get(name)!;
    const logged = mappings.get(name);
    if (logged?.uuid !== metadata.uuid) return [[key, row]];
    return [[key, encodeJson({ ...metadata, mapping: logged.mapping })]];
  });
  const there = new Set(rows.map(([key]) => latin1.decode(key)));
  const shared = [...storage.range(Uint8Array.of(M!), Uint8Array.of(M! + 1), { keysOnly: true })]
    .map(([key]) => key)
    .filter((key) => isShared(key) && key[1] !== I && key[1] !== L);
  return {
    before: {
      puts: gone.flatMap(({ metadata }) =>
        metadata.shardUids.map((uid): Entry => [shardKey('g', uid), EMPTY]),
      ),
      deletes: gone.flatMap(({ name }) => [indexKey(name), loggedMappingKey(name)]),
    },
    after: { puts, deletes: shared.filter((key) => !there.has(latin1.decode(key))) },
  };
}

/** Whether an index is what a repair has made of one: it has the same shards. */
function isContinued({ shardUids }: IndexMetadata, by: IndexMetadata | undefined): boolean {
  return by?.continued !== undefined && by.shardUids.join() === shardUids.join();
}
