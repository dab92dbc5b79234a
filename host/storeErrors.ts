/** Why a store takes no writes. */

/** Nothing can be written, because the disk is full; it can be again when there is room. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
}

/**
 * The disk failed while something was written: what is on it can't be known, since the kernel tells of a lost page once and then forgets it.
 * Nothing is written any more until the store is opened anew.
 */
export class StoreFailed extends Error {
  override readonly name = 'StoreFailed';

  constructor(cause: string) {
    super(`the store failed and takes no writes until the server is restarted: ${cause}`);
  }
}

/**
 * Lets `instanceof` know an error by its name and by what it has, not by its class: a store may come from another file of the package, which has
 * classes of its own, or be somebody's own.
 */
export function knownByName(type: object, name: string, ...members: readonly string[]): void {
  const value = (e: unknown) =>
    e instanceof Error && e.name === name && members.every((member) => member in e);
  Object.defineProperty(type, Symbol.hasInstance, { value });
}

knownByName(DiskFull, 'DiskFull');
knownByName(StoreFailed, 'StoreFailed');
