/**
 * What a disk has when the power goes, after each call of a program that changed files. The model is the abstract persistence model of
 * ALICE (Pillai et al., "All File Systems Are Not Created Equal", OSDI 2014), as weak as journaling file systems let it be; CrashMonkey
 * (Mohan et al., OSDI 2018) tests such states of file systems themselves.
 *
 *   - fsync and fdatasync of a file make its bytes and its length durable, and nothing else: not its name, nor any folder.
 *   - fsync of a folder makes its names durable: what was created, renamed and removed there.
 *   - a write to a file that syncs each one (O_DSYNC) makes its own bytes durable.
 *   - of the bytes that are not durable, each block is what any of the writes since then has left, or what was durable. A block is a
 *     sector of 512 bytes, which disks write as a whole, or a page of 4,096, which the kernel writes as a whole.
 *   - of the lengths of a file that are not durable any may be there, those before it having been passed; what was not written is zeros.
 *     So the length may be there without the bytes, and bytes, within a length that is durable, before others that were written earlier.
 *   - of the names of a folder that are not durable the first ones are there, however many: the journal keeps their order. A renaming
 *     between folders is there as a whole. Folders are independent of each other, and of the bytes.
 */
import type { Change } from './changeLog.js';

/** Something that is done to a file. */
type FileChange = { at: number; bytes: Buffer } | { length: number };

/** A file: what is durable of it, and what has been done to it since. */
export class DiskFile {
  readonly inode: number;
  durable: Buffer;
  pending: FileChange[] = [];
  /** As the process sees it. */
  length: number;

  constructor(inode: number, durable: Buffer<ArrayBufferLike> = Buffer.alloc(0)) {
    this.inode = inode;
    this.durable = durable;
    this.length = durable.length;
  }

  change(change: FileChange): void {
    this.pending.push(change);
    this.length = 'length' in change ? change.length : Math.max(this.length, change.at + change.bytes.length);
  }

  sync(): void {
    if (this.pending.length === 0) return;
    this.durable = this.seen();
    this.pending = [];
  }

  syncRange(at: number, length: number): void {
    const end = at + length;
    const bytes = this.seen().subarray(at, end);
    if (this.pending.some((change) => 'length' in change)) throw new Error('synced writes of a cut file');
    const durable = resized(this.durable, Math.max(this.durable.length, end));
    durable.set(bytes, at);
    this.durable = durable;
    // What was written there before is past.
    this.pending = this.pending.flatMap((change) => {
      if ('length' in change || change.at >= end || change.at + change.bytes.length <= at) return [change];
      const before = { at: change.at, bytes: change.bytes.subarray(0, Math.max(0, at - change.at)) };
      const behind = { at: end, bytes: change.bytes.subarray(Math.max(0, end - change.at)) };
      return [before, behind].filter((part) => part.bytes.length > 0);
    });
  }

  /** All that has been done. */
  seen(): Buffer {
    const out = Buffer.alloc(Math.max(this.durable.length, ...this.pending.map(endOf)));
    out.set(this.durable);
    for (const change of this.pending) {
      if ('length' in change) out.fill(0, change.length);
      else out.set(change.bytes, change.at);
    }
    return resized(out, this.length);
  }
}

function endOf(change: FileChange): number {
  return 'length' in change ? change.length : change.at + change.bytes.length;
}

/** A copy of so many bytes, the last ones zeros. */
function resized(bytes: Buffer, length: number): Buffer {
  const out = Buffer.alloc(length);
  out.set(bytes.subarray(0, length));
  return out;
}

/** Names that come and go at once; in two folders where something is renamed between them. */
export interface NameChange {
  parts: { folder: DiskFolder; name: string; node: DiskNode | undefined }[];
}

/** What a name is of. */
export type DiskNode = DiskFile | DiskFolder;

/** A folder: the names that are durable, and how they have changed since. */
export class DiskFolder {
  readonly inode: number;
  readonly durable = new Map<string, DiskNode>();
  pending: NameChange[] = [];

  constructor(inode: number) {
    this.inode = inode;
  }

  /** The names after some of the changes; all without. */
  names(count = this.pending.length): Map<string, DiskNode> {
    const names = new Map(this.durable);
    for (const change of this.pending.slice(0, count)) applyTo(this, change, names);
    return names;
  }

  /** Makes the first changes durable. */
  settle(count: number): void {
    for (const change of this.pending.slice(0, count)) applyTo(this, change, this.durable);
    this.pending = this.pending.slice(count);
  }
}

function applyTo(folder: DiskFolder, { parts }: NameChange, names: Map<string, DiskNode>): void {
  for (const part of parts) {
    if (part.folder !== folder) continue;
    if (part.node === undefined) names.delete(part.name);
    else names.set(part.name, part.node);
  }
}

/** The disk below a folder, which is durable itself. */
export class Disk {
  readonly #path: string;
  readonly root: DiskFolder;
  readonly #nodes = new Map<number, DiskNode>();

  /** @param root what is there before the first change, all of it durable */
  constructor(path: string, root: DiskFolder) {
    this.#path = path;
    this.root = root;
    this.#know(root);
  }

  #know(node: DiskNode): void {
    this.#nodes.set(node.inode, node);
    if (node instanceof DiskFolder) for (const below of node.durable.values()) this.#know(below);
  }

  apply(change: Change): void {
    switch (change.kind) {
      case 'create':
      case 'mkdir': {
        const { inode } = change;
        const node = change.kind === 'create' ? new DiskFile(inode) : new DiskFolder(inode);
        this.#nodes.set(inode, node);
        this.#rename([[change.path, node]]);
        return;
      }
      case 'unlink':
      case 'rmdir':
        this.#rename([[change.path, undefined]]);
        return;
      case 'rename':
        this.#rename([
          [change.from, undefined],
          [change.to, this.#nodes.get(change.inode)],
        ]);
        return;
      case 'write':
        this.#file(change.inode).change({ at: change.at, bytes: change.bytes });
        return;
      case 'truncate':
        this.#file(change.inode).change({ length: change.length });
        return;
      case 'syncRange':
        this.#file(change.inode).syncRange(change.at, change.length);
        return;
      case 'sync': {
        const node = this.#nodes.get(change.inode);
        if (node instanceof DiskFile) node.sync();
        else if (node instanceof DiskFolder) syncNames(node);
        return;
      }
      default:
        return;
    }
  }

  #file(inode: number): DiskFile {
    const node = this.#nodes.get(inode);
    if (!(node instanceof DiskFile)) throw new Error(`nobody has made the file ${inode}`);
    return node;
  }

  #rename(names: [path: string, node: DiskNode | undefined][]): void {
    const parts = names.map(([path, node]) => {
      const at = path.lastIndexOf('/');
      return { folder: this.#folder(path.slice(0, at)), name: path.slice(at + 1), node };
    });
    const change = { parts };
    for (const folder of new Set(parts.map((part) => part.folder))) folder.pending.push(change);
  }

  /** The folder of a path as the process sees it. */
  #folder(path: string): DiskFolder {
    let folder = this.root;
    for (const name of path.slice(this.#path.length).split('/').filter(Boolean)) {
      const below = folder.names().get(name);
      if (!(below instanceof DiskFolder)) throw new Error(`${path} is no folder`);
      folder = below;
    }
    return folder;
  }
}

/** Makes the names of a folder durable, and of others what came before something that was renamed between them. */
function syncNames(folder: DiskFolder): void {
  const counts = new Map([[folder, folder.pending.length]]);
  for (const [each, count] of counts) {
    for (const change of each.pending.slice(0, count)) {
      for (const part of change.parts) {
        const needed = part.folder.pending.indexOf(change) + 1;
        // A map that grows is walked to its new end; what grows again is looked at again.
        if (needed <= (counts.get(part.folder) ?? 0)) continue;
        counts.delete(part.folder);
        counts.set(part.folder, needed);
      }
    }
  }
  for (const [each, count] of counts) each.settle(count);
}
