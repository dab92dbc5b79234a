import { type JetStreamClient, StorageType } from '@nats-io/jetstream';
import { type KV, type KvEntry, type KvWatchEntry, Kvm } from '@nats-io/kv';
import type { NatsConnection, QueuedIterator } from '@nats-io/transport-node';
import { LogUnavailable, ServicesClosed } from '../../cluster/errors.js';
import { isLater, LivingMembers } from '../../cluster/livingMembers.js';
import type { LastEntry, MemberEntries, MemberEntry, NewEntry } from '../../cluster/memberEntries.js';
import { type Member, type Members, checkedMember } from '../../cluster/members.js';
import { OwnEntry } from '../../cluster/ownEntry.js';
import type { Clock } from '../../time/clock.js';
import { elapsed } from '../../time/elapsed.js';
import type { Asked, ServerChoice } from './serverChoice.js';
import {
  DEADLINE_MS,
  isConnectionClosed,
  isStreamMissing,
  isWrongLast,
  orAborted,
  pause,
} from './natsErrors.js';

const RETRY_MS = 250;
/** What one entry may have at most, in bytes: details of 512 K characters, and a little. */
const MAX_ENTRY = 2 * 1024 * 1024;

/** How a bucket is made. */
export interface BucketOptions {
  readonly bucket: string;
  readonly copies: number;
  readonly ttlMs: number;
  /** Is told why nothing is heard of the members. */
  warn(message: string): void;
}

/** Members as entries of a bucket, each renewed by its node three times within the time to live. */
export class NatsMembers implements Members, MemberEntries {
  readonly #connection: NatsConnection;
  readonly #client: JetStreamClient;
  readonly #choice: ServerChoice;
  readonly #options: BucketOptions;
  readonly #clock: Clock;
  readonly #living: LivingMembers;
  readonly #own: OwnEntry;
  readonly #closing = new AbortController();
  #bucket: Promise<KV> | undefined;
  #watch: QueuedIterator<KvWatchEntry> | undefined;
  /** Since when there is none, and whether somebody was told why. */
  #unwatchedSince: number | undefined;
  #isToldWhy = false;
  /** The last revision that the watch has delivered. */
  #heardTo = 0;
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #isRenewing = false;
  /** What the bucket was asked last, by whoever waits for the end of that. */
  #asking: Promise<unknown> | undefined;
  /** Resolves when a watch has delivered all that there was. */
  #seenAll: Promise<void> | undefined;

  constructor(
    connection: NatsConnection,
    client: JetStreamClient,
    choice: ServerChoice,
    options: BucketOptions,
    clock: Clock,
  ) {
    this.#connection = connection;
    this.#client = client;
    this.#choice = choice;
    this.#options = options;
    this.#clock = clock;
    this.#living = new LivingMembers(clock, options.ttlMs);
    this.#own = new OwnEntry(this, this.#living, clock);
  }

  get replaced(): AbortSignal {
    return this.#living.replaced;
  }

  list(): readonly Member[] {
    return this.#living.list();
  }

  onChange(listener: () => void): () => void {
    return this.#living.onChange(listener);
  }

  async watch(): Promise<void> {
    this.#closing.signal.throwIfAborted();
    this.#seenAll ??= new Promise((resolve) => void this.#watchOn(resolve));
    await orAborted(this.#seenAll, this.#closing.signal);
  }

  async join(self: Member): Promise<void> {
    this.#closing.signal.throwIfAborted();
    await this.#own.join(checkedMember(structuredClone(self)));
    this.#renewLater();
    await this.watch();
  }

  async update(self: Member): Promise<void> {
    if (!this.#own.hasJoined) return this.join(self);
    await this.#own.update(checkedMember(structuredClone(self)));
  }

  async leave(): Promise<void> {
    clearTimeout(this.#renewal);
    await this.#own.leave();
  }

  async close(): Promise<void> {
    clearTimeout(this.#renewal);
    this.#closing.abort(new ServicesClosed());
    this.#living.close();
    this.#watch?.stop();
    await this.#asking?.catch(() => {});
  }

  last(node: string): Promise<LastEntry> {
    return this.#inTime('read', async (bucket) => {
      const there = await bucket.get(node);
      if (there === null) return { revision: 0 };
      const entry = readEntry(there);
      return { revision: there.revision, ...(entry === undefined ? {} : { entry }) };
    });
  }

  put({ member, joined, left }: NewEntry, after: number): Promise<number | undefined> {
    const { node, incarnation, details } = member;
    // The first entry doesn't name its own revision: what others compare is the one that it was stored at.
    const entry = JSON.stringify({ incarnation, joined, left, details: left ? {} : details });
    return this.#inTime('write', async (bucket) => {
      try {
        const revision = await bucket.put(node, entry, { previousSeq: after });
        // A bucket that was made anew; nothing comes by the watch of the one before.
        if (revision < this.#heardTo) this.#watch?.stop();
        return revision;
      } catch (error) {
        if (isWrongLast(error)) return undefined;
        throw error;
      }
    });
  }

  /** Asks the bucket until it answers. @throws LogUnavailable after ten seconds, ServicesClosed */
  async #inTime<T>(asked: Asked, ask: (bucket: KV) => Promise<T>): Promise<T> {
    const started = performance.now();
    for (;;) {
      this.#closing.signal.throwIfAborted();
      const asking = this.#ask(asked, ask);
      this.#asking = asking;
      try {
        return await asking;
      } catch (error) {
        if (isConnectionClosed(error)) throw new ServicesClosed();
        if (performance.now() - started > DEADLINE_MS) throw new LogUnavailable('members', String(error));
        await pause(RETRY_MS, this.#closing.signal);
      }
    }
  }

  async #ask<T>(asked: Asked, ask: (bucket: KV) => Promise<T>): Promise<T> {
    try {
      const bucket = await this.#choice.watched(asked, this.#opened());
      return await this.#choice.watched(asked, ask(bucket));
    } catch (error) {
      // Servers that have lost all, or of which all were replaced.
      if (isStreamMissing(error) || /stream not found|no responders|not enabled/.test(String(error)))
        this.#bucket = undefined;
      throw error;
    }
  }

  #opened(): Promise<KV> {
    const { bucket, copies, ttlMs } = this.#options;
    this.#bucket ??= new Kvm(this.#client).create(bucket, {
      ttl: ttlMs,
      history: 1,
      replicas: copies,
      storage: StorageType.File,
      maxValueSize: MAX_ENTRY,
      // What a server that isn't the leader has may be old.
      allow_direct: false,
    });
    this.#bucket.catch(() => {
      this.#bucket = undefined;
    });
    return this.#bucket;
  }

  /** Follows the bucket until the services are closed; `seenAll` is called when what was there has been seen. */
  async #watchOn(seenAll: () => void): Promise<void> {
    const { signal } = this.#closing;
    const connectionStatus = this.#connection.status();
    const followConnection = async () => {
      for await (const { type } of connectionStatus)
        if (type === 'disconnect') this.#living.freeze();
        else if (type === 'reconnect') this.#watch?.stop();
    };
    void followConnection();
    while (!signal.aborted) {
      let over: ReturnType<typeof setTimeout> | undefined;
      try {
        const watch = await this.#ask('read', (bucket) => bucket.watch());
        this.#watch = watch;
        this.#heardTo = 0;
        // What was there then and isn't renewed is over.
        over = setTimeout(seenAll, this.#options.ttlMs);
        over.unref();
        if (signal.aborted) watch.stop();
        this.#unwatchedSince = undefined;
        this.#isToldWhy = false;
        this.#living.thaw();
        const { values, streamInfo } = await this.#ask('read', (bucket) => bucket.status());
        if (values === 0) seenAll();
        for await (const entry of watch) {
          this.#heard(entry);
          // Servers may count one too many that are still to come, for ever.
          if ((entry.delta ?? 0) === 0 || entry.revision >= streamInfo.state.last_seq) seenAll();
        }
      } catch (error) {
        if (isConnectionClosed(error)) break;
        this.#unwatched(error);
      } finally {
        clearTimeout(over);
        this.#watch?.stop();
      }
      await pause(RETRY_MS, signal).catch(() => {});
    }
    (connectionStatus as { stop?: () => void }).stop?.();
  }

  /** Whoever runs the node is told once why it doesn't start, or hears of no changes. */
  #unwatched(error: unknown): void {
    const now = elapsed(this.#clock);
    this.#unwatchedSince ??= now;
    if (this.#isToldWhy || now - this.#unwatchedSince < this.#options.ttlMs / 2) return;
    this.#isToldWhy = true;
    const { copies, warn } = this.#options;
    const reason = error instanceof Error ? error.message : String(error);
    warn(
      `nothing is heard of the members of the cluster, which NATS keeps on ${copies} of its servers: ${reason}. So many servers have to run when the cluster first starts, each with --jetstream and room on its disk; later a majority`,
    );
  }

  #heard(entry: KvWatchEntry): void {
    this.#heardTo = entry.revision;
    const heard = readEntry(entry);
    if (heard === undefined) return;
    const self = this.#own.joined;
    // Servers that were killed may count otherwise than the one that stores, and have the process before for a later one: that one is asked.
    if (isLater(heard, self)) this.#own.renew().catch(() => {});
    else this.#living.heard(heard, self);
  }

  #renewLater(): void {
    clearTimeout(this.#renewal);
    this.#renewal = setTimeout(() => {
      if (this.#closing.signal.aborted || this.replaced.aborted) return;
      // While this node can't store anything, others may not be able to either: that nothing is heard of them says nothing.
      if (this.#isRenewing) this.#living.freeze();
      else this.#renew().catch(() => {});
      this.#renewLater();
    }, this.#options.ttlMs / 3);
    this.#renewal.unref();
  }

  /**
   * Renews this node's entry, and has another watch begin where this one doesn't deliver it: its server may lag behind the one that stores, or be
   * gone. It begins before those are taken for gone who were heard of before.
   */
  async #renew(): Promise<void> {
    this.#isRenewing = true;
    try {
      await this.#own.renew();
    } finally {
      this.#isRenewing = false;
    }
    this.#living.thaw();
    const { revision } = this.#own;
    const watch = this.#watch;
    await pause(this.#options.ttlMs / 10, this.#closing.signal);
    if (this.#watch === watch && this.#heardTo < revision) watch?.stop();
  }
}

/** Reads an entry that anybody could have written; nothing when it is none of a member. */
function readEntry({ operation, key: node, revision, value }: KvEntry): MemberEntry | undefined {
  if (operation !== 'PUT' || value.length > MAX_ENTRY) return undefined;
  try {
    const { incarnation, joined = revision, left, details } = JSON.parse(new TextDecoder().decode(value));
    if (!Number.isSafeInteger(joined) || joined > revision) return undefined;
    return { member: checkedMember({ node, incarnation, details }), joined, left: left === true, revision };
  } catch {
    return undefined;
  }
}
