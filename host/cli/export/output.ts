/** Where lines are written: a file, which has its name when it is whole, or the standard output. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { syncPath } from '../../storage/folders.js';

/** Nobody reads what is written. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

export class Output {
  readonly #path: string | undefined;
  /** What is written to, and the file or the standard output behind it. */
  readonly #to: Writable;
  readonly #end: Writable;
  /** Settles when all of it is written; fails as soon as something can't be. */
  readonly #done: Promise<void>;
  #isWhole = false;

  private constructor(path: string | undefined, to: Writable, end: Writable) {
    this.#path = path;
    this.#to = to;
    this.#end = end;
    this.#done = Promise.all([finished(to, { readable: false }), finished(end, { readable: false })]).then(
      () => {},
      (e: NodeJS.ErrnoException) => {
        throw e.code === 'EPIPE' ? new OutputClosed() : e;
      },
    );
    // Told to whoever writes next.
    this.#done.catch(() => {});
  }

  /** @param path undefined for the standard output */
  static async open(path: string | undefined): Promise<Output> {
    if (path === undefined) return new Output(path, process.stdout, process.stdout);
    const file = createWriteStream(partOf(path));
    if (!path.endsWith('.gz')) return new Output(path, file, file);
    const packing = createGzip();
    packing.pipe(file);
    file.on('error', (e) => packing.destroy(e));
    return new Output(path, packing, file);
  }

  /** Writes, and waits until more may come. */
  async write(bytes: Buffer): Promise<void> {
    const hasRoom = this.#to.write(bytes);
    if (hasRoom) return;
    const room = new Promise<void>((done) => this.#to.once('drain', done));
    await Promise.race([room, this.#done]);
  }

  /** All is written: a file is made durable, and gets its name. */
  async finish(): Promise<void> {
    if (this.#path === undefined) {
      await Promise.race([new Promise<void>((done) => this.#to.write('', () => done())), this.#done]);
      return;
    }
    this.#to.end();
    await this.#done;
    await syncPath(partOf(this.#path));
    await rename(partOf(this.#path), this.#path);
    await syncPath(dirname(this.#path));
    this.#isWhole = true;
  }

  /** Lets go of it; a file that isn't whole is removed. */
  async close(): Promise<void> {
    if (this.#path === undefined || this.#isWhole) return;
    this.#to.destroy();
    this.#end.destroy();
    await rm(partOf(this.#path), { force: true });
  }
}

/** The name of a file that isn't whole. */
function partOf(path: string): string {
  return `${path}.part`;
}
