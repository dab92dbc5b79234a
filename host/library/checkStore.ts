/** Tells whether a store is what an engine relies on. */
import { BLOBS, KEPT, STORAGE } from '../storage/contract.js';
import type { OpenStore, Store } from './store.js';

const ALL_FROM = new Uint8Array(0);
/** Behind every key: none is longer than 1,900 bytes. */
const ALL_TO = new Uint8Array(1901).fill(255);

/**
 * Opens a store, writes to it, reads it back, and opens it again: it ends as empty as it began. That what was acknowledged outlives the process and the
 * machine's power is for its own tests to show.
 * @param isKept whether it has what was committed when it is opened again, as all but those in memory do; true without
 * @returns what was found to hold, in words
 * @throws where it doesn't hold, and where the store has something in it
 */
export async function checkStore(
  store: Store,
  { isKept = true }: { isKept?: boolean } = {},
): Promise<string[]> {
  await using(store, async ({ storage, blobs }) => {
    const [row] = storage.range(ALL_FROM, ALL_TO, { limit: 1 });
    if (row !== undefined || (await blobs.list()).length > 0)
      throw new Error(`${store.name} has something in it; what is checked is written to`);
  });
  const held: string[] = [];
  const check = async (does: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (cause) {
      throw new Error(`${store.name}, ${does}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    } finally {
      await using(store, empty);
    }
    held.push(does);
  };
  for (const [does, work] of Object.entries(STORAGE))
    await check(does, () => using(store, ({ storage }) => work(storage)));
  for (const [does, work] of Object.entries(BLOBS))
    await check(`blobs: ${does}`, () => using(store, ({ blobs }) => work(blobs)));
  if (isKept)
    for (const [does, work] of Object.entries(KEPT)) await check(does, () => work(() => openStorage(store)));
  return held;
}

async function using(store: Store, work: (open: OpenStore) => Promise<void>): Promise<void> {
  const open = await store.open();
  try {
    await work(open);
  } finally {
    await open.storage.close();
    open.release?.();
  }
}

/** A storage whose closing lets go of the whole store. */
async function openStorage(store: Store): Promise<OpenStore['storage']> {
  const { storage, release } = await store.open();
  return new Proxy(storage, {
    get(of, property) {
      if (property === 'close') return () => of.close().then(() => release?.());
      const value = Reflect.get(of, property, of);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
}

async function empty({ storage, blobs }: OpenStore): Promise<void> {
  const keys = Array.from(storage.range(ALL_FROM, ALL_TO, { keysOnly: true }), ([key]) => key);
  await storage.commit([], keys, { freeing: true });
  for (const name of await blobs.list()) await blobs.delete(name);
}
