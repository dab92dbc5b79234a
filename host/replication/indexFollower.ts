/**
 * One index on this node as its log says it: messages are read in their order and carried out by its shards; one that changes the mapping waits
 * for those before it, so that every copy parses a document by the same mapping.
 */
import { LogDiffers, LogMissing, LogShortened, LogTrimmed } from '../cluster/errors.js';
import type { Place } from '../cluster/checksum.js';
import type { Log, LogMessage, Logs } from '../cluster/log.js';
import { onAbort } from '../cluster/onAbort.js';
import { ElasticsearchError } from '../errors.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { Outcome } from '../shard/writeQueue.js';
import { placeRow, readPlace } from '../storage/logRows.js';
import { type DocumentCommand, decodeCommand, MalformedCommand, NewerCommand } from './documentCommand.js';
import { FollowedLog } from './followedLog.js';
import { FollowedMapping, type FollowedMappingContext } from './followedMapping.js';
import { type CopyMoment, type FetchedMapping, logName, MAPPING } from './indexLog.js';
import { pause } from './pause.js';
import { ShardProgress } from './progress.js';
import { withSignals } from './withSignals.js';

/** What a follower needs of the node. */
export interface FollowerContext extends FollowedMappingContext {
  logs: Logs;
  /** A message was carried out. */
  carriedOut(message: Omit<DocumentCommand, 'ops'>, outcomes: Outcome[], position: number): void;
  /** Has the copies fetched anew whose log goes on at `first` only; returns whether others have them all. */
  trimmed(index: OpenIndex, first: number): boolean;
  /** The mapping of another node that has read the log up to there; undefined where there is none. */
  fetchMapping(index: OpenIndex, first: number, signal: AbortSignal): Promise<FetchedMapping | undefined>;
  /** A copy on this node counts no more: another one has to be fetched in its place. */
  outdated(index: OpenIndex, shard: number, reason: string): void;
  /** The index follows its log no further. */
  failed(index: OpenIndex, reason: string): void;
}

/** After these the log is followed no further. */
const ENDS = [LogShortened, LogDiffers, NewerCommand];
/** Where the log has been trimmed, other nodes are looked for so long before it counts as lost. */
const ALONE_MS = 60_000;
/** Messages of all shards that are being carried out at once; more are read when some have ended. */
const MOST_RUNNING = 64;
const MOST_RUNNING_BYTES = 16 * 1024 * 1024;
const RETRY_MS = 500;
/** A log that isn't found for so long is gone. */
const MISSING_MS = 10_000;
/** Shards to which nothing is written note how far they are after so many messages of others, or so many bytes: so far the log can be trimmed. */
const NOTED_EVERY = 4096;
const NOTED_BYTES = 32 * 1024 * 1024;

/** Follows the log of an index from where the store is. */
export class IndexFollower {
  readonly index: OpenIndex;
  readonly #context: FollowerContext;
  readonly #progress: ShardProgress[];
  readonly #ending = new AbortController();
  readonly #failing = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #runningBytes = 0;
  #sinceNoted = 0;
  #bytesSinceNoted = 0;
  readonly #mapping: FollowedMapping;
  readonly #mappingProgress: ShardProgress;
  readonly #log: FollowedLog;
  #reading = new AbortController();
  /** Why the index follows its log no further, as health shows it; it takes no writes then. */
  failure: string | undefined;
  readonly #following: Promise<void>;
  /** The last message that was handed over, or was read as a mapping. */
  #last: Place | undefined;
  /** Where reading goes on without copies, when the log before that has been trimmed. */
  #resumed: Place | undefined;

  constructor(index: OpenIndex, context: FollowerContext) {
    this.index = index;
    this.#context = context;
    this.#log = new FollowedLog(context.logs, logName(index.metadata.uuid));
    this.#mapping = new FollowedMapping(index, context, this.#ending.signal);
    const from = this.#start().position;
    this.#progress = index.shards.map(() => new ShardProgress(from));
    this.#mappingProgress = new ShardProgress(from);
    this.#following = this.#follow();
  }

  /** The position of the last change of the mapping that was carried out. */
  get mappingPosition(): number {
    return this.#mapping.position;
  }

  /** The position of the last change of the mapping that was left out; 0 where none was. */
  get leftOut(): number {
    return this.#mapping.leftOut;
  }

  /** The position up to which everything of the log is carried out on this node. */
  get carriedOut(): number {
    const held = this.#progress.filter((_, shard) => this.has(shard));
    return Math.min(this.#mappingProgress.carriedOut, ...held.map((progress) => progress.carriedOut));
  }

  /** The position up to which everything that the log has for a shard is carried out. */
  carriedOutBy(shard: number): number {
    return this.#progress[shard]!.carriedOut;
  }

  /** Where the mapping that documents are parsed by from now on was made. */
  get adopted(): Place {
    return this.#mapping.adopted;
  }

  /**
   * Feeds a copy that has just been put among those of the index, from where it is; the log is read again from there. Called in the turn in which
   * it is found that no newer mapping has been adopted.
   */
  join(shard: number, position: number): void {
    // Whoever waited for a shard that wasn't here waits for nothing.
    this.#progress[shard]!.read(Number.MAX_SAFE_INTEGER);
    this.#progress[shard] = new ShardProgress(position);
    this.#reading.abort();
  }

  /** Whether the node has a copy of a shard, one that is being made too. */
  has(shard: number): boolean {
    return this.index.copyOf(shard) !== undefined;
  }

  /** Aborts when the index goes. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** The index's log. */
  log(): Promise<Log> {
    return this.#log.open();
  }

  /** Why the index's log isn't available at the moment, so that writes wait; undefined where it is, as far as is known. */
  get trouble(): string | undefined {
    return this.#log.trouble;
  }

  /** Resolves when all that the log has for a shard up to there is carried out here. */
  reach(shard: number, position: number, signal: AbortSignal): Promise<void> {
    return this.#reach(this.#progress[shard]!, position, signal);
  }

  /** The same of the mapping. */
  reachMapping(position: number, signal: AbortSignal): Promise<void> {
    return this.#reach(this.#mappingProgress, position, signal);
  }

  /**
   * How far a shard is in the store, and what its log had made of the mapping then; undefined while the mapping is being changed. That is
   * further than its row says where the log was about others since.
   */
  placeOf(shard: number): CopyMoment | undefined {
    const { storage } = this.#context;
    const { index } = this;
    const { uid } = index.shards[shard]!;
    if (this.#mapping.isChanging || index.opening || index.model.joining.length > 0) return undefined;
    const mapping = this.#mapping.kept;
    let place = readPlace(storage, uid) ?? { position: 0, checksum: 0, time: 0, horizon: 0 };
    const others = [mapping, this.#progress[shard]!.isIdle ? this.#last : undefined];
    for (const other of others) {
      if (other === undefined || other.position <= place.position) continue;
      place = { ...place, position: other.position, checksum: other.checksum };
    }
    return { place, mapping };
  }

  /** How far the log has been read, and what it has made of the mapping; undefined while that is being changed. */
  mappingMoment(): FetchedMapping | undefined {
    if (this.#mapping.isChanging) return undefined;
    const mapping = this.#mapping.kept;
    const places = [mapping, this.#last].filter((place) => place !== undefined);
    const place = places.reduce((a, b) => (b.position > a.position ? b : a), { position: 0, checksum: 0 });
    return { place: { position: place.position, checksum: place.checksum }, mapping };
  }

  /** Whoever waits is told when the index goes, or follows its log no further. */
  #reach(progress: ShardProgress, position: number, signal: AbortSignal): Promise<void> {
    if (progress.isAt(position)) return Promise.resolve();
    const signals = [signal, this.#ending.signal, this.#failing.signal];
    return withSignals(signals, (either) => progress.reach(position, either));
  }

  /** The same of all that is read on this node. @param more further copies */
  async reachAll(position: number, signal: AbortSignal, more: readonly number[] = []): Promise<void> {
    const { shards } = this.index;
    const all = shards.filter(({ isHeld }) => isHeld).map(({ number }) => number);
    await Promise.all([...all, ...more].map((shard) => this.reach(shard, position, signal)));
    await this.reachMapping(position, signal);
  }

  /** Reads no further, and lets what is being carried out end. @param reason what is said to those who wait */
  async stop(reason: Error): Promise<void> {
    this.#ending.abort(reason);
    await this.#following;
    await Promise.all(this.#running);
  }

  /** Carries out nothing more, and takes no writes. */
  fail(reason: string): void {
    if (this.failure !== undefined) return;
    this.#fail(reason);
    this.#ending.abort(notFollowing(this.index.name, reason));
  }

  #fail(reason: string): void {
    this.failure = reason;
    this.#failing.abort(notFollowing(this.index.name, reason));
    this.#context.failed(this.index, reason);
    this.#context.warn(`[${this.index.name}] takes no writes: ${reason}`);
  }

  /** Where reading begins: before the first message that isn't carried out everywhere. */
  #start(): { position: number; checksum: number | undefined } {
    let first: { position: number; checksum: number } | undefined;
    const held = this.index.copies;
    if (held.length === 0) {
      const logged = this.#mapping.kept;
      const resumed = this.#resumed;
      if (resumed !== undefined && resumed.position > (logged?.position ?? 0)) return fromPlace(resumed);
      return { position: logged?.position ?? 0, checksum: logged?.checksum };
    }
    // Changes of the mapping behind it are left out when they are read again.
    for (const { logPlace } of held) {
      if (logPlace === undefined) return { position: 0, checksum: undefined };
      if (first === undefined || logPlace.position < first.position) first = logPlace;
    }
    return fromPlace(first ?? { position: 0, checksum: 0 });
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    const { clock, warn } = this.#context;
    // Shards say what they hold when they are open; one that is being restored is open late.
    await withSignals([signal], (ending) => openOr(this.index, ending));
    /** Since when the log isn't there. */
    let missing: number | undefined;
    /** Since when others are looked for that have what has been trimmed. */
    let trimmed: number | undefined;
    while (!signal.aborted) {
      try {
        await this.#read(signal, () => {
          missing = undefined;
        });
      } catch (e) {
        if (signal.aborted) return;
        // An index that is being deleted loses its log first on some node.
        if (e instanceof LogMissing) missing ??= clock.now();
        if (e instanceof LogTrimmed) {
          trimmed ??= clock.now();
          if (await this.#goOnFrom(e.first, signal)) {
            trimmed = undefined;
            continue;
          }
          if (signal.aborted) return;
        }
        const isLost = e instanceof LogTrimmed && clock.now() - trimmed! > ALONE_MS;
        const isMissing = e instanceof LogMissing && clock.now() - missing! >= MISSING_MS;
        const isGone = isLost || isMissing;
        if (isGone || ENDS.some((end) => e instanceof end)) {
          this.#fail((e as Error).message);
          return;
        }
        if (!(e instanceof LogMissing)) warn(`[${this.index.name}] following its log: ${e}`);
        await pause(clock, RETRY_MS, signal);
      }
    }
  }

  /** Goes on where the log begins, with copies and the mapping of other nodes; false where nobody has them now. */
  async #goOnFrom(first: number, signal: AbortSignal): Promise<boolean> {
    const { index } = this;
    await Promise.all(this.#running);
    if (!this.#context.trimmed(index, first)) return false;
    if (index.copies.length > 0) return true;
    const fetched = await this.#context.fetchMapping(index, first, signal).catch(() => undefined);
    if (fetched === undefined || signal.aborted) return false;
    // A copy that has come meanwhile says where to go on.
    if (index.copies.length > 0) return true;
    const { place, mapping } = fetched;
    if (mapping !== undefined) await this.#mapping.take(mapping);
    this.#resumed = place;
    for (const progress of [...this.#progress, this.#mappingProgress])
      progress.read(Math.max(progress.position, place.position));
    return true;
  }

  async #read(signal: AbortSignal, found: () => void): Promise<void> {
    const log = await this.log();
    // What was handed over before goes first.
    await Promise.all(this.#running);
    const reading = new AbortController();
    this.#reading = reading;
    const stop = () => reading.abort();
    const unlisten = onAbort(signal, stop);
    if (signal.aborted) stop();
    try {
      await this.#readFrom(log, reading.signal, found);
    } finally {
      unlisten();
    }
  }

  async #readFrom(log: Log, signal: AbortSignal, found: () => void): Promise<void> {
    const { position, checksum } = this.#start();
    const options = checksum === undefined ? {} : { checksum };
    for await (const message of log.read(position, signal, options)) {
      // A copy has joined that must have what comes before first.
      if (signal.aborted) return;
      found();
      if (message.subject === MAPPING) {
        await this.#mapping.change(message, () => Promise.all(this.#running), signal);
        if (signal.aborted) return;
      } else this.#carryOut(message);
      this.#last = message;
      for (const progress of this.#progress) progress.read(message.position);
      this.#mappingProgress.read(message.position);
      while (this.#running.size > MOST_RUNNING || this.#runningBytes > MOST_RUNNING_BYTES)
        await Promise.race(this.#running);
      if (signal.aborted) return;
      this.#bytesSinceNoted += message.bytes.length;
      if (++this.#sinceNoted >= NOTED_EVERY || this.#bytesSinceNoted >= NOTED_BYTES)
        await this.#note(message, signal);
      if (signal.aborted) return;
    }
  }

  /** Has a shard carry a message out; the next ones are read meanwhile. */
  #carryOut(message: LogMessage): void {
    const shard = Number(/^shard\.(\d+)$/.exec(message.subject)?.[1] ?? -1);
    const progress = this.#progress[shard];
    if (progress === undefined || !this.has(shard)) return;
    const { position, bytes } = message;
    let command: DocumentCommand;
    try {
      command = decodeCommand(bytes);
    } catch (e) {
      if (!(e instanceof MalformedCommand)) throw e;
      // It is nothing on every copy alike.
      this.#context.warn(`[${this.index.name}][${shard}] a message of the log is left out: ${e.message}`);
      return;
    }
    if (this.#isBehindMapping(shard, position, command)) {
      const reason = `it is behind the mapping of ${this.mappingPosition}: a message at ${position} would be parsed by a newer one`;
      this.#context.outdated(this.index, shard, reason);
      return;
    }
    progress.begin(position);
    this.#runningBytes += bytes.length;
    const running = this.#apply(shard, message, command).then(
      () => progress.end(position),
      // The shard goes: whoever waits for it is told by whoever ends it.
      () => {},
    );
    this.#running.add(running);
    void running.then(() => {
      this.#running.delete(running);
      this.#runningBytes -= bytes.length;
    });
  }

  /**
   * Whether a copy lacks a message that comes before a mapping which this node has adopted. One that was fed by this node has it, or left it
   * out; one that had been fetched when the process ended, and wasn't caught up with, may not.
   */
  #isBehindMapping(shard: number, position: number, { writer, number, ops }: DocumentCommand): boolean {
    if (position > this.mappingPosition || ops.length === 0) return false;
    return this.index.copyOf(shard)?.lacks({ position, writer, number }) === true;
  }

  async #apply(
    shard: number,
    { position, checksum }: LogMessage,
    { ops, ...header }: DocumentCommand,
  ): Promise<void> {
    const { writer, number, time, horizon } = header;
    const place = { position, checksum, writer, number, time, horizon };
    const outcomes = await this.index.copyOf(shard)!.apply(place, ops);
    if (outcomes !== undefined) this.#context.carriedOut(header, outcomes, position);
  }

  /** Shards that have nothing to do note how far the log has been read, so that it is not read again from their last message on. */
  async #note({ position, checksum }: LogMessage, reading: AbortSignal): Promise<void> {
    this.#sinceNoted = this.#bytesSinceNoted = 0;
    await Promise.all(this.#running);
    if (reading.aborted) return;
    const rows = this.index.copies.flatMap(({ uid, logPlace }) =>
      logPlace !== undefined && logPlace.position >= position
        ? []
        : [placeRow(uid, { time: 0, horizon: 0, ...logPlace, position, checksum })],
    );
    // One that fails is made again later.
    await this.#context.storage.commit(rows, []).catch(() => {});
  }
}

/** Resolves when the shards of an index are open, or the signal aborts. */
async function openOr(index: OpenIndex, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else onAbort(signal, resolve);
  });
  await Promise.race([index.ready(), aborted]);
}

/** Where reading begins behind what has been read; without a checksum that isn't looked at again. */
function fromPlace({ position, checksum }: Place): { position: number; checksum: number | undefined } {
  return { position, checksum: checksum === 0 ? undefined : checksum };
}

/** What is said to writes of an index whose log can't be followed. */
export function notFollowing(name: string, reason: string): ElasticsearchError {
  const detail = `[${name}] takes no writes on this node: ${reason}`;
  return new ElasticsearchError('UnavailableShardsException', detail, { status: 503 });
}
