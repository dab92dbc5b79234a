/**
 * Rows of documents that were replaced or deleted. Until the next refresh searches still find them, and a search that
 * found them may not have read them yet: only after both may a row go.
 */
import { seqKey } from '../storage/records.js';
import type { Storage } from '../storage/storage.js';
import type { FollowerSearches } from './shardLeader.js';

/** A document that an operation replaced or deleted. */
export interface DeletedDocument {
  /** The operation that replaced or deleted. */
  seq: number;
  /** The document that goes. */
  old: number;
  uid: string;
}

const CHUNK = 5000;

/** Keeps track of them for one shard. */
export class DeferredReclamation {
  readonly #storage: Storage;
  readonly #shard: number;
  /** Not refreshed yet, oldest first. */
  #fresh: DeletedDocument[] = [];
  /** By id, the keys that it had, oldest first. */
  readonly #byUid = new Map<string, DeletedDocument[]>();
  /** Documents out of sight; their rows may go once the searches that ran before are over, which for a scroll is long. */
  #retired: { olds: Float64Array; newest: number; epoch: number; mark: number }[] = [];
  /** Searches that other engines carry out. */
  readonly #followers: FollowerSearches | undefined;
  /** Searches that are going on, by number; the first is the oldest. */
  readonly #searches = new Set<number>();
  #nextSearch = 1;
  /** The newest kill seen. */
  newest = 0;
  /** Rows that went with operations up to this one are gone. */
  purged = 0;
  /** Rows of an earlier process are still there: what says that they are dead must stay. */
  #rowsLeft = false;
  #sweeping: Promise<void> | undefined;

  constructor(storage: Storage, shard: number, followers?: FollowerSearches) {
    this.#followers = followers;
    this.#storage = storage;
    this.#shard = shard;
  }

  kill(kill: DeletedDocument): void {
    this.newest = kill.seq;
    this.#fresh.push(kill);
    const list = this.#byUid.get(kill.uid);
    if (list === undefined) this.#byUid.set(kill.uid, [kill]);
    else list.push(kill);
  }

  /** The key under which an id that was written since the last refresh is still found. */
  visible(uid: string): number | undefined {
    return this.#byUid.get(uid)?.[0]?.old;
  }

  /** Ids that were written since the last refresh and were there before. */
  get remembered(): number {
    return this.#byUid.size;
  }

  /** Everything that operations up to `seq` replaced is out of sight. */
  refreshed(seq: number): void {
    let n = 0;
    while (n < this.#fresh.length && this.#fresh[n]!.seq <= seq) n++;
    if (n === 0) return;
    const kills = this.#fresh.splice(0, n);
    for (const { uid } of kills) {
      const list = this.#byUid.get(uid)!;
      list.shift();
      if (list.length === 0) this.#byUid.delete(uid);
    }
    const olds = Float64Array.from(kills, ({ old }) => old);
    const mark = this.#followers?.mark() ?? 0;
    this.#retired.push({ olds, newest: kills.at(-1)!.seq, epoch: this.#nextSearch, mark });
  }

  /** A search begins; the returned function ends it. */
  hold(): () => void {
    const number = this.#nextSearch++;
    this.#searches.add(number);
    return () => void this.#searches.delete(number);
  }

  /** Whether there are rows that may go. */
  get due(): boolean {
    const [first] = this.#retired;
    if (first === undefined || first.epoch > this.#oldest) return false;
    return this.#followers?.areOver(first.mark) ?? true;
  }

  /** The oldest search that is going on, or the next one. */
  get #oldest(): number {
    return this.#searches.values().next().value ?? this.#nextSearch;
  }

  /** Deletes the rows that may go. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  /** The shard came back from storage, with every kill up to `seq` done, and the rows gone if it was possible. */
  recovered(seq: number, purged: boolean): void {
    this.#fresh = [];
    this.#byUid.clear();
    this.#retired = [];
    this.newest = Math.max(this.newest, seq);
    if (purged) this.purged = Math.max(this.purged, seq);
    else this.#rowsLeft = true;
  }

  async #sweep(): Promise<void> {
    while (this.due) {
      const { olds, newest } = this.#retired.shift()!;
      for (let at = 0; at < olds.length; at += CHUNK) {
        const rows = Array.from(olds.subarray(at, at + CHUNK), (old) => seqKey('d', this.#shard, old));
        await this.#storage.commit([], rows, { freeing: true });
      }
      if (!this.#rowsLeft) this.purged = Math.max(this.purged, newest);
    }
  }
}
