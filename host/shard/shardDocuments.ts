/** A shard's documents as the store holds them: by id, and by the keys that searches return. */

import { MalformedRow } from '../storage/varints.js';
import { decodeDocument, type StoredDocument } from '../storage/storedDocuments.js';
import type { Dictionaries } from '../storage/dictionaries.js';
import {
  bytesOver,
  decodeIdRecord,
  type IdRecord,
  idKey,
  idRange,
  kindRange,
  newestSeq,
  MAX_UID_BYTES,
  seqKey,
  seqOfKey,
  uidOf,
  uidOfKey,
} from '../storage/records.js';
import { DamagedRow, type Storage } from '../storage/storage.js';
import type { Counters } from './counters.js';
import { damagedDocument, nameOfRow } from './damage.js';
import type { WorkLimit } from '../workLimit.js';
import type { DeferredReclamation } from './deferredReclamation.js';

/** What reading a shard's documents needs to know of it. */
export interface DocumentsContext {
  /** The shard's name in messages. */
  name: string;
  storage: Storage;
  /** The shard's number in the store. */
  uid: number;
  dictionaries: Dictionaries;
  reclamation: Pick<DeferredReclamation, 'visible'>;
  counters: Counters;
  /** What the store knows of an id; an old deletion counts as nothing. */
  stored(uid: string): IdRecord | undefined;
  /** The newest operation that a refresh has shown. */
  visible(): number;
}

const utf8 = new TextDecoder();

/** Reads one shard's documents. */
export class ShardDocuments {
  readonly #context: DocumentsContext;

  constructor(context: DocumentsContext) {
    this.#context = context;
  }

  /** The newest committed version of a document, whether searchable yet or not; counted as a get. */
  get(type: string, id: string): StoredDocument | undefined {
    const { counters } = this.#context;
    const started = performance.now();
    const document = this.committed(type, id);
    const took = performance.now() - started;
    if (document === undefined) {
      counters.missing++;
      counters.missingTime += took;
    } else {
      counters.found++;
      counters.foundTime += took;
    }
    return document;
  }

  /** The same, uncounted. */
  committed(type: string, id: string): StoredDocument | undefined {
    const record = this.#named(() => this.#context.stored(uidOf(type, id)));
    return record === undefined || record.seq === 0 ? undefined : this.byKey(record.seq);
  }

  /** The ids of a type's documents. */
  *idsOf(type: string): Generator<string> {
    const { storage, uid } = this.#context;
    const [from, to] = [idKey(uid, `${type}#`), idKey(uid, `${type}$`)];
    // Ids are kept by type; behind the sign that ends a type comes the next one.
    for (const [key, record] of storage.range(from, to))
      if (decodeIdRecord(record).seq > 0) yield utf8.decode(key.subarray(from.length));
  }

  /** The operation that wrote the newest document that there is; 0 where there is none. */
  get newest(): number {
    const { storage, uid } = this.#context;
    return newestSeq(storage, 'd', uid);
  }

  /** The version of a document that searches find. */
  visible(type: string, id: string): StoredDocument | undefined {
    const key = this.visibleKey(uidOf(type, id));
    return key === undefined || key > this.#context.visible() ? undefined : this.byKey(key);
  }

  /** The document of a key that a search returned. */
  byKey(key: number): StoredDocument | undefined {
    const { storage, uid } = this.#context;
    try {
      const row = seqKey('d', uid, key);
      const bytes = storage.get(row);
      return bytes === undefined ? undefined : this.#decoded(row, bytes);
    } catch (e) {
      throw this.#ofWhom(e);
    }
  }

  /** Whether reading documents may wait for a disk. */
  get areCold(): boolean {
    return this.#context.storage.isCold === true;
  }

  /** Has other threads read documents into memory; undefined where there is nothing to wait for. */
  prefetch(keys: readonly number[], _limit?: WorkLimit): Promise<void> | undefined {
    const { storage, uid } = this.#context;
    return storage.prefetch?.(keys.map((key) => seqKey('d', uid, key)));
  }

  /** The same for the newest version of a document by its id. */
  prefetchId(type: string, id: string): Promise<void> | undefined {
    const { storage, uid } = this.#context;
    const name = uidOf(type, id);
    if (!this.areCold || bytesOver(MAX_UID_BYTES, name) > 0) return undefined;
    return storage.prefetch?.([idKey(uid, name)])?.then(() => {
      const record = this.#named(() => this.#context.stored(name));
      return record === undefined || record.seq === 0 ? undefined : this.prefetch([record.seq]);
    });
  }

  /** The document that the nested one of a key is a part of, and its own key: the next one there is. */
  holder(key: number): { key: number; document: StoredDocument } | undefined {
    const { storage, uid } = this.#context;
    return this.#named(() => {
      for (const [row, value] of storage.range(...kindRange('d', uid, key), { limit: 1 }))
        return { key: seqOfKey(row), document: this.#decoded(row, value) };
      return undefined;
    });
  }

  #decoded(key: Uint8Array, row: Uint8Array): StoredDocument {
    try {
      return decodeDocument(row, this.#context.dictionaries);
    } catch (e) {
      throw e instanceof MalformedRow ? new DamagedRow(key, row) : e;
    }
  }

  /** Reads rows; of a damaged one the error says whose it is. */
  #named<T>(read: () => T): T {
    try {
      return read();
    } catch (e) {
      throw this.#ofWhom(e);
    }
  }

  #ofWhom(e: unknown): unknown {
    if (!(e instanceof DamagedRow)) return e;
    const { name, storage } = this.#context;
    return damagedDocument(name, nameOfRow(storage, e), e);
  }

  /** The key under which searches find a document now: until a refresh that is the one before the newest write. */
  visibleKey(uid: string): number | undefined {
    const old = this.#context.reclamation.visible(uid);
    if (old !== undefined) return old;
    const seq = this.#named(() => this.#context.stored(uid))?.seq;
    return seq === undefined || seq === 0 ? undefined : seq;
  }

  /** The keys under which searches find the documents whose uid begins so, and is accepted. */
  visibleKeys(prefix: string, accepts?: (uid: string) => boolean): number[] {
    const keys: number[] = [];
    for (const [, key] of this.visibleUids(prefix, accepts)) keys.push(key);
    return keys;
  }

  /** The same with the uids. */
  *visibleUids(
    prefix: string,
    accepts?: (uid: string) => boolean,
  ): Generator<readonly [uid: string, key: number]> {
    if (bytesOver(MAX_UID_BYTES, prefix) > 0) return;
    const { storage, uid, reclamation } = this.#context;
    for (const [row, record] of storage.range(...idRange(uid, prefix))) {
      const own = uidOfKey(row);
      if (accepts !== undefined && !accepts(own)) continue;
      const key = reclamation.visible(own) ?? decodeIdRecord(record).seq;
      if (key > 0) yield [own, key];
    }
  }
}
