/** What browsers and their workers have of their own. */
import type { KeptData, Platform } from '../library/platform.js';
import { IndexedDb } from '../storage/indexedDb.js';
import { type Journal, JournaledStorage } from '../storage/journal.js';
import { hasSyncFiles, openOpfs } from '../storage/opfs.js';
import { compileCore } from './core.js';
import { lockStore } from './storeLock.js';

/** A page's or a worker's. */
export const browserPlatform: Platform = { compileCore, openData, loadsLate: true };

/** Opens the store of a name such as `idb:books`. */
export async function openData(data: string): Promise<KeptData> {
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
  const release = await lockStore(data);
  try {
    const { journal, blobs } =
      kind === 'idb' ? await IndexedDb.open(`resilin ${name}`) : await openOpfs(name);
    return { storage: await openJournaled(journal), blobs, release };
  } catch (e) {
    release();
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
