import { type JetStreamClient, StorageType } from '@nats-io/jetstream';
import { type KV, type KvWatchEntry, Kvm } from '@nats-io/kv';
import type { NatsConnection, QueuedIterator } from '@nats-io/transport-node';
import { LogUnavailable, ServicesClosed } from '../../cluster/errors.js';
import { LivingMembers } from '../../cluster/livingMembers.js';
import { type Member, type Members, checkedMember } from '../../cluster/members.js';
import type { Clock } from '../../time/clock.js';
import type { ServerChoice } from './serverChoice.js';
import { DEADLINE_MS, isConnectionClosed, isStreamMissing, orAborted, pause } from './natsErrors.js';

const RETRY_MS = 250;
/** What one entry may have at most, in bytes: details of 512 K characters, and a little. */
const MAX_ENTRY = 2 * 1024 * 1024;

/** How a bucket is made. */
export interface BucketOptions {
  readonly bucket: string;
  readonly copies: number;
  readonly ttlMs: number;
}

/** What this process has joined as, and what of it is stored. */
interface Self {
  member: Member;
  /** The revision of its first entry: larger than that of every process that joined before. */
  joined: number | undefined;
  left: boolean;
}

/** Members as entries of a bucket, each renewed by its node three times within the time to live. */
export class NatsMembers implements Members {
  readonly #connection: NatsConnection;
  readonly #client: JetStreamClient;
  readonly #choice: ServerChoice;
  readonly #options: BucketOptions;
  readonly #living: LivingMembers;
  readonly #closing = new AbortController();
  #bucket: Promise<KV> | undefined;
  #watch: QueuedIterator<KvWatchEntry> | undefined;
  #self: Self | undefined;
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #putting: Promise<void> | undefined;
  #changes = 0;
  #stored = 0;
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
    this.#living = new LivingMembers(clock, options.ttlMs);
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
    const member = checkedMember(structuredClone(self));
    this.#self = { member, joined: undefined, left: false };
    this.#changes++;
    await this.#storedInTime();
    this.#renewLater();
    // Where all had been seen before, this one hasn't.
    const { joined } = this.#self;
    if (joined !== undefined) this.#living.heard(member, joined, undefined);
    await this.watch();
  }

  async update(self: Member): Promise<void> {
    if (!this.#self) return this.join(self);
    this.#self.member = checkedMember(structuredClone(self));
    this.#changes++;
    await this.#storedInTime();
  }

  async leave(): Promise<void> {
    clearTimeout(this.#renewal);
    const self = this.#self;
    if (!self) return;
    self.left = true;
    this.#changes++;
    await this.#storedInTime();
    this.#self = undefined;
    if (self.joined !== undefined) this.#living.gone(self.member.node, self.joined);
  }

  async close(): Promise<void> {
    clearTimeout(this.#renewal);
    this.#closing.abort(new ServicesClosed());
    this.#living.close();
    this.#watch?.stop();
    await this.#putting?.catch(() => {});
  }

  /** Resolves when what this process says of itself now, or something newer, is stored. */
  async #storedInTime(): Promise<void> {
    const change = this.#changes;
    const started = performance.now();
    while (this.#stored < change) {
      this.#closing.signal.throwIfAborted();
      this.#putting ??= this.#put().finally(() => {
        this.#putting = undefined;
      });
      try {
        await this.#putting;
      } catch (error) {
        if (isConnectionClosed(error)) throw new ServicesClosed();
        if (performance.now() - started > DEADLINE_MS) throw new LogUnavailable('members', String(error));
        await pause(RETRY_MS, this.#closing.signal);
      }
    }
  }

  async #put(): Promise<void> {
    const self = this.#self;
    const change = this.#changes;
    if (self && !this.replaced.aborted) {
      const { member, joined, left } = self;
      const { node, incarnation, details } = member;
      const entry = JSON.stringify({ incarnation, joined, left, details: left ? {} : details });
      const revision = await this.#putEntry(node, entry);
      // The first entry doesn't name its own revision: what others compare is the one that it was stored at.
      self.joined ??= revision;
    }
    this.#stored = Math.max(this.#stored, change);
  }

  async #putEntry(node: string, entry: string): Promise<number> {
    try {
      const bucket = await this.#choice.watched('write', this.#opened());
      return await this.#choice.watched('write', bucket.put(node, entry));
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
        const watch = await (await this.#opened()).watch();
        this.#watch = watch;
        // What was there then and isn't renewed is over.
        over = setTimeout(seenAll, this.#options.ttlMs);
        over.unref();
        if (signal.aborted) watch.stop();
        this.#living.thaw();
        const { values, last } = await this.#entriesThere();
        if (values === 0) seenAll();
        for await (const entry of watch) {
          this.#heard(entry);
          // Servers may count one too many that are still to come, for ever.
          if ((entry.delta ?? 0) === 0 || entry.revision >= last) seenAll();
        }
      } catch (error) {
        if (isConnectionClosed(error)) break;
      } finally {
        clearTimeout(over);
      }
      await pause(RETRY_MS, signal).catch(() => {});
    }
    (connectionStatus as { stop?: () => void }).stop?.();
  }

  /** How many entries there are, and the revision of the last one. */
  async #entriesThere(): Promise<{ values: number; last: number }> {
    const { values, streamInfo } = await (await this.#opened()).status();
    return { values, last: streamInfo.state.last_seq };
  }

  #heard(entry: KvWatchEntry): void {
    if (entry.operation !== 'PUT' || entry.value.length > MAX_ENTRY) return;
    const heard = readEntry(entry.key, entry.revision, entry.value);
    if (!heard) return;
    const { member, joined, left } = heard;
    const self = this.#self;
    const own = self?.joined === undefined ? undefined : { member: self.member, joined: self.joined };
    if (left) this.#living.gone(member.node, joined);
    else if (!(self?.left && member.incarnation === self.member.incarnation))
      this.#living.heard(member, joined, own);
    if (this.replaced.aborted) clearTimeout(this.#renewal);
  }

  #renewLater(): void {
    clearTimeout(this.#renewal);
    this.#renewal = setTimeout(() => {
      if (this.#closing.signal.aborted || !this.#self || this.replaced.aborted) return;
      this.#changes++;
      this.#storedInTime().catch(() => {});
      this.#renewLater();
    }, this.#options.ttlMs / 3);
    this.#renewal.unref();
  }
}

/** Reads an entry that anybody could have written; nothing when it is none of a member. */
function readEntry(
  node: string,
  revision: number,
  value: Uint8Array,
): { member: Member; joined: number; left: boolean } | undefined {
  try {
    const { incarnation, joined = revision, left, details } = JSON.parse(new TextDecoder().decode(value));
    if (!Number.isSafeInteger(joined) || joined > revision) return undefined;
    return { member: checkedMember({ node, incarnation, details }), joined, left: left === true };
  } catch {
    return undefined;
  }
}
