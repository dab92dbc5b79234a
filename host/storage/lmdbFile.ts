/**
 * The file of an LMDB environment, looked at before LMDB maps it: a page that the file hasn't got would end the process (SIGBUS).
 *
 *     page     u64 number, u64 transaction, u16 pad, u16 flags, u16 lower, u16 upper; then an u16 for where each node begins. Places are
 *              counted from behind the header
 *     meta     the first two pages: behind the header u32 magic, u32 version, u64 address, u64 size of the map, two trees of 48
 *              bytes, u64 the last page, u64 the transaction. That of the later transaction counts
 *     tree     u32 page size, u16 flags, u16 depth, then u64 each: branches, leaves, overflow pages, entries, the root's number
 *     node     of branches: u48 the number of the page below. Of leaves: u32 bytes of the value, u16 flags, u16 bytes of the key,
 *              the key, and the value or, of a large one, the number of its first page
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const HEADER = 24;
const MAGIC = 0xbeefc0de;
const META_BYTES = HEADER + 136;
/** What lmdb makes a page of. */
const LEAST_PAGE = 4096;
const FREE_TREE = HEADER + 24;
const MAIN_TREE = FREE_TREE + 48;
const LAST_PAGE = HEADER + 120;
const TRANSACTION = HEADER + 128;
const ROOT = 40;
/** The root of an empty tree. */
const NONE = 0xffff_ffff_ffff_ffffn;
const FLAGS = 18;
const LOWER = 20;
const BRANCH = 1;
const LEAF = 2;
const NODE_HEAD = 8;
/** Of a node, that its value is on pages of its own. */
const LARGE = 1;
/** Deeper than any tree of LMDB's. */
const MAX_DEPTH = 32;

/** What is wrong with the file of a store; undefined if LMDB can open it, or there is none yet. */
export function damageOf(file: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw e;
  }
  try {
    const { size } = fstatSync(fd);
    if (size === 0) return undefined;
    const meta = newestMeta(fd, size);
    if (meta === undefined) return 'it is no LMDB file';
    const pageSize = meta.readUInt32LE(FREE_TREE);
    const needed = (Number(meta.readBigUInt64LE(LAST_PAGE)) + 1) * pageSize;
    if (size >= needed) return undefined;
    // The last pages may never have been written, if they were given back at once: then nothing names them.
    const pages = new Pages(fd, size, pageSize);
    const roots = [FREE_TREE, MAIN_TREE].map((tree) => meta.readBigUInt64LE(tree + ROOT));
    if (roots.every((root) => root === NONE || pages.has(root, 0))) return undefined;
    return `it is cut off: it has ${size} bytes and needs ${needed}`;
  } finally {
    closeSync(fd);
  }
}

/**
 * Whether a file that LMDB can't open has never had a commit: a first start ended while it wrote the two meta pages. Each of them that is
 * there is empty or names no tree, and behind them, where a commit writes before it counts, there is nothing.
 */
export function isUnbegun(file: string): boolean {
  if (damageOf(file) === undefined) return false;
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    const pages = readAt(fd, 0, Math.min(size, 2 * LEAST_PAGE));
    if (size > 2 * LEAST_PAGE || pages === undefined) return false;
    return [pages.subarray(0, LEAST_PAGE), pages.subarray(LEAST_PAGE)].every(isUnused);
  } finally {
    closeSync(fd);
  }
}

/** Whether a meta page, or what there is of it, is empty or the one that an environment begins with. */
function isUnused(page: Buffer): boolean {
  if (page.length < META_BYTES) return page.length === 0;
  if (page.every((byte) => byte === 0)) return true;
  return (
    page.readUInt32LE(HEADER) === MAGIC &&
    page.readBigUInt64LE(TRANSACTION) === 0n &&
    [FREE_TREE, MAIN_TREE].every((tree) => page.readBigUInt64LE(tree + ROOT) === NONE)
  );
}

/** The meta page that counts; undefined if the first is none. */
function newestMeta(fd: number, size: number): Buffer | undefined {
  const first = readAt(fd, 0, META_BYTES);
  if (first === undefined || first.readUInt32LE(HEADER) !== MAGIC) return undefined;
  const pageSize = first.readUInt32LE(FREE_TREE);
  if (pageSize < META_BYTES || pageSize > size) return undefined;
  const second = readAt(fd, pageSize, META_BYTES);
  if (second === undefined || second.readUInt32LE(HEADER) !== MAGIC) return undefined;
  return first.readBigUInt64LE(TRANSACTION) < second.readBigUInt64LE(TRANSACTION) ? second : first;
}

function readAt(fd: number, at: number, bytes: number): Buffer | undefined {
  const into = Buffer.alloc(bytes);
  return readSync(fd, into, 0, bytes, at) === bytes ? into : undefined;
}

/** The pages of a file that is too short. */
class Pages {
  readonly #fd: number;
  readonly #pageSize: number;
  readonly #count: bigint;

  constructor(fd: number, size: number, pageSize: number) {
    this.#fd = fd;
    this.#pageSize = pageSize;
    this.#count = BigInt(Math.floor(size / pageSize));
  }

  /** Whether the file has a page and all those below it. */
  has(number: bigint, depth: number): boolean {
    if (number >= this.#count || depth > MAX_DEPTH) return false;
    const page = readAt(this.#fd, Number(number) * this.#pageSize, this.#pageSize);
    if (page === undefined) return false;
    const flags = page.readUInt16LE(FLAGS);
    if ((flags & (BRANCH | LEAF)) === 0) return false;
    const nodes = Math.min(HEADER + page.readUInt16LE(LOWER), page.length);
    for (let at = HEADER; at < nodes; at += 2) {
      const node = HEADER + page.readUInt16LE(at);
      if (node + NODE_HEAD > page.length) return false;
      if (flags & BRANCH) {
        if (!this.has(BigInt(page.readUIntLE(node, 6)), depth + 1)) return false;
      } else if (page.readUInt16LE(node + 4) & LARGE && !this.#hasValue(page, node)) return false;
    }
    return true;
  }

  #hasValue(page: Buffer, node: number): boolean {
    const at = node + NODE_HEAD + page.readUInt16LE(node + 6);
    if (at + 8 > page.length) return false;
    const pages = Math.ceil((HEADER + page.readUInt32LE(node)) / this.#pageSize);
    return page.readBigUInt64LE(at) + BigInt(pages) <= this.#count;
  }
}

/** Of a page, that it is the first of those of a large value. */
const OVERFLOW = 4;
const UPPER = 22;
/** Pages that are named; a file that has more of them is no store any more. */
const MOST_FAULTS = 100;

/**
 * Reads every page that the trees of a store name, and says what is wrong with them: pages have no checksums, but numbers and places that
 * must fit. LMDB would follow whatever is there, and may end the process.
 */
export function faultsOf(file: string): { pages: number; faults: string[] } {
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    const meta = newestMeta(fd, size);
    if (meta === undefined) return { pages: 0, faults: ['it is no LMDB file'] };
    const walk = new PageWalk(fd, meta.readUInt32LE(FREE_TREE), size);
    for (const tree of [FREE_TREE, MAIN_TREE]) {
      const root = meta.readBigUInt64LE(tree + ROOT);
      if (root !== NONE) walk.page(root, 0);
    }
    return walk;
  } finally {
    closeSync(fd);
  }
}

class PageWalk {
  readonly #fd: number;
  readonly #pageSize: number;
  readonly #count: bigint;
  readonly #seen = new Set<bigint>();
  readonly faults: string[] = [];

  constructor(fd: number, pageSize: number, size: number) {
    this.#fd = fd;
    this.#pageSize = pageSize;
    this.#count = BigInt(Math.floor(size / pageSize));
  }

  /** How many have been read. */
  get pages(): number {
    return this.#seen.size;
  }

  page(number: bigint, depth: number): void {
    if (this.faults.length >= MOST_FAULTS) return;
    const page = this.#read(number);
    if (page === undefined) return;
    const flags = page.readUInt16LE(FLAGS) & (BRANCH | LEAF | OVERFLOW);
    const lower = HEADER + page.readUInt16LE(LOWER);
    const upper = HEADER + page.readUInt16LE(UPPER);
    const isSound = (flags === BRANCH || flags === LEAF) && lower <= upper && upper <= page.length;
    if (!isSound || depth > MAX_DEPTH) {
      this.#fault(number, 'has another head than its kind');
      return;
    }
    for (let at = HEADER; at < lower; at += 2) {
      const node = HEADER + page.readUInt16LE(at);
      if (node < upper || node + NODE_HEAD > page.length) {
        this.#fault(number, 'has a row outside of it');
        return;
      }
      if (flags === BRANCH) this.page(BigInt(page.readUIntLE(node, 6)), depth + 1);
      else this.#row(number, page, node);
    }
  }

  #row(number: bigint, page: Buffer, node: number): void {
    const value = node + NODE_HEAD + page.readUInt16LE(node + 6);
    const length = page.readUInt32LE(node);
    const isLarge = (page.readUInt16LE(node + 4) & LARGE) !== 0;
    if (value + (isLarge ? 8 : length) > page.length) {
      this.#fault(number, 'has a row that goes beyond it');
      return;
    }
    if (!isLarge) return;
    const first = page.readBigUInt64LE(value);
    const pages = BigInt(Math.ceil((HEADER + length) / this.#pageSize));
    const head = this.#read(first);
    if (head === undefined) return;
    if ((head.readUInt16LE(FLAGS) & OVERFLOW) === 0 || first + pages > this.#count)
      this.#fault(first, 'doesn’t begin the large value that it should');
  }

  #read(number: bigint): Buffer | undefined {
    if (this.#seen.has(number)) {
      this.#fault(number, 'is named twice');
      return undefined;
    }
    this.#seen.add(number);
    const page =
      number < this.#count ? readAt(this.#fd, Number(number) * this.#pageSize, this.#pageSize) : undefined;
    if (page === undefined) this.#fault(number, 'is not there');
    else if (page.readBigUInt64LE(0) !== number)
      this.#fault(number, `calls itself page ${page.readBigUInt64LE(0)}`);
    else return page;
    return undefined;
  }

  #fault(number: bigint, what: string): void {
    this.faults.push(`page ${number} ${what}`);
  }
}
