/** The file of what was not taken: JSON lines, each with a document, where it stood, the status and the reason. */
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { isBefore, type Place } from './place.js';

/** A document that was not taken. */
export interface RefusedDocument {
  place: Place;
  status: number;
  reason: string;
  /** Its action line, where it came with one. */
  action?: string | undefined;
  source: string | undefined;
}

/** The file can't be written. */
export class RefusedFileError extends Error {
  override readonly name = 'RefusedFileError';
}

export class RefusedFile {
  readonly path: string;
  readonly #names: readonly string[];
  #fd: number | undefined;
  /** Documents in it. */
  count = 0;

  /** @param names of the files that are read */
  constructor(path: string, names: readonly string[]) {
    this.path = path;
    this.#names = names;
  }

  /** Whether there is one that somebody else made. */
  get isThere(): boolean {
    return existsSync(this.path);
  }

  /** Takes up the file of an interrupted import: keeps what was refused before a place, since all behind it is read again. */
  async resume(before: Place): Promise<void> {
    if (!this.isThere) return;
    const aside = `${this.path}.part`;
    const [from, to] = [await open(this.path), await open(aside, 'w')];
    try {
      for await (const line of from.readLines()) {
        if (!this.#stoodBefore(line, before)) continue;
        await to.write(`${line}\n`);
        this.count++;
      }
      await to.sync();
    } finally {
      await from.close();
      await to.close();
    }
    renameSync(aside, this.path);
  }

  add({ place, status, reason, action, source }: RefusedDocument): void {
    const { file, line, offset } = place;
    const entry = { file: this.#names[file], line, offset, status, reason, action, source };
    try {
      this.#fd ??= openSync(this.path, 'a', 0o600);
      appendFileSync(this.#fd, `${JSON.stringify(entry)}\n`);
    } catch (e) {
      throw this.#failed(e);
    }
    this.count++;
  }

  /** Makes what was added durable. */
  sync(): void {
    if (this.#fd === undefined) return;
    try {
      fsyncSync(this.#fd);
    } catch (e) {
      throw this.#failed(e);
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  /** A last line that isn't whole stood nowhere. */
  #stoodBefore(line: string, before: Place): boolean {
    try {
      const { file, offset } = JSON.parse(line) as { file: string; offset: number };
      return isBefore({ ...before, file: this.#names.indexOf(file), offset }, before);
    } catch {
      return false;
    }
  }

  #failed(e: unknown): RefusedFileError {
    return new RefusedFileError(
      `the file of refused documents ${this.path} can't be written: ${e instanceof Error ? e.message : e}`,
    );
  }
}
