/**
 * The file of the audit log: JSON lines, appended while requests go on. A file of 64 MB becomes FILE.1, what was there FILE.2, and so
 * on; five of them are kept.
 */
import { closeSync, openSync, statSync } from 'node:fs';
import { appendFile, rename } from 'node:fs/promises';

/** How large a file becomes, how many older ones are kept, and how many bytes may wait to be written. */
export interface AuditLimits {
  fileBytes: number;
  kept: number;
  waitingBytes: number;
}

const LIMITS: AuditLimits = { fileBytes: 64 * 1024 * 1024, kept: 5, waitingBytes: 16 * 1024 * 1024 };
/** For its owner alone. */
const MODE = 0o600;

/** Takes lines; nothing that happens to them is the writer's concern. */
export class AuditFile {
  readonly #path: string;
  readonly #limits: AuditLimits;
  readonly #warn: (message: string) => void;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** Of the file that is being written. */
  #bytes: number;
  #writing: Promise<void> | undefined;
  /** Lines that are missing since the last one that could be written. */
  #lost = 0;

  /** Throws if the file can't be written. @param warn told when lines are lost, and when they are written again */
  constructor(path: string, warn: (message: string) => void, limits: Partial<AuditLimits> = {}) {
    this.#path = path;
    this.#warn = warn;
    this.#limits = { ...LIMITS, ...limits };
    closeSync(openSync(path, 'a', MODE));
    this.#bytes = statSync(path).size;
  }

  /** Adds a line. */
  line(entry: object): void {
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
    if (this.#waitingBytes + line.length > this.#limits.waitingBytes) {
      this.#lose(1, `${this.#waitingBytes} bytes are waiting`);
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    this.#writing ??= this.#write();
  }

  /** Resolves when nothing waits any more. */
  async close(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    // Lines of this turn go together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const lines = this.#next();
      const bytes = lines.reduce((sum, { length }) => sum + length, 0);
      try {
        if (lines.length === 0) {
          await this.#rotate();
          continue;
        }
        await appendFile(this.#path, Buffer.concat(lines), { mode: MODE });
        this.#bytes += bytes;
        if (this.#lost > 0)
          this.#warn(`the audit log ${this.#path} is written again; ${this.#lost} lines are missing`);
        this.#lost = 0;
      } catch (e) {
        // One that is too large, and can't become another, goes on.
        if (lines.length === 0) this.#bytes = 0;
        this.#lose(lines.length, (e as Error).message);
      } finally {
        this.#waitingBytes -= bytes;
      }
    }
    this.#writing = undefined;
  }

  /** Takes the lines that have room in the file; none where the next begins another one. */
  #next(): Buffer[] {
    let n = 0;
    for (let bytes = this.#bytes; n < this.#waiting.length; n++) {
      bytes += this.#waiting[n]!.length;
      if (bytes > this.#limits.fileBytes && (n > 0 || this.#bytes > 0)) break;
    }
    return this.#waiting.splice(0, n);
  }

  async #rotate(): Promise<void> {
    for (let i = this.#limits.kept; i > 0; i--) {
      const from = i === 1 ? this.#path : `${this.#path}.${i - 1}`;
      try {
        await rename(from, `${this.#path}.${i}`);
      } catch (e) {
        if ((e as NodeJS.ErrnoException).code !== 'ENOENT') throw e;
      }
    }
    this.#bytes = 0;
  }

  #lose(lines: number, why: string): void {
    if (this.#lost === 0) this.#warn(`the audit log ${this.#path} can't be written: ${why}`);
    this.#lost += lines;
  }
}
