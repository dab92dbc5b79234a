/**
 * Logs are not kept for ever: the first of the living nodes trims them now and then, up to where every living node has what they say on its disk,
 * and so that what was written last stays for nodes that come back. Logs of indices that did not come about are removed.
 */
import type { Log, Logs } from '../cluster/log.js';
import type { Peers } from '../cluster/peers.js';
import { parseSize } from '../settings/sizes.js';
import { encodeJson } from '../storage/records.js';
import type { Clock } from '../time/clock.js';
import { elapsed } from '../time/elapsed.js';
import { parseTime } from '../time/durations.js';
import { isIndexLog, logName } from './indexLog.js';
import { type Kept, readKept } from './kept.js';
import type { RegisterQuestion } from './message.js';
import type { Nodes } from './nodes.js';

/** What stays of a log, whatever nodes have: what is newer, and not more than so many bytes; some minutes always. */
export interface Retention {
  bytes: number;
  ms: number;
}

/** What trimming needs of the node. */
export interface TrimmingContext {
  clock: Clock;
  logs: Pick<Logs, 'list'>;
  nodes: Nodes;
  peers: Peers;
  warn(message: string): void;
  /** A setting of the cluster. */
  setting(name: string): string | undefined;
  /** What this node needs. */
  kept(): Kept;
  /** Undefined while there is none that could be trimmed. */
  metadataLog(): Log | undefined;
  /**
   * The log of an index that is followed here; undefined for others, and where there are shards that nobody has.
   * @param had the shards of which nodes have said how far their copies are
   */
  logOf(uuid: string, had: ReadonlySet<number>): Promise<Log> | undefined;
  /** Puts the mapping of an index into its log again. */
  renewMapping(uuid: string): Promise<void>;
  /** Removes those of these logs that no index has, or ever will. */
  removeUnnamed(logs: readonly string[]): Promise<void>;
}

/** The subject of what has to stay the last of its kind. */
const META = 'meta';
const KEPT_QUESTION = 'kept';
const INTERVAL_MS = 60_000;
/** A node that doesn't say within so many milliseconds how far it is keeps logs as they are. */
const ANSWER_MS = 10_000;
/** What is younger stays in any case: whoever was halted while appending finds what it expected. */
export const LEAST_MS = 10 * 60_000;
/** Positions are noted no more often. */
const NOTED_MS = 5 * 60_000;
export const SIZE = 'indices.log.retention.size';
export const AGE = 'indices.log.retention.age';
const DEFAULT_BYTES = 512 * 1024 * 1024;
const DEFAULT_MS = 12 * 60 * 60_000;

/** Where a log ended at some time. */
interface Noted {
  at: number;
  last: number;
}

/** Trims the logs of a cluster, where this node is the one to do it. */
export class Trimming {
  readonly #context: TrimmingContext;
  /** By log, oldest first. */
  #noted = new Map<string, Noted[]>();
  /** Logs that no living node has an index for, with when that was found first. */
  #unnamed = new Map<string, number>();
  #cancel = () => {};
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(context: TrimmingContext) {
    this.#context = context;
  }

  /** Tells other nodes how far this one may have logs trimmed. */
  serve(register: RegisterQuestion): void {
    register(KEPT_QUESTION, async () => encodeJson(this.#context.kept()));
  }

  /** Trims at intervals. */
  start(): void {
    if (this.#closed) return;
    this.#cancel = this.#context.clock.after(INTERVAL_MS, () => {
      const { nodes, warn } = this.#context;
      const done = nodes.isFirst ? this.run() : Promise.resolve(this.#forget());
      done.catch((e) => warn(`logs are not trimmed: ${(e as Error).message}`)).then(() => this.start());
    });
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  #forget(): void {
    this.#noted.clear();
    this.#unnamed.clear();
  }

  /** What stays, as settings of the cluster say. */
  get retention(): Retention {
    const { setting } = this.#context;
    const age = setting(AGE);
    return {
      bytes: parseSize(setting(SIZE) ?? '', 0) ?? DEFAULT_BYTES,
      ms: Math.max(LEAST_MS, age === undefined ? DEFAULT_MS : parseTime(age)),
    };
  }

  /** Trims all logs once; nothing where a living node doesn't say how far it is. @param retention what stays */
  run(retention = this.retention): Promise<void> {
    this.#running ??= this.#run(retention).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(retention: Retention): Promise<void> {
    const { metadataLog, logOf, warn, logs } = this.#context;
    const there = await logs.list();
    const all = await this.#ask();
    if (all === undefined) return;
    const before = this.#noted;
    this.#noted = new Map();
    const log = metadataLog();
    if (log !== undefined)
      await this.#trim(log, Math.min(...all.map(({ metadata }) => metadata)), before, retention);
    for (const uuid of Object.keys(all[0]!.indices)) {
      const of = all.map(({ indices }) => indices[uuid]);
      // A node that has joined since they were asked has not said what it needs.
      const log = logOf(uuid, new Set(of.flatMap((each) => each?.shards ?? [])));
      if (log === undefined || of.some((each) => each === undefined)) continue;
      try {
        const kept = Math.min(...of.map((each) => each!.copies ?? Number.POSITIVE_INFINITY));
        await this.#trimIndex(
          uuid,
          await log,
          kept,
          Math.min(...of.map((each) => each!.mapping)),
          before,
          retention,
        );
      } catch (e) {
        warn(`a log is not trimmed: ${(e as Error).message}`);
      }
    }
    if (log !== undefined) await this.#removeUnnamed(there, all, retention);
  }

  /**
   * Removes logs that were made for indices which did not come about, as where a node ended meanwhile. They stay as long as what logs say does: then nothing
   * is under way any more, in nodes of earlier versions neither, and nodes that come back have told of what they know.
   * @param there all logs that there were before nodes were asked what they have
   */
  async #removeUnnamed(there: readonly string[], all: readonly Kept[], { ms }: Retention): Promise<void> {
    const now = elapsed(this.#context.clock);
    const named = new Set(all.flatMap(({ indices }) => Object.keys(indices).map(logName)));
    const before = this.#unnamed;
    this.#unnamed = new Map(
      there.flatMap((log) => (isIndexLog(log) && !named.has(log) ? [[log, before.get(log) ?? now]] : [])),
    );
    const old = [...this.#unnamed].flatMap(([log, since]) => (now - since >= ms ? log : []));
    if (old.length === 0) return;
    try {
      await this.#context.removeUnnamed(old);
      // One that NATS doesn't remove is tried again after as long.
      for (const log of old) this.#unnamed.delete(log);
    } catch (e) {
      this.#context.warn(`logs that no index has are not removed: ${(e as Error).message}`);
    }
  }

  /** What all living nodes need, this one first; undefined where one doesn't say. */
  async #ask(): Promise<Kept[] | undefined> {
    const { nodes, peers, clock, kept } = this.#context;
    const others = nodes.ids.filter((id) => id !== nodes.self);
    const timeout = new AbortController();
    const cancel = clock.after(ANSWER_MS, () => timeout.abort(new Error('it took too long')));
    try {
      const question = encodeJson({});
      const answers = await Promise.all(
        others.map((id) => peers.ask(id, KEPT_QUESTION, question, timeout.signal)),
      );
      return [kept(), ...answers.map(readKept)];
    } catch {
      return undefined;
    } finally {
      cancel();
    }
  }

  /** Where the last change of the mapping is in the way, it is put behind: it can be let go of the next time. */
  async #trimIndex(
    uuid: string,
    log: Log,
    kept: number,
    mapping: number,
    before: ReadonlyMap<string, Noted[]>,
    retention: Retention,
  ): Promise<void> {
    const last = await log.lastPosition(META);
    const wanted = await this.#cutOf(log, kept, before, retention);
    if (wanted === undefined) return;
    // Whoever has not read it wants it still.
    const cut = last === 0 ? wanted : Math.min(wanted, mapping);
    if (cut > 1) await log.trim(cut);
    if (last !== 0 && last < wanted) await this.#context.renewMapping(uuid);
  }

  async #trim(
    log: Log,
    kept: number,
    before: ReadonlyMap<string, Noted[]>,
    retention: Retention,
  ): Promise<void> {
    const cut = await this.#cutOf(log, kept, before, retention);
    const last = await log.lastPosition(META);
    if (cut !== undefined && Math.min(cut, last) > 1) await log.trim(Math.min(cut, last));
  }

  /** The first position that has to stay; undefined where all has. */
  async #cutOf(
    log: Log,
    kept: number,
    before: ReadonlyMap<string, Noted[]>,
    { bytes, ms }: Retention,
  ): Promise<number | undefined> {
    const extent = await log.extent();
    const noted = this.#note(log.name, extent.last, before.get(log.name) ?? [], ms);
    const now = elapsed(this.#context.clock);
    const olderThan = (age: number) => noted.findLast(({ at }) => now - at >= age)?.last ?? 0;
    const length = extent.last + 1 - extent.first;
    // As if all messages were of one length.
    const large = extent.bytes <= bytes ? 0 : extent.last - Math.floor((length * bytes) / extent.bytes);
    const old = Math.max(olderThan(ms), Math.min(large, olderThan(Math.min(ms, LEAST_MS))));
    const cut = Math.min(old, kept) + 1;
    return cut > extent.first ? cut : undefined;
  }

  /** Notes where a log ends; what is older than the oldest that is asked for goes. */
  #note(log: string, last: number, before: readonly Noted[], ms: number): Noted[] {
    const now = elapsed(this.#context.clock);
    const newest = before.at(-1);
    const isNew = newest === undefined || (last !== newest.last && now - newest.at >= Math.min(ms, NOTED_MS));
    const all = isNew ? [...before, { at: now, last }] : [...before];
    while (all.length > 1 && now - all[1]!.at >= ms) all.shift();
    this.#noted.set(log, all);
    return all;
  }
}
