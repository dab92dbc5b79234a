/** The contract of stores on a page or in a worker of a browser, which `browserStores.test.ts` bundles and asks. */
import { openData } from '../../host/browser/platform.js';
import { BLOBS, KEPT, STORAGE } from './contract.js';

type Check = 'storage' | 'kept' | 'blobs';

/** Runs one function of the contract on a store of that name. */
async function check(kind: Check, does: string, data: string): Promise<void> {
  if (kind === 'kept') {
    await KEPT[does]!(async () => {
      const { storage, release } = await openData(data);
      return {
        get: (key) => storage.get(key),
        range: (from, to, options) => storage.range(from, to, options),
        commit: (puts, deletes) => storage.commit(puts, deletes),
        close: () => storage.close().finally(release),
      };
    });
    return;
  }
  const { storage, blobs, release } = await openData(data);
  if (kind === 'storage') await STORAGE[does]!(storage);
  else await BLOBS[does]!(blobs);
  await storage.close();
  release();
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
  onmessage = ({ data }: MessageEvent<[Check, string, string]>) => {
    check(...data).then(
      () => postMessage(''),
      (e: Error) => postMessage(e.message),
    );
  };
else Object.assign(globalThis, { check, checkInWorker });
