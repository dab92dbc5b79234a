/** `resilin/storage/idb`: IndexedDB, in pages and workers of browsers. */
import type { Store } from '../../library/store.js';
import { openIdb } from '../../storage/indexedDb.js';
import { openJournaled } from '../journaledStore.js';

export type { OpenStore, Store } from '../../library/store.js';

/** A database of the page's origin: the same as the one of `data: 'idb:NAME'`. Acknowledged means that the browser has written it through. */
export function idb(name: string): Store {
  const data = `idb:${name}`;
  return {
    name: data,
    isShared: true,
    async open() {
      if (name === '') throw new Error("a store has a name: idb('books')");
      if (typeof indexedDB === 'undefined')
        throw new Error(`${data} can't be kept here: there is no IndexedDB`);
      return openJournaled(data, () => openIdb(name));
    },
  };
}
