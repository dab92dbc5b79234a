/**
 * The copies of shards that this node has: it makes those that are placed on it, and lets go of others when all nodes that they are placed on
 * have theirs.
 */
import type { OpenIndex } from '../metadata/openIndex.js';
import { isObject } from '../json/values.js';
import { dropShards, sweepShards } from '../shard/garbageCollection.js';
import type { Shard } from '../shard/shard.js';
import { hasCopy, hasRows, isOutdated, outdatedRow } from '../shard/shardCopy.js';
import { placeRow } from '../storage/logRows.js';
import { decodeJson, encodeJson } from '../storage/records.js';
import type { Blobs } from '../storage/storage.js';
import { DiskFull } from '../storeErrors.js';
import { CopyMaker, type CopyMakerContext, Unopened } from './copyMaker.js';
import { CopyStates } from './copyStates.js';
import type { CountedPeers } from './countedPeers.js';
import { readLoggedMapping } from './indexLog.js';
import type { RegisterQuestion } from './message.js';
import { pause } from './pause.js';
import type { Placements } from './placements.js';
import { RetreatedCopies } from './retreatedCopies.js';

/** What the copies need of the node. */
export interface HeldCopiesContext extends Omit<CopyMakerContext, 'closed'> {
  peers: CountedPeers;
  blobs: Blobs;
  placements: Placements;
  hasData: boolean;
  warn(message: string): void;
  /** All indices. */
  indices(): readonly OpenIndex[];
  /** Tells the other nodes which copies may be searched. */
  tell(copies: Readonly<Record<string, readonly number[]>>): Promise<void>;
  /** Resolves when nothing waits any more for what becomes of writes in this node's copy. */
  written(index: OpenIndex, shard: number): Promise<void>;
}

/** The question whether a node keeps its copy. */
const KEEPS = 'keeps';
/** All is looked at again after so many milliseconds. */
const LOOK_MS = 5000;
const RETRY_MS = 1000;
/** What a full disk or a core has no room for is tried again after so many milliseconds. */
const FULL_MS = 30_000;
const ANSWER_MS = 10_000;

export class HeldCopies {
  readonly #context: HeldCopiesContext;
  readonly #states = new CopyStates();
  readonly #maker: CopyMaker;
  readonly #retreated: RetreatedCopies;
  /** Whether the store takes no commits. */
  #isStalled = false;
  /** What is going on, by shard. */
  readonly #work = new Map<string, AbortController>();
  /** Copies that are about to go. */
  readonly #leaving = new Set<string>();
  /** Copies that are being closed: what they still write must not come among the rows of others. */
  readonly #closing = new Map<string, Promise<void>>();
  readonly #ending = new AbortController();
  #isRunning = false;
  #isDue = false;
  #told = '';
  #cancel = () => {};

  constructor(context: HeldCopiesContext) {
    this.#context = context;
    this.#maker = new CopyMaker(
      {
        ...context,
        closed: async (uuid, shard) => this.#closing.get(`${uuid}/${shard}`),
      },
      this.#states,
    );
    this.#retreated = new RetreatedCopies(context, this.#maker, this.#states);
  }

  /** Answers nodes that ask whether this one keeps a copy. */
  serve(register: RegisterQuestion): void {
    register(KEEPS, async (bytes) => this.#answer(bytes));
    this.#retreated.serve(register);
  }

  /** Whether an index that is being opened has a copy of a shard, or begins one with its log. */
  holdsAtOpening(index: OpenIndex, shard: number): boolean {
    const { storage, placements, hasData, nodes } = this.#context;
    const { name, metadata } = index;
    if (!hasData) return false;
    const uid = metadata.shardUids[shard]!;
    if (hasCopy(storage, uid)) return true;
    if (isOutdated(storage, uid)) return false;
    const nodesOfShard = placements.of(index)[shard]!;
    if (!nodesOfShard.includes(nodes.self)) return false;
    // Its documents are in no log.
    if (metadata.continued !== undefined) return false;
    // What the log has made of the mapping, documents before that must not be parsed by.
    if (readLoggedMapping(storage, name, metadata.uuid) !== undefined) return false;
    return placements.allows(index, shard, nodes.self, true);
  }

  /** Shards of which this node's copy may be searched. */
  isSearchable(index: OpenIndex, shard: number): boolean {
    const copy = index.shards[shard];
    return (
      copy?.isHeld === true &&
      copy.active &&
      !copy.opening &&
      this.#states.isSearchable(index.metadata.uuid, shard)
    );
  }

  /** Further copies of an index that what is asked of all copies is asked of. */
  arriving({ metadata }: OpenIndex): readonly number[] {
    return this.#states.arriving(metadata.uuid);
  }

  /** An index is open: what it holds from the beginning may be searched at once. */
  opened(index: OpenIndex): void {
    const { shards, metadata } = index;
    const ready = shards.filter(({ isHeld, opening }) => isHeld && !opening).map(({ number }) => number);
    this.#states.setSearchable(metadata.uuid, ready);
    this.#note(ready.map((number) => shards[number]!.uid));
    this.look();
  }

  /** Notes that there are copies, of which the log has had nothing yet. */
  #note(uids: readonly number[]): void {
    const { storage, warn } = this.#context;
    const begun = uids.filter((uid) => !hasCopy(storage, uid));
    if (begun.length === 0) return;
    const place = { position: 0, checksum: 0, time: 0, horizon: 0 };
    storage
      .commit(
        begun.map((uid) => placeRow(uid, place)),
        [],
      )
      .catch((e) => warn(`noting new copies: ${(e as Error).message}`));
  }

  gone({ metadata, shards }: OpenIndex): void {
    this.#states.gone(metadata.uuid);
    for (const shard of shards.keys()) {
      this.#work.get(`${metadata.uuid}/${shard}`)?.abort();
      this.#retreated.delete({ metadata }, shard);
    }
    this.look();
  }

  /** Everything that is held has been caught up with: what others are told first. */
  caughtUp(): Readonly<Record<string, readonly number[]>> {
    for (const { metadata, shards } of this.#indices()) {
      const held = shards.filter(({ isHeld, active, opening }) => isHeld && active && !opening);
      const numbers = held.map(({ number }) => number);
      this.#states.setSearchable(metadata.uuid, numbers);
    }
    const copies = this.#copies();
    this.#told = JSON.stringify(copies);
    return copies;
  }

  /**
   * The copy of this node counts no more: it isn't searched from now on, and another one is fetched in its place.
   * @param reason told to whoever looks after the node
   */
  renew(index: OpenIndex, shard: number, reason: string): void {
    const { warn } = this.#context;
    const { uuid } = index.metadata;
    const key = `${uuid}/${shard}`;
    if (index.copyOf(shard) === undefined) return;
    warn(`[${index.name}][${shard}] a copy is fetched from another node: ${reason}`);
    this.#retreated.delete(index, shard);
    this.#states.removeSearchable(uuid, shard);
    this.#work.get(key)?.abort();
    const copy = this.#takeOut(index, shard);
    const closing = this.#mark(index.metadata.shardUids[shard]!)
      .then(() => copy.released())
      .then(() => copy.close(false))
      .then(() => this.#dropUnplaced(index, shard))
      .catch((e) => warn(`[${index.name}][${shard}] closing: ${(e as Error).message}`))
      .finally(() => {
        if (this.#closing.get(key) === closing) this.#closing.delete(key);
      });
    this.#closing.set(key, closing);
    this.look();
  }

  /**
   * The store takes no commits: copies that other nodes may have too are searched no more, since those go on without this node. One that nobody
   * else has is as new as what was acknowledged, and is searched still.
   */
  stall(): void {
    this.#isStalled = true;
    for (const index of this.#indices())
      for (const { number, isHeld, opening } of index.shards)
        if (isHeld && !opening) this.#retreat(index, number);
    this.look();
  }

  /** It takes commits again. */
  resume(): void {
    this.#isStalled = false;
    this.look();
  }

  #retreat(index: OpenIndex, shard: number): void {
    if (this.#retreated.retreat(index, shard)) this.#work.get(`${index.metadata.uuid}/${shard}`)?.abort();
  }

  /** Makes the copy of a shard anew: one that is being made, or one that other nodes have as well. Others stay as they are. */
  cancel(index: OpenIndex, shard: number): void {
    const key = `${index.metadata.uuid}/${shard}`;
    if (this.#leaving.has(key)) return;
    const isElsewhere = this.#context.nodes.othersWith(index.metadata.uuid, shard).length > 0;
    if (!index.shards[shard]!.isHeld) this.#work.get(key)?.abort();
    else if (isElsewhere) this.renew(index, shard, 'its allocation was cancelled');
  }

  #takeOut(index: OpenIndex, shard: number): Shard {
    return this.#context.follower(index.metadata.uuid)?.leave(shard) ?? index.leave(shard);
  }

  /** Removes a copy that counts no more, and in whose place no other one is fetched. */
  async #dropUnplaced(index: OpenIndex, shard: number): Promise<void> {
    const { storage, blobs, placements, nodes } = this.#context;
    const uid = index.metadata.shardUids[shard]!;
    if (placements.of(index)[shard]?.includes(nodes.self) !== false) return;
    await dropShards(storage, [uid], []);
    await sweepShards(storage, blobs, [uid]);
  }

  /** Notes that a copy counts no more, so that a process that comes after this one doesn't serve it. */
  async #mark(uid: number): Promise<void> {
    const { storage, clock } = this.#context;
    const { signal } = this.#ending;
    while (!signal.aborted)
      try {
        await storage.commit([outdatedRow(uid)], []);
        return;
      } catch {
        await pause(clock, RETRY_MS, signal);
      }
  }

  /** Begins to make copies, and to let go of others. */
  start(): void {
    this.#isRunning = true;
    this.look();
  }

  /** Something has changed: looks at all shards soon. */
  look(): void {
    if (!this.#isRunning || this.#isDue) return;
    this.#isDue = true;
    this.#cancel();
    this.#cancel = this.#context.clock.after(0, () => {
      this.#isDue = false;
      this.#lookNow();
      this.#cancel = this.#context.clock.after(LOOK_MS, () => this.look());
    });
  }

  async close(): Promise<void> {
    this.#isRunning = false;
    this.#cancel();
    this.#ending.abort(new Error('the node is shutting down'));
    for (const work of this.#work.values()) work.abort();
  }

  /** Confirms to another node that this one keeps its copy of a shard; throws where it doesn't. */
  #answer(bytes: Uint8Array): Uint8Array {
    const question: unknown = decodeJson(bytes);
    const { uuid, shard } = isObject(question) ? question : {};
    const index = this.#indices().find(({ metadata }) => metadata.uuid === uuid);
    if (index === undefined || typeof shard !== 'number') throw new Error('it does not have the shard');
    const { placements, nodes } = this.#context;
    const isPlaced = placements.of(index)[shard]?.includes(nodes.self) === true;
    if (!isPlaced || !this.isSearchable(index, shard) || this.#leaving.has(`${uuid}/${shard}`))
      throw new Error('it does not keep the shard');
    return encodeJson({});
  }

  #indices(): OpenIndex[] {
    return this.#context.indices().filter(({ shards }) => shards.length > 0);
  }

  /** What others are told. */
  #copies(): Record<string, readonly number[]> {
    return Object.fromEntries(
      this.#indices().map((index) => [
        index.metadata.uuid,
        index.shards.flatMap(({ number }) =>
          this.isSearchable(index, number) && !this.#leaving.has(`${index.metadata.uuid}/${number}`)
            ? [number]
            : [],
        ),
      ]),
    );
  }

  /** Tells others where it has changed. */
  async #tell(): Promise<void> {
    if (!this.#isRunning) return;
    const copies = this.#copies();
    const text = JSON.stringify(copies);
    if (text === this.#told) return;
    this.#told = text;
    try {
      await this.#context.tell(copies);
    } catch (e) {
      this.#told = '';
      if (!this.#ending.signal.aborted)
        this.#context.warn(`telling the other nodes: ${(e as Error).message}`);
      throw e;
    }
  }

  #lookNow(): void {
    const { placements, nodes, hasData, storage } = this.#context;
    if (!this.#isRunning) return;
    for (const index of hasData ? this.#indices() : []) {
      const placed = placements.of(index);
      for (const [number, shard] of index.shards.entries()) {
        const isPlaced = placed[number]!.includes(nodes.self);
        const key = `${index.metadata.uuid}/${number}`;
        const work = this.#work.get(key);
        if (index.closed && work === undefined && !this.#isStalled) this.#rest(index, shard);
        const hasRetreated = this.#retreated.has(index, number);
        const isBehind = this.#isStalled && shard.isHeld && !shard.opening;
        if (isBehind && this.#retreated.isElsewhere(index, number)) this.#retreat(index, number);
        else if (work !== undefined) {
          // A copy that is being made for nothing.
          if (!isPlaced && !this.#leaving.has(key) && !shard.isHeld && !hasRetreated) work.abort();
        } else if (hasRetreated) {
          if (!isPlaced && this.#othersHave(index, number, placed[number]!))
            this.#begin(index, number, () => this.#leave(index, number, placed[number]!));
          else this.#begin(index, number, (signal) => this.#comeBack(index, number, signal));
        } else if (!shard.isHeld) {
          if (this.#isStalled) continue;
          // What could not be removed, or was to go before it had been caught up with.
          const isLeft = !isPlaced && !this.#closing.has(key) && hasRows(storage, shard.uid);
          if (isLeft && this.#othersHave(index, number, placed[number]!))
            this.#begin(index, number, () => this.#dropUnplaced(index, number).then(() => true));
          else if (isPlaced && placements.allows(index, number, nodes.self, false))
            this.#begin(index, number, (signal) => this.#maker.make(index, number, signal));
        } else if (!shard.active && !shard.opening && this.#retreated.isElsewhere(index, number))
          this.#begin(index, number, () => this.#close(index, number));
        else if (!this.#states.isSearchable(index.metadata.uuid, number))
          this.#begin(index, number, (signal) => this.#maker.catchUp(index, number, signal));
        else if (!isPlaced && this.#othersHave(index, number, placed[number]!))
          this.#begin(index, number, () => this.#leave(index, number, placed[number]!));
      }
    }
    this.#tell().catch(() => {});
  }

  /** Nobody searches a closed index: its copies need no cores, unless there is something to carry out. */
  #rest(index: OpenIndex, shard: Shard): void {
    if (!this.isSearchable(index, shard.number)) return;
    shard
      .rest()
      // It may have been opened again meanwhile.
      .then(() => (index.closed ? undefined : shard.wake()))
      // The next look tries again.
      .catch(() => {});
  }

  /** Does something for a shard; where that has come to nothing, it is done again after a while. */
  #begin(index: OpenIndex, shard: number, work: (signal: AbortSignal) => Promise<boolean>): void {
    const key = `${index.metadata.uuid}/${shard}`;
    const abort = new AbortController();
    const { clock, warn } = this.#context;
    this.#work.set(key, abort);
    let retry = RETRY_MS;
    work(abort.signal)
      .catch((e) => {
        if (!abort.signal.aborted) warn(`[${index.name}][${shard}] ${(e as Error).message}`);
        if (e instanceof DiskFull || e instanceof Unopened) retry = FULL_MS;
        return false;
      })
      .then((isDone) => (isDone ? undefined : pause(clock, retry, this.#ending.signal)))
      .finally(() => {
        this.#work.delete(key);
        this.look();
      });
  }

  #comeBack(index: OpenIndex, shard: number, signal: AbortSignal): Promise<boolean> {
    return this.#retreated.comeBack(index, shard, () => this.#isStalled, signal);
  }

  /** Closes a copy whose core was lost and did not come back: what is asked goes to other nodes until it is opened from the store. */
  async #close(index: OpenIndex, shard: number): Promise<boolean> {
    this.#states.removeSearchable(index.metadata.uuid, shard);
    const copy = this.#takeOut(index, shard);
    await copy.released();
    await copy.close(false);
    return true;
  }

  // ------------------------------------------------------------------------------------------------ letting go

  #othersHave(index: OpenIndex, shard: number, placed: readonly string[]): boolean {
    if (placed.length === 0) return false;
    const others = this.#context.nodes.othersWith(index.metadata.uuid, shard).map(({ id }) => id);
    return placed.every((id) => others.includes(id));
  }

  /** Removes the copy, when all nodes that it is placed on have said that they keep theirs. */
  async #leave(index: OpenIndex, shard: number, placed: readonly string[]): Promise<boolean> {
    const { storage, blobs, peers, clock } = this.#context;
    const { uuid, shardUids } = index.metadata;
    const key = `${uuid}/${shard}`;
    // This node confirms nothing from now on.
    this.#leaving.add(key);
    try {
      const timeout = new AbortController();
      const cancel = clock.after(ANSWER_MS, () => timeout.abort(new Error('no answer')));
      try {
        const question = encodeJson({ uuid, shard });
        await Promise.all(placed.map((id) => peers.ask(id, KEEPS, question, timeout.signal)));
      } catch {
        return false;
      } finally {
        cancel();
      }
      await this.#tell();
      this.#states.removeSearchable(uuid, shard);
      await this.#context.written(index, shard);
      if (!this.#indices().includes(index)) return false;
      const copy = this.#takeOut(index, shard);
      this.#retreated.delete(index, shard);
      await copy.released();
      await copy.close(false);
      const uid = shardUids[shard]!;
      await dropShards(storage, [uid], []);
      await sweepShards(storage, blobs, [uid]);
      return true;
    } finally {
      this.#leaving.delete(key);
    }
  }
}
