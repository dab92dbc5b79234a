/** When a shard's segments are persisted, and what the last time left: a restart indexes only what came after. */
import type { Blobs, Storage } from '../storage/storage.js';
import { writeCheckpoint } from './checkpoint.js';
import type { Counters } from './counters.js';
import { type Manifest, markSynced } from './manifest.js';
import type { Recovered } from './recovery.js';
import type { ShardClient } from './shardClient.js';

/** What checkpoints need of the shard. */
export interface CheckpointsContext {
  storage: Storage;
  blobs: Blobs;
  /** The shard's number in the store. */
  uid: number;
  counters: Counters;
  client(): ShardClient;
  /** Rows of documents that went with operations up to this one are gone. */
  purged(): number;
}

/** A checkpoint is due after that much. */
const DUE_OPS = 50_000;
const DUE_BYTES = 32 * 1024 * 1024;

/** One shard's checkpoints, one at a time; files that somebody reads stay for as long. */
export class ShardCheckpoints {
  readonly #context: CheckpointsContext;
  /** What the last one wrote. */
  manifest: Manifest = { seq: 0, next: 1, segments: [] };
  /** Its blobs by the ids that the segments have in the core. */
  #names = new Map<number, string>();
  #bytes = 0;
  /** Bytes of the sources that were written since the last one. */
  written = 0;
  #running: Promise<void> | undefined;
  #readers = 0;
  /** Files that the last one names no more, and that somebody may still read. */
  #unnamed: string[] = [];

  constructor(context: CheckpointsContext) {
    this.#context = context;
  }

  /** The shard is what a recovery made of the last one. */
  recovered({ manifest, names, lastSeq }: Recovered): void {
    this.manifest = manifest;
    this.#names = names;
    this.#bytes += lastSeq - manifest.seq;
  }

  /** Sources of so many bytes were written. */
  wrote(bytes: number): void {
    this.#bytes += bytes;
    this.written += bytes;
  }

  /** The segments are others than those that were persisted. */
  merged(): void {
    this.#bytes += DUE_BYTES;
  }

  /** Whether anything came since the last one. */
  get behind(): boolean {
    return this.#bytes > 0;
  }

  /** Whether so much came, up to that operation, that it is time for the next one. */
  due(lastSeq: number): boolean {
    return lastSeq - this.manifest.seq > DUE_OPS || this.#bytes > DUE_BYTES;
  }

  /** The one that is being written. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Resolves when none is being written. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running.catch(() => {});
  }

  /** Keeps the files of the last one until the returned function is called. */
  hold(): () => void {
    this.#readers++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#readers--;
      // What can't be removed now is at the next start.
      if (this.#readers === 0) this.#forget([]).catch(() => {});
    };
  }

  async #forget(names: readonly string[]): Promise<void> {
    this.#unnamed.push(...names);
    if (this.#readers > 0) return;
    for (const name of this.#unnamed.splice(0)) await this.#context.blobs.delete(name);
  }

  /** Persists the segments; one that is under way does for that. */
  write(): Promise<void> {
    const { counters } = this.#context;
    const started = performance.now();
    this.#running ??= this.#write().finally(() => {
      this.#running = undefined;
      counters.flushes++;
      counters.flushTime += performance.now() - started;
    });
    return this.#running;
  }

  /** Persists the segments, and marks what is there with an id if nothing was written meanwhile. */
  async sync(syncId: string): Promise<void> {
    await this.write();
    while (this.#running !== undefined) await this.#running;
    if (this.behind) return;
    const { storage, uid } = this.#context;
    this.#running = markSynced(storage, uid, this.manifest, syncId)
      .then((manifest) => {
        this.manifest = manifest;
      })
      .finally(() => {
        this.#running = undefined;
      });
    await this.#running;
  }

  async #write(): Promise<void> {
    const bytes = this.#bytes;
    const { written } = this;
    const { storage, blobs, uid, client, purged } = this.#context;
    const { manifest, names } = await writeCheckpoint({
      storage,
      blobs,
      uid,
      client: client(),
      manifest: this.manifest,
      names: this.#names,
      purged: purged(),
      forget: (gone) => this.#forget(gone),
    });
    this.manifest = manifest;
    this.#names = names;
    this.#bytes -= bytes;
    this.written -= written;
  }
}
