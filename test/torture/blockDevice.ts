/**
 * A block device of its own, in a file (loop), with an ext4 whose power can be cut. Of what was not synced nothing is left: ext4 is told
 * not to sync on its own what programs rename or forget to.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const BYTES = 512 * 1024 * 1024;
const OPTIONS = 'noauto_da_alloc,data=writeback,commit=300';
/** The program that cuts; where tests and commands are run is the project's folder. */
const SOURCE = resolve('test/torture/cut.c');

/** Needs Linux, the rights to mount, and a C compiler. */
export class BlockDevice {
  readonly #own: string;
  readonly #device: string;
  /** Where it is mounted. */
  readonly folder: string;

  constructor() {
    this.#own = mkdtempSync(join(tmpdir(), 'resilin-device-'));
    this.folder = join(this.#own, 'mounted');
    try {
      run('cc', '-o', join(this.#own, 'cut'), SOURCE);
      const image = join(this.#own, 'image');
      writeFileSync(image, '');
      truncateSync(image, BYTES);
      run('mkfs.ext4', '-q', image);
      mkdirSync(this.folder);
      this.#device = run('losetup', '--find', '--show', image).trim();
    } catch (e) {
      rmSync(this.#own, { recursive: true, force: true });
      throw e;
    }
    try {
      this.#mount();
    } catch (e) {
      this.#detach();
      throw e;
    }
  }

  /** Whether there can be one here. */
  static get isPossible(): boolean {
    if (process.platform !== 'linux') return false;
    try {
      new BlockDevice().remove();
      return true;
    } catch {
      return false;
    }
  }

  /** Cuts the power, and switches it on again. No process may have files open there. */
  cut(): void {
    run(join(this.#own, 'cut'), this.folder);
    run('umount', this.folder);
    this.#mount();
  }

  remove(): void {
    spawnSync('umount', [this.folder]);
    this.#detach();
  }

  #mount(): void {
    run('mount', '-o', OPTIONS, this.#device, this.folder);
  }

  #detach(): void {
    run('losetup', '--detach', this.#device);
    rmSync(this.#own, { recursive: true, force: true });
  }
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
