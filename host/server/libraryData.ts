/** The data folder of an engine in a program's own thread; what it needs is not there where the library alone is installed. */
import { createRequire } from 'node:module';
import type { KeptData } from '../library/platform.js';
import { LOCK_PACKAGE } from './fileLock.js';

/** Packages that a data folder needs. */
const PARTS = LOCK_PACKAGE === undefined ? ['lmdb'] : ['lmdb', LOCK_PACKAGE];

/** Opens a folder, the same as a server's, or memory for `:memory:`. */
export async function openData(data: string): Promise<KeptData> {
  if (/^(idb|opfs):/.test(data))
    throw new Error(`data: ${data} is a store of browsers; here data is the path of a folder`);
  return (await folders()).openData(data);
}

async function folders(): Promise<typeof import('./dataFolder.js')> {
  try {
    return await import('./dataFolder.js');
  } catch (cause) {
    const missing = PARTS.filter(isMissing);
    if (missing.length === 0) throw cause;
    throw new Error(
      `data in a folder needs ${missing.join(' and ')}; install it with: npm install ${missing.join(' ')} ` +
        '(resilin-server has all that it needs)',
      { cause },
    );
  }
}

function isMissing(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return false;
  } catch {
    return true;
  }
}
