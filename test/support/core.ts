import { readFileSync } from 'node:fs';
import { coreFile } from './cores.js';

/** The file of the whole core: with `RESILIN_CORE=debug` the debug one, which traps where memory is used after its lifetime. */
export const CORE_FILE = await coreFile(
  'resilin',
  process.env.RESILIN_CORE === 'debug' ? 'debug' : 'release',
);

/** The bytes of the whole core. */
export function coreBytes(): Buffer<ArrayBuffer> {
  return readFileSync(CORE_FILE);
}
