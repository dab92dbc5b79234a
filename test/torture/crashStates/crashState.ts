/** One of the states that a power cut may leave a disk in, and what it is made of. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../random.js';
import { type Disk, DiskFile, DiskFolder, type DiskNode } from './diskModel.js';

/** What is left of something that wasn't durable. */
export type Kept = 'none' | 'all' | 'some';

/** The same of bytes; with `last`, what was written last of each file, and nothing that was written before. */
export type KeptBytes = Kept | 'last';

/** How a state is chosen. */
export interface Choice {
  names: Kept;
  bytes: KeptBytes;
  /** Bytes that are on the disk together or not at all. */
  block: 512 | 4096;
  /** Chooses where some are left. */
  random: Random;
}

/** A folder with all that is in it. */
export interface Tree {
  [name: string]: Buffer | Tree;
}

/** What a power cut leaves. */
export function crashState(disk: Disk, choice: Choice): Tree {
  const counts = keptNames(disk.root, choice);
  const tree = (folder: DiskFolder): Tree => {
    const names = folder.names(counts.get(folder));
    return Object.fromEntries(Array.from(names, ([name, node]) => [name, content(node)]));
  };
  const content = (node: DiskNode) => (node instanceof DiskFile ? keptBytes(node, choice) : tree(node));
  return tree(disk.root);
}

/** Of each folder, how many changes of its names are kept. */
function keptNames(root: DiskFolder, { names, random }: Choice): Map<DiskFolder, number> {
  const counts = new Map<DiskFolder, number>();
  const choose = (folder: DiskFolder): void => {
    if (counts.has(folder)) return;
    const { length } = folder.pending;
    counts.set(folder, names === 'none' ? 0 : names === 'all' ? length : random.below(length + 1));
    for (const change of folder.pending) {
      for (const part of change.parts) {
        choose(part.folder);
        if (part.node instanceof DiskFolder) choose(part.node);
      }
    }
    for (const node of folder.durable.values()) if (node instanceof DiskFolder) choose(node);
  };
  choose(root);
  // What is renamed between two folders is kept by both or by none.
  for (let isWhole = false; !isWhole; ) {
    isWhole = true;
    for (const [folder, count] of counts) {
      const broken = folder.pending
        .slice(0, count)
        .findIndex((change) =>
          change.parts.some((part) => part.folder.pending.indexOf(change) >= counts.get(part.folder)!),
        );
      if (broken < 0) continue;
      counts.set(folder, broken);
      isWhole = false;
    }
  }
  return counts;
}

/** What is kept of a file. */
function keptBytes(file: DiskFile, { bytes, block, random }: Choice): Buffer {
  const { pending, durable } = file;
  const kept =
    bytes === 'some' ? (['none', 'all', 'some', 'some', 'some'] as const)[random.below(5)]! : bytes;
  if (pending.length === 0 || kept === 'none') return durable;
  if (kept === 'last') return lastOf(file);
  if (kept === 'all') return file.seen();
  const { length, passed } = keptLength(file, random);
  const out = Buffer.alloc(length);
  out.set(durable.subarray(0, length));
  /** Of each block that was written or cut, the changes that may be the last one that it has. */
  const bias = [0.1, 0.5, 0.9][random.below(3)]!;
  for (const [number, changes] of changesByBlock(file, block)) {
    const at = number * block;
    if (at >= length) continue;
    const cuts = changes.filter((i) => 'length' in pending[i]!);
    const least =
      cuts.findLastIndex((i) => i < passed) < 0 ? 0 : changes.indexOf(cuts.findLast((i) => i < passed)!) + 1;
    const ahead = cuts.find((i) => i >= passed);
    const most = ahead === undefined ? changes.length : changes.indexOf(ahead);
    const count = random.chance(bias) ? most : least + random.below(most - least + 1);
    for (const i of changes.slice(0, count)) {
      const change = pending[i]!;
      const end = Math.min(at + block, length);
      if ('length' in change) out.fill(0, Math.max(at, Math.min(change.length, end)), end);
      else {
        const from = Math.max(at, change.at);
        const to = Math.min(end, change.at + change.bytes.length);
        if (from < to) out.set(change.bytes.subarray(from - change.at, to - change.at), from);
      }
    }
  }
  return out;
}

/** What was durable, and the last change. */
function lastOf({ inode, durable, pending }: DiskFile): Buffer {
  const file = new DiskFile(inode, durable);
  file.change(pending.at(-1)!);
  return file.seen();
}

/** A length that the file has had since it was durable, and how many of its changes were made by then. */
function keptLength({ pending, durable }: DiskFile, random: Random): { length: number; passed: number } {
  const lengths = [{ length: durable.length, passed: 0 }];
  for (const [i, change] of pending.entries()) {
    const { length } = lengths.at(-1)!;
    const next = 'length' in change ? change.length : Math.max(length, change.at + change.bytes.length);
    if (next !== length || 'length' in change) lengths.push({ length: next, passed: i + 1 });
  }
  return lengths[random.below(lengths.length)]!;
}

/** The changes of each block, by its number. */
function changesByBlock({ pending, durable }: DiskFile, block: number): Map<number, number[]> {
  const blocks = new Map<number, number[]>();
  let longest = durable.length;
  for (const change of pending)
    longest = Math.max(longest, 'length' in change ? change.length : change.at + change.bytes.length);
  for (const [i, change] of pending.entries()) {
    const from = 'length' in change ? change.length : change.at;
    const to = 'length' in change ? longest : change.at + change.bytes.length;
    for (let number = Math.floor(from / block); number * block < to; number++) {
      const changes = blocks.get(number);
      if (changes === undefined) blocks.set(number, [i]);
      else changes.push(i);
    }
  }
  return blocks;
}

/** Tells states apart. */
export function digestOf(tree: Tree): string {
  const hash = createHash('sha1');
  const add = (each: Tree): void => {
    for (const name of Object.keys(each).sort()) {
      const content = each[name]!;
      hash.update(`${name}\0${Buffer.isBuffer(content) ? content.length : 'folder'}\0`);
      if (Buffer.isBuffer(content)) hash.update(content);
      else add(content);
    }
    hash.update('\0end');
  };
  add(tree);
  return hash.digest('base64');
}

/** Makes a folder of it. */
export function writeTree(folder: string, tree: Tree): void {
  mkdirSync(folder);
  for (const [name, content] of Object.entries(tree)) {
    if (Buffer.isBuffer(content)) writeFileSync(join(folder, name), content);
    else writeTree(join(folder, name), content);
  }
}

/** A folder as it is, all of it durable. */
export function folderOf(path: string): DiskFolder {
  const folder = new DiskFolder(statSync(path).ino);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const below = join(path, entry.name);
    const node = entry.isDirectory()
      ? folderOf(below)
      : new DiskFile(statSync(below).ino, readFileSync(below));
    folder.durable.set(entry.name, node);
  }
  return folder;
}

/** A folder as it is. */
export function treeOf(path: string): Tree {
  return Object.fromEntries(
    readdirSync(path, { withFileTypes: true }).map((entry) => {
      const below = join(path, entry.name);
      return [entry.name, entry.isDirectory() ? treeOf(below) : readFileSync(below)];
    }),
  );
}
