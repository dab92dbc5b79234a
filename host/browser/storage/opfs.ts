/** `resilin/storage/opfs`: files of the origin, in dedicated workers of browsers. */
import type { Store } from '../../library/store.js';
import { hasSyncFiles, openOpfs } from '../../storage/opfs.js';
import { openJournaled } from '../journaledStore.js';

export type { OpenStore, Store } from '../../library/store.js';

/** Files of the worker's origin: the same as those of `data: 'opfs:NAME'`. Acknowledged means that the browser has written them through. */
export function opfs(name: string): Store {
  const data = `opfs:${name}`;
  return {
    name: data,
    isShared: true,
    async open() {
      if (name === '') throw new Error("a store has a name: opfs('books')");
      if (!hasSyncFiles()) throw new Error(`${data} can be kept in a dedicated worker of a browser alone`);
      return openJournaled(data, () => openOpfs(name));
    },
  };
}
