/** The stores of browsers and their workers. */
import type { OpenStore } from '../library/store.js';
import { openIdb } from '../storage/indexedDb.js';
import { hasSyncFiles, openOpfs } from '../storage/opfs.js';
import { openJournaled } from './journaledStore.js';

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
export function openStore(data: string): Promise<OpenStore> {
  const { kind, name } = storeName(data);
  return openJournaled(data, () => (kind === 'idb' ? openIdb(name) : openOpfs(name)));
}
