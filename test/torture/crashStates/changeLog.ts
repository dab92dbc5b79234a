/** The log of all that a process has changed in a folder (test/support/faults/changes.c). */

/** A call that changed a file or folder, or a mark of the program's; files and folders are told by their inodes. */
export type Change =
  | { kind: 'create' | 'mkdir' | 'unlink' | 'rmdir'; inode: number; path: string }
  | { kind: 'rename'; inode: number; from: string; to: string }
  | { kind: 'write'; inode: number; at: number; bytes: Buffer }
  | { kind: 'truncate'; inode: number; length: number }
  | { kind: 'sync'; inode: number }
  /** What a write to a file that syncs each one (O_DSYNC) makes durable: its bytes alone. */
  | { kind: 'syncRange'; inode: number; at: number; length: number }
  /** A file may be changed by memory from here on, which is not told of. */
  | { kind: 'map'; path: string }
  | { kind: 'mark'; text: string };

const KINDS = [
  '',
  'create',
  'mkdir',
  'write',
  'truncate',
  'rename',
  'unlink',
  'rmdir',
  'sync',
  'map',
  'mark',
] as const;
const HEAD_BYTES = 32;

/** Reads a log. A write that syncs itself is two changes: the power may be cut when half of it is on the disk. */
export function readChanges(log: Buffer): Change[] {
  const changes: Change[] = [];
  for (let at = 0; at < log.length; ) {
    const kind = KINDS[log.readUInt32LE(at)]!;
    const isSynced = log.readUInt32LE(at + 4) === 1;
    const inode = Number(log.readBigUInt64LE(at + 8));
    const place = Number(log.readBigUInt64LE(at + 16));
    const end = at + HEAD_BYTES + Number(log.readBigUInt64LE(at + 24));
    const bytes = log.subarray(at + HEAD_BYTES, end);
    at = end;
    switch (kind) {
      case 'create':
      case 'mkdir':
      case 'unlink':
      case 'rmdir':
        changes.push({ kind, inode, path: bytes.toString() });
        break;
      case 'rename': {
        const [from, to] = bytes.toString().split('\0');
        changes.push({ kind, inode, from: from!, to: to! });
        break;
      }
      case 'write':
        changes.push({ kind, inode, at: place, bytes });
        if (isSynced) changes.push({ kind: 'syncRange', inode, at: place, length: bytes.length });
        break;
      case 'truncate':
        changes.push({ kind, inode, length: place });
        break;
      case 'sync':
        changes.push({ kind, inode });
        break;
      case 'map':
        changes.push({ kind, path: bytes.toString() });
        break;
      case 'mark':
        changes.push({ kind, text: bytes.toString() });
        break;
      default:
        throw new Error(`the log has a record of kind ${kind}`);
    }
  }
  return changes;
}
