/**
 * One index on this node as its log says it: messages are read in their order and carried out by its shards; one that changes the mapping waits
 * for those before it, so that every copy parses a document by the same mapping. Where the node has no copy of any shard, changes of the mapping
 * alone are read.
 */
import { LogDiffers, LogMissing, LogShortened, LogTrimmed } from '../cluster/errors.js';
import type { Place } from '../cluster/checksum.js';
import type { Log, LogMessage, Logs } from '../cluster/log.js';
import { onAbort } from '../cluster/onAbort.js';
import { OVER } from '../cluster/over.js';
import { ElasticsearchError } from '../errors.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { FlatSettings } from '../settings/indexSettings.js';
import type { Shard } from '../shard/shard.js';
import { placeRow, readPlace } from '../storage/logRows.js';
import { elapsed } from '../time/elapsed.js';
import { NewerCommand } from './documentCommand.js';
import { CopyBehind, DocumentMessages, type DocumentMessagesContext } from './documentMessages.js';
import { FollowedLog } from './followedLog.js';
import { FollowedMapping, type FollowedMappingContext } from './followedMapping.js';
import { type CopyMoment, type FetchedMapping, logName, MAPPING, type MappingCommand } from './indexLog.js';
import { pause } from './pause.js';
import { ShardProgress } from './progress.js';
import { withSignals } from './withSignals.js';

/** What a follower needs of the node. */
export interface FollowerContext extends FollowedMappingContext, DocumentMessagesContext {
  logs: Logs;
  /** Has the copies fetched anew whose log goes on at `first` only; returns whether others have them all. */
  trimmed(index: OpenIndex, first: number): boolean;
  /** Has a copy fetched anew that is behind what this node has; returns whether another node has one. */
  outdated(index: OpenIndex, shard: number, reason: string): boolean;
  /** The mapping of another node that has read the log up to there; undefined where there is none. */
  fetchMapping(index: OpenIndex, first: number, signal: AbortSignal): Promise<FetchedMapping | undefined>;
  /** The index follows its log no further; or it does again, without a reason. */
  failed(index: OpenIndex, reason: string | undefined): void;
}

/** After these the log is followed no further. */
const ENDS = [LogShortened, LogDiffers, NewerCommand];
/** Other nodes that have what this one lacks are looked for so long before that is told; they are looked for later too, less often. */
const ALONE_MS = 60_000;
const LATER_MS = 5000;
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
  #failing = new AbortController();
  #sinceNoted = 0;
  #bytesSinceNoted = 0;
  readonly #mapping: FollowedMapping;
  readonly #messages: DocumentMessages;
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
    this.#messages = new DocumentMessages(index, context, this.#mapping, this.#progress);
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

  /** See {@link FollowedMapping.analysis}. */
  get analysis(): FlatSettings {
    return this.#mapping.analysis;
  }

  /** See {@link FollowedMapping.turn}. */
  get turn(): number {
    return this.#mapping.turn;
  }

  /** See {@link FollowedMapping.said}. */
  get said(): Pick<MappingCommand, 'analysis' | 'turn'> {
    return this.#mapping.said;
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
    // It has no document from before a change of the mapping that isn't known here: none is left to be read up to there.
    this.#mappingProgress.read(position);
    this.#reading.abort(OVER);
  }

  /** Takes a copy out of those of the index, which is fed no more; it is to be closed when nobody uses it. */
  leave(shard: number): Shard {
    const copy = this.index.leave(shard);
    // From now on changes of the mapping are enough.
    if (!this.readsDocuments) this.#reading.abort(OVER);
    return copy;
  }

  /** Whether all of the log is read: the node has a copy of some shard. */
  get readsDocuments(): boolean {
    return this.index.copies.length > 0;
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
    const isRead = this.readsDocuments || this.#mappingProgress.isAt(position);
    // What comes behind the last change of the mapping isn't read.
    const last = isRead ? position : Math.min(position, await (await this.log()).lastPosition(MAPPING));
    await this.reachMapping(last, signal);
  }

  /** Reads no further, and lets what is being carried out end. @param reason what is said to those who wait */
  async stop(reason: Error): Promise<void> {
    this.#ending.abort(reason);
    await this.#following;
    await this.#messages.ended();
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

  /** Other nodes have been found that have what this one lacks. */
  #recover(): void {
    if (this.failure === undefined) return;
    this.failure = undefined;
    this.#failing = new AbortController();
    this.#context.failed(this.index, undefined);
    this.#context.warn(`[${this.index.name}] takes writes again`);
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
    // One that could not be opened is made of what the store has, as soon as it can be.
    for (const { active, number } of this.index.copies) if (!active) void this.leave(number).close(false);
    /** Since when the log isn't there. */
    let missing: number | undefined;
    /** Since when others are looked for that have what this node lacks. */
    let alone: number | undefined;
    while (!signal.aborted) {
      try {
        await this.#read(signal, () => {
          missing = undefined;
        });
      } catch (e) {
        if (signal.aborted) return;
        // An index that is being deleted loses its log first on some node.
        if (e instanceof LogMissing) missing ??= elapsed(clock);
        if (e instanceof LogTrimmed || e instanceof CopyBehind) {
          alone ??= elapsed(clock);
          const goesOn = await this.#goOnAfter(e, signal).catch((failure) => {
            if (!signal.aborted)
              warn(`[${this.index.name}] taking its mapping from another node: ${failure}`);
            return false;
          });
          if (goesOn) {
            alone = undefined;
            this.#recover();
            continue;
          }
          if (signal.aborted) return;
          if (elapsed(clock) - alone > ALONE_MS) {
            if (this.failure === undefined) this.#fail(e.message);
            await pause(clock, LATER_MS, signal);
            continue;
          }
        }
        const isMissing = e instanceof LogMissing && elapsed(clock) - missing! >= MISSING_MS;
        if (isMissing || ENDS.some((end) => e instanceof end)) {
          this.#fail((e as Error).message);
          return;
        }
        if (!(e instanceof LogMissing)) warn(`[${this.index.name}] following its log: ${e}`);
        await pause(clock, RETRY_MS, signal);
      }
    }
  }

  /** Goes on with what other nodes have; false where nobody has it now. */
  async #goOnAfter(e: LogTrimmed | CopyBehind, signal: AbortSignal): Promise<boolean> {
    if (e instanceof LogTrimmed) return this.#goOnFrom(e.first, signal);
    return this.#context.outdated(this.index, e.shard, e.message);
  }

  /** Goes on where the log begins, with copies and the mapping of other nodes; false where nobody has them now. */
  async #goOnFrom(first: number, signal: AbortSignal): Promise<boolean> {
    const { index } = this;
    await this.#messages.ended();
    if (!this.#context.trimmed(index, first)) return false;
    if (index.copies.length > 0) return true;
    const fetched = await this.#context.fetchMapping(index, first, signal).catch(() => undefined);
    if (fetched === undefined || signal.aborted) return false;
    // A copy that has come meanwhile says where to go on.
    if (index.copies.length > 0) return true;
    const { place, mapping } = fetched;
    if (mapping !== undefined) await this.#mapping.take(mapping);
    this.#resumed = place;
    // A copy that has come while the mapping was taken is as far as it says.
    const others = this.#progress.filter((_, shard) => !this.has(shard));
    for (const progress of [...others, this.#mappingProgress])
      progress.read(Math.max(progress.position, place.position));
    return true;
  }

  async #read(signal: AbortSignal, found: () => void): Promise<void> {
    const log = await this.log();
    // What was handed over before goes first.
    await this.#messages.ended();
    const reading = new AbortController();
    this.#reading = reading;
    const stop = () => reading.abort(OVER);
    const unlisten = onAbort(signal, stop);
    if (signal.aborted) stop();
    try {
      await this.#readFrom(log, reading.signal, found);
    } finally {
      unlisten();
    }
  }

  async #readFrom(log: Log, signal: AbortSignal, found: () => void): Promise<void> {
    const end = this.readsDocuments ? undefined : await endOf(log);
    if (signal.aborted) return;
    const { position, checksum } = this.#start();
    const options = {
      ...(checksum === undefined ? {} : { checksum }),
      ...(end === undefined ? {} : { subject: MAPPING, isRare: true }),
    };
    if (end !== undefined) this.#passOver(end);
    // A copy that has come has all up to there, changes of the mapping too, which nobody has to read before.
    else this.#mappingProgress.read(position);
    for await (const message of log.read(position, signal, options)) {
      // A copy has joined that must have what comes before first.
      if (signal.aborted) return;
      found();
      if (message.subject === MAPPING) {
        await this.#mapping.change(message, () => this.#messages.ended(), signal);
        if (signal.aborted) return;
      } else this.#messages.carryOut(message);
      // Without its bytes, which would stay until the next one.
      this.#last = { position: message.position, checksum: message.checksum };
      for (const progress of this.#progress) progress.read(message.position);
      this.#mappingProgress.read(message.position);
      if (end !== undefined) this.#passOver(end);
      await this.#messages.room();
      if (signal.aborted) return;
      this.#bytesSinceNoted += message.bytes.length;
      if (++this.#sinceNoted >= NOTED_EVERY || this.#bytesSinceNoted >= NOTED_BYTES)
        await this.#note(message, signal);
      if (signal.aborted) return;
    }
  }

  /** Nobody waits for messages that aren't read: not for those of shards, and not for a change of the mapping where there is none left. */
  #passOver({ position, mapping }: { position: number; mapping: number }): void {
    for (const progress of this.#progress) progress.read(Number.MAX_SAFE_INTEGER);
    if (this.mappingPosition >= mapping) this.#mappingProgress.read(position);
  }

  /** Shards that have nothing to do note how far the log has been read, so that it is not read again from their last message on. */
  async #note({ position, checksum }: LogMessage, reading: AbortSignal): Promise<void> {
    this.#sinceNoted = this.#bytesSinceNoted = 0;
    await this.#messages.ended();
    if (reading.aborted) return;
    const rows = this.index.copies.flatMap(({ uid, opening, logPlace }) =>
      // One that is being opened may lack what it begins with: with a place it would count as a copy.
      opening || (logPlace !== undefined && logPlace.position >= position)
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

/** Where a log ends, and where its last change of the mapping is. */
async function endOf(log: Log): Promise<{ position: number; mapping: number }> {
  const position = await log.lastPosition();
  return { position, mapping: await log.lastPosition(MAPPING) };
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
