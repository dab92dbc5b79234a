/** What browsers and their workers have of their own. */
import type { KeptData, Platform } from '../library/platform.js';
import { IndexedDb } from '../storage/indexedDb.js';
import { JournaledStorage } from '../storage/journal.js';
import { compileCore } from './core.js';
import { lockStore } from './storeLock.js';

/** A page's or a worker's. */
export const browserPlatform: Platform = { compileCore, openData, loadsLate: true };

/** Opens the store of a name such as `idb:books`. */
export async function openData(data: string): Promise<KeptData> {
  const [, kind, name] = /^(\w+):(.+)$/.exec(data) ?? [];
  if (kind !== 'idb' || name === undefined)
    throw new Error(`data: ${data} is no store of a browser; 'idb:NAME' is one, in IndexedDB`);
  const release = await lockStore(data);
  try {
    const { journal, blobs } = await IndexedDb.open(`resilin ${name}`);
    return { storage: await JournaledStorage.open(journal), blobs, release };
  } catch (e) {
    release();
    throw new Error(`${data} can't be opened: ${e instanceof Error ? e.message : e}`, { cause: e });
  }
}
