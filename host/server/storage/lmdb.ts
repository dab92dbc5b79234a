/** `resilin/storage/lmdb`: a folder, in Node and Deno. */
import type { Store } from '../../library/store.js';
import { openData } from '../libraryData.js';

export type { OpenStore, Store } from '../../library/store.js';

/**
 * A folder with rows in LMDB and segments in files: the same as `data: FOLDER` and a server's. Acknowledged means synced to the disk. It needs the
 * packages `lmdb` and `fs-native-extensions`; opening says so where they are missing.
 */
export function lmdb(folder: string): Store {
  return {
    name: folder,
    async open() {
      if (folder === '' || folder === ':memory:')
        throw new Error("lmdb wants the path of a folder: lmdb('./books')");
      return openData(folder);
    },
  };
}
