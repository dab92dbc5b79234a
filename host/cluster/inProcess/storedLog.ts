import { type ChecksummedMessage, type Place, checksumOf } from '../checksum.js';
import { LogDiffers, LogMissing, LogShortened, LogTrimmed, UnexpectedLast } from '../errors.js';
import type { LogExtent } from '../log.js';

/** Messages that a reader is sent at once. */
const BATCH = 64;

/** What an append brings. */
export interface Appended {
  readonly subject: string;
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly link: Place | undefined;
  readonly expectLast: number | undefined;
}

/** A message that a log has. */
export interface KeptMessage extends ChecksummedMessage {
  readonly after: number | undefined;
  readonly checksum: number;
}

/** The messages of a log, as its servers keep them. */
export class StoredLog {
  readonly name: string;
  readonly #idsKeptMs: number;
  #messages: KeptMessage[] = [];
  #first = 1;
  /** The last messages that were trimmed, by subject. */
  readonly #trimmed = new Map<string, number>();
  /** Ids of the last minutes, oldest first. */
  readonly #ids = new Map<string, { position: number; at: number }>();
  #deleted = false;
  readonly #watchers = new Set<() => void>();

  constructor(name: string, idsKeptMs: number) {
    this.name = name;
    this.#idsKeptMs = idsKeptMs;
  }

  get deleted(): boolean {
    return this.#deleted;
  }

  get last(): number {
    this.#demandThere();
    return this.#first + this.#messages.length - 1;
  }

  get first(): number {
    this.#demandThere();
    return this.#first;
  }

  get extent(): LogExtent {
    const bytes = this.#messages.reduce((sum, message) => sum + message.bytes.length, 0);
    return { first: this.first, last: this.last, bytes };
  }

  /** Calls back after each change; the returned function ends that. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  lastOf(subject: string): number {
    this.#demandThere();
    return this.#messages.findLast((message) => message.subject === subject)?.position ?? 0;
  }

  /** Appends, unless the id is known; the message's position. */
  append({ subject, id, bytes, link, expectLast }: Appended, now: number): number {
    this.#demandThere();
    for (const [old, { at }] of this.#ids) {
      if (now - at < this.#idsKeptMs) break;
      this.#ids.delete(old);
    }
    const known = this.#ids.get(id);
    if (known) return known.position;
    if (expectLast !== undefined && this.lastOf(subject) !== expectLast)
      throw new UnexpectedLast(this.name, subject, expectLast);
    const position = this.last + 1;
    const message = { position, subject, id, bytes: bytes.slice(), link };
    this.#messages.push({ ...message, after: expectLast, checksum: checksumOf(message) });
    this.#ids.set(id, { position, at: now });
    this.#change();
    return position;
  }

  /**
   * The next messages after a position; none when there are none yet.
   * @param checksum that of the message there, if it was read
   * @param subject the only one that is wanted
   */
  after(position: number, checksum: number | undefined, subject: string | undefined): readonly KeptMessage[] {
    if (position > this.last) throw new LogShortened(this.name, position, this.last);
    const there = this.#messages[position - this.#first];
    if (there && checksum !== undefined && there.checksum !== checksum)
      throw new LogDiffers(this.name, position);
    const trimmed = subject === undefined ? this.#first - 1 : (this.#trimmed.get(subject) ?? 0);
    if (position < trimmed) throw new LogTrimmed(this.name, position, this.#first);
    const from = Math.max(0, position + 1 - this.#first);
    if (subject === undefined) return this.#messages.slice(from, from + BATCH);
    return this.#messages
      .slice(from)
      .filter((message) => message.subject === subject)
      .slice(0, BATCH);
  }

  trim(before: number): void {
    const first = Math.max(this.first, Math.min(before, this.last + 1));
    for (const { subject, position } of this.#messages.splice(0, first - this.#first))
      this.#trimmed.set(subject, position);
    this.#first = first;
    this.#change();
  }

  /** Loses what comes after a position, as servers do that lose power before their disks have it. */
  forget(after: number): void {
    for (const { id } of this.#messages.splice(Math.max(0, after + 1 - this.#first))) this.#ids.delete(id);
    this.#change();
  }

  delete(): void {
    this.#deleted = true;
    this.#messages = [];
    this.#change();
  }

  #demandThere(): void {
    if (this.#deleted) throw new LogMissing(this.name);
  }

  #change(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
