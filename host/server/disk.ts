/** The file system that a folder is on, as the kernel tells of it. */
import { readFileSync, realpathSync, statfsSync } from 'node:fs';
import type { Disk } from '../rest/cluster/node.js';

/** Bytes of the sectors that `/proc/diskstats` counts, whatever the disk's own are. */
const SECTOR = 512;

/** A line of `/proc/self/mountinfo`. */
interface Mount {
  /** `major:minor` of the device. */
  number: string;
  folder: string;
  type: string;
  device: string;
}

/**
 * Stats of the file system that holds a folder. Where it is mounted, its device and what was moved to and from it are
 * known on Linux only.
 *
 * @throws the system's error where there is no such folder
 */
export function diskOf(folder: string): Disk {
  const { bsize, blocks, bfree, bavail } = statfsSync(folder);
  const path = realpathSync(folder);
  const mount = mountOf(path, linesOf('/proc/self/mountinfo'));
  return {
    total: bsize * blocks,
    free: bsize * bfree,
    available: bsize * bavail,
    path,
    ...(mount === undefined
      ? {}
      : {
          place: { mount: mount.folder, device: mount.device, type: mount.type },
          transfers: transfersOf(mount.number, linesOf('/proc/diskstats')),
        }),
  };
}

/** The innermost mounted folder that a path is in, the last where several are mounted there. */
export function mountOf(path: string, lines: readonly string[]): Mount | undefined {
  let found: Mount | undefined;
  for (const line of lines) {
    const mount = parseMount(line);
    if (mount === undefined || !isWithin(path, mount.folder)) continue;
    if (found === undefined || mount.folder.length >= found.folder.length) found = mount;
  }
  return found;
}

/** `36 35 98:0 /root /folder options [fields] - type device options`; blanks in folders are written `\040`. */
function parseMount(line: string): Mount | undefined {
  const [left, right] = line.split(' - ');
  const [, , number, , folder] = (left ?? '').split(' ');
  const [type, device] = (right ?? '').split(' ');
  if (number === undefined || folder === undefined || type === undefined || device === undefined)
    return undefined;
  return { number, folder: unescaped(folder), type, device: unescaped(device) };
}

function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

function isWithin(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

/** `8 0 sda reads merged sectors ms writes merged sectors ms …`: what a device did since the machine was started. */
export function transfersOf(number: string, lines: readonly string[]): Disk['transfers'] {
  for (const line of lines) {
    const [major, minor, , reads, , read, , writes, , written] = line.trim().split(/\s+/);
    if (`${major}:${minor}` !== number || written === undefined) continue;
    return {
      reads: Number(reads),
      writes: Number(writes),
      readBytes: SECTOR * Number(read),
      writtenBytes: SECTOR * Number(written),
    };
  }
  return undefined;
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
