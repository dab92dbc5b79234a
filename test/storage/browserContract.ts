/** The contract of stores on a page or in a worker of a browser, which `browserStores.test.ts` bundles and asks. */
import { idb } from '../../host/browser/storage/idb.js';
import { memory } from '../../host/browser/storage/memory.js';
import { opfs } from '../../host/browser/storage/opfs.js';
import { openStore } from '../../host/browser/stores.js';
import { checkStore } from '../../host/library/checkStore.js';
import { BLOBS, KEPT, STORAGE } from './contract.js';

type Check = 'storage' | 'kept' | 'blobs' | 'entry';

/** The stores that the package has entries for. */
const ENTRIES = { idb, opfs, memory: () => memory() };

/** Runs one function of the contract on a store of that name. */
async function check(kind: Check, does: string, data: string): Promise<void> {
  if (kind === 'entry') {
    const [entry = '', name = ''] = data.split(':');
    const store = ENTRIES[entry as keyof typeof ENTRIES](name);
    const held = await checkStore(store, { isKept: entry !== 'memory' });
    if (held.length < 5) throw new Error(held.join());
    return;
  }
  if (kind === 'kept') {
    await KEPT[does]!(async () => (await openStore(data)).storage);
    return;
  }
  const { storage, blobs } = await openStore(data);
  if (kind === 'storage') await STORAGE[does]!(storage);
  else await BLOBS[does]!(blobs);
  await storage.close();
}

/** The same in a worker, which runs this file too. */
function checkInWorker(kind: Check, does: string, data: string): Promise<void> {
  const worker = new Worker(import.meta.url, { type: 'module' });
  return new Promise<void>((resolve, reject) => {
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data: error }) => (error === '' ? resolve() : reject(new Error(error)));
    worker.postMessage([kind, does, data]);
  }).finally(() => worker.terminate());
}

if (typeof document === 'undefined')
  addEventListener('message', ({ data }: MessageEvent<[Check, string, string]>) => {
    check(...data).then(
      () => postMessage(''),
      (e: Error) => postMessage(e.message),
    );
  });
else Object.assign(globalThis, { check, checkInWorker });
