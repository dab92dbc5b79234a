/** A control group of Linux that bounds the memory of processes, pages of files included: version 1 or 2, whichever may be written. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';

/** By version: the folder that groups are made in, and a group's files. */
const VERSIONS = [
  { version: 2, root: ROOT, limit: 'memory.max', used: 'memory.current', controllers: 'cgroup.controllers' },
  {
    version: 1,
    root: join(ROOT, 'memory'),
    limit: 'memory.limit_in_bytes',
    used: 'memory.usage_in_bytes',
    controllers: undefined,
  },
] as const;

/** One group. */
export class MemoryGroup {
  readonly #kind: (typeof VERSIONS)[number];
  readonly #folder: string;

  private constructor(kind: (typeof VERSIONS)[number], folder: string) {
    this.#kind = kind;
    this.#folder = folder;
  }

  /** Makes one without a bound; undefined where none can be made. */
  static make(name: string): MemoryGroup | undefined {
    for (const kind of VERSIONS) {
      const folder = join(kind.root, name);
      try {
        if (kind.controllers !== undefined) {
          const controllers = readFileSync(join(kind.root, kind.controllers), 'utf8').trim().split(' ');
          if (!controllers.includes('memory')) continue;
          writeFileSync(join(kind.root, 'cgroup.subtree_control'), '+memory');
        }
        // Where no such file system is mounted, this would be a plain folder.
        if (!existsSync(join(kind.root, 'cgroup.procs'))) continue;
        mkdirSync(folder);
        return new MemoryGroup(kind, folder);
      } catch {
        // Not this version, or not allowed.
      }
    }
    return undefined;
  }

  get version(): number {
    return this.#kind.version;
  }

  /** The file that takes ids of processes. */
  get processes(): string {
    return join(this.#folder, 'cgroup.procs');
  }

  /** Bounds its memory; what is too much of it now is taken back. */
  set limit(bytes: number) {
    writeFileSync(join(this.#folder, this.#kind.limit), String(Math.round(bytes)));
  }

  /** Bytes that it has. */
  get used(): number {
    return Number(readFileSync(join(this.#folder, this.#kind.used), 'utf8'));
  }

  /** Takes it away; no process is in it any more. */
  remove(): void {
    rmdirSync(this.#folder);
  }
}
