/** How much of a disk a folder takes. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of a block as `stat` counts them, whatever the disk's own are. */
const BLOCK = 512;

/** Bytes that the files of a folder and of those in it take, as `du` counts them: holes are none. 0 where there is no such folder. */
export function folderBytes(folder: string): number {
  let sum = 0;
  try {
    for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true }))
      sum += fileBytes(join(parentPath, name));
  } catch {
    // There is none, or it is being removed.
  }
  return sum;
}

function fileBytes(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined || !stats.isFile() ? 0 : stats.blocks * BLOCK;
}
