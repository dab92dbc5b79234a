/**
 * The cluster's log of metadata, as a node follows and writes it. A change is what its rows become; it is in the log only where nobody else
 * made one since the state that it was made from.
 */
import {
  ClusterError,
  LogDiffers,
  LogMissing,
  LogShortened,
  LogTrimmed,
  UnexpectedLast,
} from '../cluster/errors.js';
import type { Log, LogMessage } from '../cluster/log.js';
import { OVER } from '../cluster/over.js';
import { ElasticsearchError } from '../errors.js';
import { decodeJson, encodeJson, METADATA_PLACE_KEY } from '../storage/records.js';
import { Rows } from '../storage/rows.js';
import type {
  CommitOptions,
  Entry,
  Puts,
  RangeOptions,
  Storage,
  StorageSnapshot,
} from '../storage/storage.js';
import type { Clock } from '../time/clock.js';
import { elapsed } from '../time/elapsed.js';
import { MalformedCommand, NewerCommand } from './documentCommand.js';
import { decodeMetadata, encodeMetadata, type MetadataCommand } from './metadataCommand.js';
import { logOfPosition, metadataLogName, type MetadataLogs } from './metadataLogs.js';
import { pause } from './pause.js';
import { ShardProgress } from './progress.js';
import { withDeadline, withSignals } from './withSignals.js';

/** The one subject of the log. */
export const SUBJECT = 'meta';
const TIMEOUT_MS = 30_000;
const RETRY_MS = 500;
/** Where the log has been trimmed, other nodes are looked for so long before it counts as lost. */
const ALONE_MS = 60_000;
/** A log that isn't found for so long is gone. */
const MISSING_MS = 3000;
/** After so many milliseconds it is looked whether a lost log is there again, or another one in its place. */
const LOOK_MS = 5000;
const METADATA_KEYS = 'm'.charCodeAt(0);

/** How far a node has followed the log. */
export interface MetadataPlace {
  /** The cluster that the data belong to. */
  cluster: string;
  /** See {@link MetadataLogs}: it names the log too. */
  position: number;
  checksum?: number;
}

/** The metadata of another node. */
export interface FetchedMetadata {
  place: MetadataPlace;
  rows: readonly Entry[];
}

/** Thrown where another change came first: this one is made anew. */
export class Outdated extends Error {}

/** What the log needs of the node. */
export interface MetadataLogContext {
  /** The cluster's name. */
  cluster: string;
  logs: MetadataLogs;
  storage: Storage;
  clock: Clock;
  warn(message: string): void;
  /** Why the metadata can't be changed any more; undefined when they can again. */
  failed(reason: string | undefined): void;
  /** Carries out a change of another node, or one that this node doesn't know to have made, with a commit of these rows. */
  follow(position: number, command: MetadataCommand, commit: CommitMetadata): Promise<void>;
  /** All metadata as another node has them that is further than a position; undefined where there is none. */
  fetch(after: number, signal: AbortSignal): Promise<FetchedMetadata | undefined>;
  /** Takes them in the place of its own. */
  refill(position: number, rows: readonly Entry[], commit: CommitMetadata): Promise<void>;
}

/** Commits rows together with the place in the log. */
export type CommitMetadata = (puts: readonly Entry[], deletes: readonly Uint8Array[]) => Promise<void>;

/** Puts changes into the log, and carries out those of others. */
export class MetadataLog {
  readonly #context: MetadataLogContext;
  readonly #ending = new AbortController();
  #failing = new AbortController();
  /** Aborts when the log may be another one from now on. */
  #looking = new AbortController();
  #place: MetadataPlace;
  readonly #progress: ShardProgress;
  #following: Promise<void> = Promise.resolve();
  /** The log that is followed, and its number. */
  #opened: { number: number; log: Log } | undefined;
  /** Whether the log has forgotten, or has another, what was read of it: it is not read again. */
  #hasForgotten = false;
  /** Why the log is followed no further. */
  failure: string | undefined;
  /** Whether that is so because the log has messages of a newer version. */
  isOutdated = false;

  constructor(context: MetadataLogContext) {
    this.#context = context;
    this.#place = readPlace(context.storage) ?? { cluster: context.cluster, position: 0 };
    this.#progress = new ShardProgress(this.#place.position);
  }

  /** The last change that is in force here. */
  get position(): number {
    return this.#place.position;
  }

  /** How far the log has been followed. */
  get place(): Readonly<MetadataPlace> {
    return this.#place;
  }

  /** The log that is followed; undefined where none is. */
  get log(): Log | undefined {
    return this.failure === undefined ? this.#opened?.log : undefined;
  }

  /**
   * Opens the log, where there is one that the node can follow; makes it for a cluster that has none yet. One that another node makes at that
   * moment may be named and not be there yet: it is opened when it is followed.
   * @param isAlone whether no other node lives
   * @throws ClusterError where others do, or one of a repair has nothing yet: there must have been one
   */
  async open(isAlone: boolean): Promise<void> {
    const { logs } = this.#context;
    const { position } = this.#place;
    const own = logOfPosition(position);
    const newest = await logs.newest(own);
    if (newest !== undefined && newest >= own)
      try {
        this.#opened = { number: newest, log: await logs.open(newest) };
      } catch (e) {
        if (!(e instanceof LogMissing)) throw e;
      }
    if (newest !== undefined || position > 0) return;
    if (!isAlone || (await logs.next(0)) > 1)
      throw new ClusterError(
        'the log of the metadata of this cluster is gone: ask one of its nodes what to do, resilin cluster repair --node URL, then start this one',
      );
    this.#opened = { number: 0, log: await logs.begin(0) };
  }

  /** Begins to carry out what the log says. */
  follow(): void {
    this.#following = this.#follow();
  }

  /** Another log may have begun in the place of the one that is followed. */
  look(): void {
    this.#looking.abort(OVER);
  }

  /** Resolves when all changes that were made before are in force here. */
  async current(signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    if (this.failure !== undefined) throw unavailable(this.failure);
    const signals = [signal, this.#ending.signal, this.#failing.signal];
    await withSignals(signals, async (either) => {
      while (this.#opened === undefined) {
        either.throwIfAborted();
        await pause(clock, RETRY_MS, either);
      }
    });
    await this.reach(await this.#opened!.log.lastPosition(SUBJECT), signal);
  }

  /** Resolves when that is so, or when it is known that the log was lost. @throws NewerCommand where this node doesn't understand it */
  async currentOrLost(signal: AbortSignal): Promise<void> {
    while (this.failure === undefined)
      try {
        return await this.current(signal);
      } catch (e) {
        signal.throwIfAborted();
        if (this.failure !== undefined) break;
        if (!(e instanceof LogMissing)) throw e;
        await pause(this.#context.clock, RETRY_MS, signal);
      }
    if (this.isOutdated) throw new NewerCommand();
  }

  /** Resolves when a change is in force here. */
  reach(position: number, signal: AbortSignal): Promise<void> {
    const signals = [signal, this.#ending.signal, this.#failing.signal];
    return withSignals(signals, (either) => this.#progress.reach(position, either));
  }

  /** Puts a change into the log, and commits it here; throws {@link Outdated} where another one came first. */
  async commit(
    puts: readonly Entry[],
    deletes: readonly Uint8Array[],
    options?: CommitOptions,
  ): Promise<void> {
    const position = await this.append(puts, deletes);
    await this.#commit({ cluster: this.#place.cluster, position }, puts, deletes, options);
  }

  /** Puts a change into the log, which this node carries out as the others do; returns its position. Throws as {@link commit}. */
  async append(puts: readonly Entry[], deletes: readonly Uint8Array[]): Promise<number> {
    const { clock } = this.#context;
    if (this.failure !== undefined) throw unavailable(this.failure);
    const { number, log } = this.#opened ?? {};
    if (log === undefined || number !== logOfPosition(this.#place.position))
      throw unavailable('their log is being opened');
    const late = () => unavailable('the log of metadata does not answer');
    try {
      const { position: expectLast } = this.#place;
      const bytes = encodeMetadata({ puts, deletes });
      return await withDeadline(clock, TIMEOUT_MS, late, [this.#ending.signal], (signal) =>
        log.append(SUBJECT, bytes, { expectLast, signal }),
      );
    } catch (e) {
      if (e instanceof UnexpectedLast) throw new Outdated('another change came first');
      if (e instanceof ElasticsearchError) throw e;
      throw unavailable(e instanceof Error ? e.message : String(e));
    }
  }

  async stop(reason: Error): Promise<void> {
    this.#ending.abort(reason);
    await this.#following;
  }

  async #commit(
    place: MetadataPlace,
    puts: readonly Entry[],
    deletes: readonly Uint8Array[],
    options?: CommitOptions,
  ): Promise<void> {
    const row: Entry = [METADATA_PLACE_KEY, encodeJson(place)];
    // It is in the log, and small: a reserve of the disk is there for it, as for deleting an index.
    await this.#context.storage.commit([...puts, row], deletes, { ...options, freeing: true });
    this.#place = place;
  }

  /** Tells who waits that the change at its place is in force, not only committed. */
  inForce(): void {
    this.#progress.read(this.#place.position);
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    const { warn, clock } = this.#context;
    /** Since when others are looked for that have what has been trimmed, and since when the log isn't there. */
    let [trimmed, missing]: (number | undefined)[] = [];
    const found = () => {
      trimmed = missing = undefined;
    };
    while (!signal.aborted) {
      this.#looking = new AbortController();
      try {
        await withSignals([signal, this.#looking.signal], (either) => this.#readNewest(either, found));
        if (this.failure === undefined) continue;
      } catch (e) {
        if (signal.aborted) return;
        const { message } = e as Error;
        if (e instanceof LogTrimmed) {
          trimmed ??= elapsed(clock);
          if (await this.#refilled(signal)) {
            found();
            continue;
          }
          if (signal.aborted) return;
        }
        if (e instanceof LogMissing) missing ??= elapsed(clock);
        const isTrimmed = e instanceof LogTrimmed && elapsed(clock) - trimmed! > ALONE_MS;
        const isMissing = e instanceof LogMissing && elapsed(clock) - missing! >= MISSING_MS;
        const hasForgotten = e instanceof LogShortened || e instanceof LogDiffers;
        if (hasForgotten) this.#hasForgotten = true;
        if (e instanceof NewerCommand) this.isOutdated = true;
        if (isTrimmed || isMissing || hasForgotten || this.isOutdated) this.#fail(message);
        else if (this.failure === undefined && missing === undefined)
          warn(`following the log of metadata: ${message}`);
        if (this.isOutdated) return;
      }
      const ms = this.failure === undefined ? RETRY_MS : LOOK_MS;
      await withSignals([signal, this.#looking.signal], (either) => pause(clock, ms, either));
    }
  }

  #fail(reason: string): void {
    if (this.failure === reason) return;
    this.failure = reason;
    this.#failing.abort(unavailable(reason));
    this.#context.failed(reason);
    this.#context.warn(`the metadata can't be changed any more: ${reason}`);
  }

  #recover(): void {
    if (this.failure === undefined) return;
    this.failure = undefined;
    this.#hasForgotten = false;
    this.#failing = new AbortController();
    this.#context.failed(undefined);
    this.#context.warn('the metadata can be changed again');
  }

  /** Follows the newest log until the signal aborts. Nothing is read of one that has forgotten what it had. */
  async #readNewest(signal: AbortSignal, found: () => void): Promise<void> {
    const { logs } = this.#context;
    const own = logOfPosition(this.#place.position);
    const number = await logs.newest(own);
    if (number === undefined || number < own) throw new LogMissing(metadataLogName(own));
    if (number === own && this.#hasForgotten) return;
    if (this.#opened?.number !== number) this.#opened = { number, log: await logs.open(number) };
    const { log } = this.#opened;
    // Of one that is there again nothing new may come.
    if (number === own && this.failure !== undefined)
      if ((await log.lastPosition(SUBJECT)) === this.#place.position) this.#recover();
    await this.#read(number, log, signal, found);
  }

  /** Takes the metadata of another node; false where that isn't possible now. */
  async #refilled(signal: AbortSignal): Promise<boolean> {
    const { fetch, refill, warn } = this.#context;
    try {
      const fetched = await fetch(this.#place.position, signal);
      if (fetched === undefined) return false;
      const place = { ...fetched.place, cluster: this.#place.cluster };
      await refill(place.position, fetched.rows, (puts, deletes) => this.#commit(place, puts, deletes));
      this.#progress.read(Math.max(place.position, this.#progress.position));
      return true;
    } catch (e) {
      if (!signal.aborted) warn(`taking the metadata of another node: ${(e as Error).message}`);
      return false;
    }
  }

  async #read(number: number, log: Log, signal: AbortSignal, found: () => void): Promise<void> {
    const { follow, refill, warn } = this.#context;
    const { position: after, checksum: known } = this.#place;
    const options = { isRare: true, ...(known === undefined ? {} : { checksum: known }) };
    for await (const message of log.read(after, signal, options)) {
      found();
      const { position, checksum } = message;
      const place = { cluster: this.#place.cluster, position, checksum };
      const commit: CommitMetadata = (puts, deletes) => this.#commit(place, puts, deletes);
      const isBeginning = number > logOfPosition(this.#place.position);
      if (isBeginning) {
        if (after > 0) warn('the metadata were repaired: this node takes those that another log begins with');
        await refill(position, decodeMetadata(message.bytes).puts, commit);
      } else await follow(position, this.#decoded(message), commit);
      if (signal.aborted) return;
      if (position === this.#place.position) this.#place = place;
      this.#progress.read(Math.max(position, this.#progress.position));
      this.#recover();
    }
  }

  /**
   * What a message says; one that says nothing changes nothing, on every node alike.
   * @throws ClusterError where it was made of metadata that this node has not come to: it is read again, with what comes before
   */
  #decoded({ position, bytes, after }: LogMessage): MetadataCommand {
    const { position: last } = this.#place;
    const made = `made of the metadata of ${after}, and the last are those of ${last}`;
    // What this node has committed itself is not looked at again.
    const isNew = after !== undefined && position > last;
    if (isNew && after > last) throw new ClusterError(`its message ${position} was ${made}`);
    try {
      if (isNew && after < last) throw new MalformedCommand(`it was ${made}`);
      return decodeMetadata(bytes);
    } catch (e) {
      if (!(e instanceof MalformedCommand)) throw e;
      this.#context.warn(`the message ${position} of the log of metadata is left out: ${e.message}`);
      return { puts: [], deletes: [] };
    }
  }

  /** Whether a change at that place is in force here already. */
  has(position: number): boolean {
    return position <= this.#place.position;
  }
}

/** How far the store has followed a log of metadata; undefined where it has followed none. */
export function readPlace(storage: Storage): MetadataPlace | undefined {
  const row = storage.get(METADATA_PLACE_KEY);
  return row === undefined ? undefined : decodeJson<MetadataPlace>(row);
}

function unavailable(reason: string): ElasticsearchError {
  const detail = `the metadata of the cluster can't be changed now: ${reason}`;
  return new ElasticsearchError('MasterNotDiscoveredException', detail, { status: 503 });
}

/** A store whose metadata are committed by way of a log while a change is carried out. */
export class LoggedStorage implements Storage {
  readonly #inner: Storage;
  /** How the change that is being carried out is committed. */
  commits:
    | ((puts: readonly Entry[], deletes: readonly Uint8Array[], options?: CommitOptions) => Promise<void>)
    | undefined;

  constructor(inner: Storage) {
    this.#inner = inner;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#inner.get(key);
  }

  range(from: Uint8Array, to: Uint8Array, options?: RangeOptions): Iterable<Entry> {
    return this.#inner.range(from, to, options);
  }

  commit(puts: Puts, deletes: readonly Uint8Array[], options?: CommitOptions): Promise<void> {
    // Rows of documents come as such; shards write nothing else.
    if (this.commits === undefined || puts instanceof Rows) return this.#inner.commit(puts, deletes, options);
    const rows = [...puts];
    const isMetadata =
      rows.some(([key]) => key[0] === METADATA_KEYS) || deletes.some((key) => key[0] === METADATA_KEYS);
    return isMetadata ? this.commits(rows, deletes, options) : this.#inner.commit(rows, deletes, options);
  }

  get isCold(): boolean {
    return this.#inner.isCold === true;
  }

  prefetch(keys: readonly Uint8Array[]): Promise<void> | undefined {
    return this.#inner.prefetch?.(keys);
  }

  snapshot(): StorageSnapshot | undefined {
    return this.#inner.snapshot?.();
  }

  async written(): Promise<void> {
    await this.#inner.written?.();
  }

  get failure(): Storage['failure'] {
    return this.#inner.failure;
  }

  get heapBytes(): number {
    return this.#inner.heapBytes ?? 0;
  }

  get usedBytes(): number {
    return this.#inner.usedBytes as number;
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
