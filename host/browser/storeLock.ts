/** One engine at a time for a store: a lock that all tabs and workers of an origin see, and that ends with whoever has it. */

/** A page that is loaded again may have its lock still for a moment. */
const WAIT_MS = 2000;

/** Another tab or worker has the store. */
export class StoreInUse extends Error {
  override readonly name = 'StoreInUse';

  constructor(data: string) {
    super(
      `${data} is open in another tab or worker of ${location.origin}: close it there, or have one worker keep it for all tabs ` +
        '(resilin/service-worker: serve({ data }))',
    );
  }
}

/** Takes a store for this engine; what it resolves with lets others have it. */
export function lockStore(data: string): Promise<() => void> {
  const { locks } = navigator;
  if (!locks)
    throw new Error(`${data} can't be kept here: only pages by https or of localhost have the lock it needs`);
  return new Promise((resolve, reject) => {
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(new StoreInUse(data)), WAIT_MS);
    locks
      .request(`resilin ${data}`, { signal: waiting.signal }, () => {
        clearTimeout(timer);
        return new Promise<void>((release) => resolve(release));
      })
      .catch(reject);
  });
}
