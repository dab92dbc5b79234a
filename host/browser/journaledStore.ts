/** Stores in memory that a journal keeps: those of browsers. */
import type { OpenStore } from '../library/store.js';
import { type Journal, JournaledStorage } from '../storage/journal.js';
import type { Blobs } from '../storage/storage.js';

/** Opens a store; where that fails, `data` is named in the error. */
export async function openJournaled(
  data: string,
  open: () => Promise<{ journal: Journal; blobs: Blobs }>,
): Promise<OpenStore> {
  try {
    const { journal, blobs } = await open();
    return { storage: await readJournal(journal), blobs };
  } catch (e) {
    throw new Error(`${data} can't be opened: ${e instanceof Error ? e.message : e}`, { cause: e });
  }
}

async function readJournal(journal: Journal): Promise<JournaledStorage> {
  try {
    return await JournaledStorage.open(journal);
  } catch (e) {
    await journal.close();
    throw e;
  }
}
