/** A shard at one moment, readable until it is let go of while writes go on. */

import type { DictionarySource } from '../storage/dictionary.js';
import { decodeSeq, kindRange, liveKey, seqOfKey } from '../storage/records.js';
import type { Blobs, Storage } from '../storage/storage.js';
import type { Manifest } from './manifest.js';

/** A moment of a shard; whoever has it holds the rows and the segments of that moment. */
export interface Moment {
  storage: Storage;
  blobs: Blobs;
  /** The shard's number in the store. */
  uid: number;
  dictionaries: DictionarySource;
  manifest: Manifest;
  /** The newest operation that counts. */
  seq: number;
  /** Throws if the shard has been closed meanwhile. */
  check(): void;
}

/** What a shard held. */
export class Capture {
  readonly #moment: Moment;
  readonly manifest: Manifest;
  /** Sets of live documents, by segment. */
  readonly live: ReadonlyMap<string, Uint8Array>;
  /** Documents that were replaced or deleted after the manifest's operations: pairs of the operation and the document. */
  readonly kills: [seq: number, old: number][] = [];
  readonly #dead = new Set<number>();
  /** Lets go. */
  readonly release: () => void;

  /** Reads at once what may change; the documents can be read later. */
  constructor(moment: Moment, release: () => void) {
    this.#moment = moment;
    this.release = release;
    const { storage, uid, manifest, seq } = moment;
    this.manifest = manifest;
    const live = new Map<string, Uint8Array>();
    for (const { name } of manifest.segments) {
      const bytes = storage.get(liveKey(uid, name));
      if (bytes !== undefined) live.set(name, bytes.slice());
    }
    this.live = live;
    for (const [key, value] of storage.range(...kindRange('k', uid))) {
      const at = seqOfKey(key);
      if (at > seq) break;
      const old = decodeSeq(value);
      this.#dead.add(old);
      if (at > manifest.seq) this.kills.push([at, old]);
    }
  }

  /** The image of a segment; undefined if it is missing. */
  async image(name: string): Promise<Uint8Array | undefined> {
    this.#moment.check();
    return this.#moment.blobs.get(name);
  }

  /** What documents are packed with. */
  get dictionaries(): DictionarySource {
    this.#moment.check();
    return this.#moment.dictionaries;
  }

  /** The next documents after an operation, in the form of the store; empty after the last one. */
  documents(after: number, limit: number): { rows: [seq: number, bytes: Uint8Array][]; last: number } {
    const { storage, uid, seq, check } = this.#moment;
    check();
    const rows: [number, Uint8Array][] = [];
    let last = after;
    const [from, to] = kindRange('d', uid, after + 1);
    for (const [key, value] of storage.range(from, to, { limit })) {
      const at = seqOfKey(key);
      if (at > seq) break;
      last = at;
      if (!this.#dead.has(at)) rows.push([at, value]);
    }
    return { rows, last };
  }
}
