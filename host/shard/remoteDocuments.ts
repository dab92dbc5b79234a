/** Documents of a shard that another node has a copy of, as far as they have been fetched for one request. */
import { isObject } from '../json/values.js';
import { uidOf } from '../storage/records.js';
import type { StoredDocument } from '../storage/storedDocuments.js';
import type { Version } from '../storage/versions.js';
import type { WorkLimit } from '../workLimit.js';
import type { CopyReads } from './copyReads.js';
import { decodeDocuments, type SentDocument, versionOf } from './documentMessage.js';
import { type KeyPlace, MOST_FILLED } from './keyPlaces.js';
import type {
  DocumentId,
  DocumentsElsewhere,
  RegisteredVersions,
  SearchedDocuments,
} from './searchedShard.js';

/** Keys of one question: their documents may come in several answers. */
const MOST_KEYS = 10_000;
/** Ids of one question. */
const MOST_IDS = 10_000;

const NOTHING = new Uint8Array(0);

/** What is known of the documents of a shard of another node. */
export class RemoteDocuments implements SearchedDocuments, DocumentsElsewhere {
  readonly #reads: CopyReads;
  /** By the key that was asked for: the document of that key, or the next one, of which it is a part. */
  readonly #rows = new Map<number, SentDocument | undefined>();
  /** By `type#id`. */
  readonly #newest = new Map<string, StoredDocument | undefined>();
  readonly #shown = new Map<string, StoredDocument | undefined>();
  #keys = new Map<string, number | undefined>();
  #prefixes = new Map<string, readonly (readonly [uid: string, key: number])[]>();
  /** What was read and isn't here. */
  readonly #lackedRows = new Set<number>();
  readonly #lackedKeys = new Set<string>();
  readonly #lackedPrefixes = new Set<string>();
  /** When the keys were found, by the copy's count of what searches see. */
  #moment: number | undefined;
  /** Places of the plan that is being made, where the copy is to fill in keys. */
  #places: KeyPlace[] | undefined;
  readonly #fetching = new Set<Promise<unknown>>();
  #failure: Error | undefined;

  constructor(reads: CopyReads) {
    this.#reads = reads;
  }

  get failure(): Error | undefined {
    return this.#failure;
  }

  /** What searches of these keys have to be of; undefined where none were found. */
  get moment(): number | undefined {
    return this.#moment;
  }

  /** Makes a plan, and says where the copy is to fill in keys. @param isFilled whether it does */
  planned(plan: () => Uint8Array, isFilled: boolean): { plan: Uint8Array; places: readonly KeyPlace[] } {
    const places: KeyPlace[] = [];
    this.#places = isFilled ? places : undefined;
    try {
      return { plan: plan(), places };
    } finally {
      this.#places = undefined;
    }
  }

  fillLater(at: number, uids: readonly string[]): boolean {
    const places = this.#places;
    if (places === undefined || this.#failure !== undefined) return false;
    const filled = places.reduce((sum, { uids: { length } }) => sum + length, 0);
    if (filled + uids.length > MOST_FILLED) return false;
    places.push({ at, uids });
    return true;
  }

  /** Other rows are found under the ids by now. */
  forgetKeys(): void {
    this.#keys.clear();
    this.#prefixes.clear();
    this.#moment = undefined;
  }

  forget(): void {
    this.#rows.clear();
    this.#newest.clear();
    this.#shown.clear();
  }

  readonly areCold = true;

  get(type: string, id: string): StoredDocument | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#newest.get(uidOf(type, id));
  }

  visible(type: string, id: string): StoredDocument | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#shown.get(uidOf(type, id));
  }

  byKey(key: number): StoredDocument | undefined {
    const row = this.#row(key);
    return row?.key === key ? row.document : undefined;
  }

  holder(key: number): { key: number; document: StoredDocument } | undefined {
    const row = this.#row(key);
    return row?.key === undefined ? undefined : { key: row.key, document: row.document };
  }

  #row(key: number): SentDocument | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    if (!this.#rows.has(key)) this.#lackedRows.add(key);
    return this.#rows.get(key);
  }

  visibleKey(uid: string): number | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    if (!this.#keys.has(uid)) this.#lackedKeys.add(uid);
    return this.#keys.get(uid);
  }

  visibleKeys(prefix: string, accepts?: (uid: string) => boolean): number[] {
    if (this.#failure !== undefined) throw this.#failure;
    const found = this.#prefixes.get(prefix);
    if (found === undefined) this.#lackedPrefixes.add(prefix);
    return (found ?? []).flatMap(([uid, key]) => (accepts === undefined || accepts(uid) ? [key] : []));
  }

  /** Takes documents of the first of these keys, which came with them. */
  take(keys: ArrayLike<number>, heads: unknown, bytes: Uint8Array): void {
    const rows = decodeDocuments(heads, bytes);
    if (rows.length > keys.length) throw malformed();
    for (const [i, row] of rows.entries()) this.#rows.set(keys[i]!, row);
  }

  async prefetch(keys: readonly number[], limit: WorkLimit): Promise<void> {
    for (const key of keys) if (!this.#rows.has(key)) this.#lackedRows.add(key);
    await this.fetch(limit);
  }

  /** Whether something was read that isn't here. */
  get isLacking(): boolean {
    return this.#lackedRows.size + this.#lackedKeys.size + this.#lackedPrefixes.size > 0;
  }

  async fetch(limit: WorkLimit): Promise<boolean> {
    if (this.#failure !== undefined || (!this.isLacking && this.#fetching.size === 0)) return false;
    if (this.isLacking) {
      const fetching = Promise.all([this.#fetchRows(limit), this.#fetchKeys(limit)]).catch((e) => {
        this.#failure = e as Error;
      });
      this.#fetching.add(fetching);
      void fetching.then(() => this.#fetching.delete(fetching));
    }
    // What others read at the same time may be what is wanted here.
    await Promise.all(this.#fetching);
    return true;
  }

  async #fetchRows(limit: WorkLimit): Promise<void> {
    const keys = [...this.#lackedRows].sort((a, b) => a - b);
    this.#lackedRows.clear();
    for (let at = 0; at < keys.length; ) {
      const asked = keys.slice(at, at + MOST_KEYS);
      const question = { kind: 'rows', head: {}, bytes: bytesOf(asked) } as const;
      const { head, bytes } = await this.#reads.ask(question, limit);
      const rows = decodeDocuments(head.documents, bytes);
      if (rows.length === 0 || rows.length > asked.length) throw new Error('rows that nobody asked for');
      for (const [i, row] of rows.entries()) this.#rows.set(asked[i]!, row);
      at += rows.length;
    }
  }

  async #fetchKeys(limit: WorkLimit): Promise<void> {
    if (this.#lackedKeys.size + this.#lackedPrefixes.size === 0) return;
    const uids = [...this.#lackedKeys];
    const prefixes = [...this.#lackedPrefixes];
    this.#lackedKeys.clear();
    this.#lackedPrefixes.clear();
    const question = { kind: 'keys', head: { uids, prefixes }, bytes: NOTHING } as const;
    const { head } = await this.#reads.ask(question, limit);
    const { keys, under, moment } = head;
    if (!Array.isArray(keys) || keys.length !== uids.length) throw malformed();
    if (!Array.isArray(under) || under.length !== prefixes.length || typeof moment !== 'number')
      throw malformed();
    for (const [i, uid] of uids.entries())
      this.#keys.set(uid, typeof keys[i] === 'number' ? keys[i] : undefined);
    for (const [i, prefix] of prefixes.entries()) this.#prefixes.set(prefix, pairsOf(under[i]));
    // Keys of two moments go together only where nothing came between.
    this.#moment = this.#moment === undefined ? moment : Math.min(this.#moment, moment);
  }

  async fetchIds(ids: readonly DocumentId[], realtime: boolean, limit: WorkLimit): Promise<void> {
    try {
      await this.#fetchIds(ids, realtime, limit);
    } catch (e) {
      this.#failure = e as Error;
    }
  }

  async read(ids: readonly DocumentId[], limit: WorkLimit): Promise<(StoredDocument | undefined)[]> {
    await this.#fetchIds(ids, true, limit, false);
    return ids.map(({ type, id }) => this.#newest.get(uidOf(type, id)));
  }

  async queries(known: string | undefined, limit: WorkLimit): Promise<RegisteredVersions | undefined> {
    const head = known === undefined ? {} : { known };
    const { head: answer } = await this.#reads.ask({ kind: 'queries', head, bytes: NOTHING }, limit);
    if (answer.same === true) return undefined;
    const { stamp, versions } = answer;
    if (typeof stamp !== 'string' || !Array.isArray(versions)) throw malformed();
    const pairs = versions.map((pair: unknown): [string, Version] => {
      if (!Array.isArray(pair) || typeof pair[0] !== 'string') throw malformed();
      return [pair[0], versionOf(pair[1])];
    });
    return { stamp, versions: new Map(pairs) };
  }

  async #fetchIds(
    ids: readonly DocumentId[],
    realtime: boolean,
    limit: WorkLimit,
    counted = true,
  ): Promise<void> {
    for (let at = 0; at < ids.length; ) {
      const asked = ids.slice(at, at + MOST_IDS).map(({ type, id }) => ({ type, id }));
      const head = { ids: asked, realtime, counted };
      const question = { kind: 'documents', head, bytes: NOTHING } as const;
      const { head: answer, bytes } = await this.#reads.ask(question, limit);
      const found = decodeDocuments(answer.documents, bytes);
      if (found.length === 0 || found.length > asked.length) throw malformed();
      for (const [i, sent] of found.entries()) {
        const uid = uidOf(asked[i]!.type, asked[i]!.id);
        if (realtime) this.#newest.set(uid, sent?.document);
        this.#shown.set(uid, sent?.isShown === true ? sent.document : undefined);
      }
      at += found.length;
    }
  }
}

function pairsOf(value: unknown): (readonly [string, number])[] {
  if (!isObject(value)) throw malformed();
  return Object.entries(value).flatMap(([uid, key]) =>
    typeof key === 'number' ? [[uid, key] as const] : [],
  );
}

function malformed(): Error {
  return new Error('an answer of another node that is none');
}

function bytesOf(keys: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(8 * keys.length);
  const view = new DataView(bytes.buffer);
  for (const [i, key] of keys.entries()) view.setFloat64(8 * i, key);
  return bytes;
}
