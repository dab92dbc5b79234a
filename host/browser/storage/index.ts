/** `resilin/storage`: what a store of one's own has to be, and what tells whether it is. */
export { checkStore } from '../../library/checkStore.js';
export type { OpenStore, Store } from '../../library/store.js';
export type { Blobs, CommitOptions, Entry, Puts, RangeOptions, Storage } from '../../storage/storage.js';
export { DamagedRow } from '../../storage/storage.js';
export { DiskFull, StoreFailed } from '../../storeErrors.js';
