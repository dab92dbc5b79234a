/** The release core in this thread, for the benches that ask it without a server. */
import { readFileSync } from 'node:fs';
import { type Core, loadCore } from '../host/core/instance.js';
import { allParts } from '../host/latePart.js';

const FILE = 'build/resilin.wasm';

/** Loads it, and the parts of the host that an engine would load. */
export async function releaseCore(): Promise<Core> {
  await allParts();
  return loadCore(readFileSync(FILE) as Uint8Array<ArrayBuffer>);
}
