/** The stores of browsers and their workers. */
import type { KeptData } from '../library/platform.js';
import { IndexedDb } from '../storage/indexedDb.js';
import { type Journal, JournaledStorage } from '../storage/journal.js';
import { hasSyncFiles, openOpfs } from '../storage/opfs.js';

/** A store, as its name says. */
interface StoreName {
  kind: 'idb' | 'opfs';
  name: string;
}

/** Reads a name such as `idb:books`; throws where there are no such stores here. */
export function storeName(data: string): StoreName {
  const [, kind, name] = /^(idb|opfs):(.+)$/.exec(data) ?? [];
  if (name === undefined)
    throw new Error(
      `data: ${data} is no store of a browser; 'idb:NAME' is one, in IndexedDB, and in workers 'opfs:NAME', in files`,
    );
  if (kind === 'opfs' && !hasSyncFiles())
    throw new Error(
      `${data} can be kept in a dedicated worker alone: createWorkerEngine({ data: '${data}' }) of resilin/worker makes one; ` +
        `'idb:${name}' can be kept here`,
    );
  return { kind: kind as StoreName['kind'], name };
}

/** Opens a store, which nobody else may have open. */
export async function openStore(data: string): Promise<Omit<KeptData, 'release'>> {
  const { kind, name } = storeName(data);
  try {
    const { journal, blobs } =
      kind === 'idb' ? await IndexedDb.open(`resilin ${name}`) : await openOpfs(name);
    return { storage: await openJournaled(journal), blobs };
  } catch (e) {
    throw new Error(`${data} can't be opened: ${e instanceof Error ? e.message : e}`, { cause: e });
  }
}

async function openJournaled(journal: Journal): Promise<JournaledStorage> {
  try {
    return await JournaledStorage.open(journal);
  } catch (e) {
    await journal.close();
    throw e;
  }
}
