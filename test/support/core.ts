import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * The file of the whole core. With `RESILIN_CORE=debug` its contents are those of the debug core (test/globalSetup.ts), which traps
 * where memory is used after its lifetime.
 */
export const CORE_FILE = resolve(import.meta.dirname, '../../build/resilin.wasm');

/** The bytes of the whole core. */
export function coreBytes(): Buffer<ArrayBuffer> {
  return readFileSync(CORE_FILE);
}
