/**
 * The cluster's log of metadata, as a node follows and writes it. A change is what its rows become; it is in the log only where nobody else
 * made one since the state that it was made from.
 */
import { LogDiffers, LogShortened, LogTrimmed, UnexpectedLast } from '../cluster/errors.js';
import type { Log, LogMessage } from '../cluster/log.js';
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
import { MalformedCommand, NewerCommand } from './documentCommand.js';
import { decodeMetadata, encodeMetadata, type MetadataCommand } from './metadataCommand.js';
import { pause } from './pause.js';
import { ShardProgress } from './progress.js';
import { withSignals } from './withSignals.js';

/** The name of the log, and its one subject. */
export const METADATA_LOG = 'metadata';
const SUBJECT = 'meta';
const TIMEOUT_MS = 30_000;
const RETRY_MS = 500;
/** Where the log has been trimmed, other nodes are looked for so long before it counts as lost. */
const ALONE_MS = 60_000;
const METADATA_KEYS = 'm'.charCodeAt(0);

/** How far a node has followed the log. */
export interface MetadataPlace {
  /** The cluster that the data belong to. */
  cluster: string;
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
  log: Log;
  storage: Storage;
  clock: Clock;
  warn(message: string): void;
  /** Carries out a change of another node, or one that this node doesn't know to have made, with a commit of these rows. */
  follow(position: number, command: MetadataCommand, commit: CommitMetadata): Promise<void>;
  /** All metadata as another node has them; undefined where there is none. */
  fetch(signal: AbortSignal): Promise<FetchedMetadata | undefined>;
  /** Takes them in the place of its own. */
  refill(position: number, rows: readonly Entry[], commit: CommitMetadata): Promise<void>;
}

/** Commits rows together with the place in the log. */
export type CommitMetadata = (puts: readonly Entry[], deletes: readonly Uint8Array[]) => Promise<void>;

/** Puts changes into the log, and carries out those of others. */
export class MetadataLog {
  readonly #context: MetadataLogContext;
  readonly #ending = new AbortController();
  readonly #failing = new AbortController();
  #place: MetadataPlace;
  readonly #progress: ShardProgress;
  #following: Promise<void> = Promise.resolve();
  /** Why the log is followed no further. */
  failure: string | undefined;

  constructor(context: MetadataLogContext) {
    this.#context = context;
    this.#place = readPlace(context.storage) ?? { cluster: context.cluster, position: 0 };
    this.#progress = new ShardProgress(this.#place.position);
  }

  /** The last change that is in force here. */
  get position(): number {
    return this.#place.position;
  }

  /** Begins to carry out what the log says. */
  follow(): void {
    this.#following = this.#follow();
  }

  /** Resolves when all changes that were made before are in force here. */
  async current(signal: AbortSignal): Promise<void> {
    await this.reach(await this.#context.log.lastPosition(SUBJECT), signal);
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
    const { log, clock } = this.#context;
    if (this.failure !== undefined) throw unavailable(this.failure);
    const timeout = new AbortController();
    const cancel = clock.after(TIMEOUT_MS, () =>
      timeout.abort(unavailable('the log of metadata does not answer')),
    );
    try {
      const { position: expectLast } = this.#place;
      const bytes = encodeMetadata({ puts, deletes });
      return await withSignals([timeout.signal, this.#ending.signal], (signal) =>
        log.append(SUBJECT, bytes, { expectLast, signal }),
      );
    } catch (e) {
      if (e instanceof UnexpectedLast) throw new Outdated();
      if (e instanceof ElasticsearchError) throw e;
      throw unavailable(e instanceof Error ? e.message : String(e));
    } finally {
      cancel();
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
    /** Since when others are looked for that have what has been trimmed. */
    let trimmed: number | undefined;
    while (!signal.aborted) {
      try {
        await this.#read(signal);
      } catch (e) {
        if (signal.aborted) return;
        const { message } = e as Error;
        if (e instanceof LogTrimmed) {
          trimmed ??= clock.now();
          if (await this.#refilled(signal)) {
            trimmed = undefined;
            continue;
          }
          if (signal.aborted) return;
        }
        const isLost = e instanceof LogTrimmed && clock.now() - trimmed! > ALONE_MS;
        if (isLost || e instanceof LogShortened || e instanceof LogDiffers || e instanceof NewerCommand) {
          this.failure = message;
          this.#failing.abort(unavailable(message));
          warn(`the metadata can't be changed any more: ${message}`);
          return;
        }
        warn(`following the log of metadata: ${message}`);
        await pause(clock, RETRY_MS, signal);
      }
    }
  }

  /** Takes the metadata of another node; false where that isn't possible now. */
  async #refilled(signal: AbortSignal): Promise<boolean> {
    const { fetch, refill, warn } = this.#context;
    try {
      const fetched = await fetch(signal);
      if (fetched === undefined || fetched.place.position <= this.#place.position) return false;
      const place = { ...fetched.place, cluster: this.#place.cluster };
      await refill(place.position, fetched.rows, (puts, deletes) => this.#commit(place, puts, deletes));
      this.#progress.read(Math.max(place.position, this.#progress.position));
      return true;
    } catch (e) {
      if (!signal.aborted) warn(`taking the metadata of another node: ${(e as Error).message}`);
      return false;
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { log, follow } = this.#context;
    const { position: after, checksum: known } = this.#place;
    const options = known === undefined ? {} : { checksum: known };
    for await (const message of log.read(after, signal, options)) {
      const { position, checksum } = message;
      const place = { cluster: this.#place.cluster, position, checksum };
      await follow(position, this.#decoded(message), (puts, deletes) => this.#commit(place, puts, deletes));
      if (signal.aborted) return;
      if (position === this.#place.position) this.#place = place;
      this.#progress.read(Math.max(position, this.#progress.position));
    }
  }

  /** What a message says; one that says nothing changes nothing, on every node alike. */
  #decoded({ position, bytes, after }: LogMessage): MetadataCommand {
    try {
      // What this node has committed itself is not looked at again.
      if (after !== undefined && after !== this.#place.position && position > this.#place.position)
        throw new MalformedCommand('it was made of other metadata than the last');
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
