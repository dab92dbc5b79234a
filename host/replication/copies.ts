/** Copies of shards that this node fetches from others, a few at a time. */
import { PeerUnreachable } from '../cluster/errors.js';
import { onAbort } from '../cluster/onAbort.js';
import type { Peers } from '../cluster/peers.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { parseSize } from '../settings/sizes.js';
import { sweepShards } from '../shard/garbageCollection.js';
import { type CopiedFile, type CopyPlace, CopyTarget } from '../shard/shardCopy.js';
import { placeRow, type ShardPlace } from '../storage/logRows.js';
import { encodeJson, shardKey } from '../storage/records.js';
import type { Blobs, Storage } from '../storage/storage.js';
import type { Clock } from '../time/clock.js';
import { elapsed } from '../time/elapsed.js';
import {
  COPY_BEGIN,
  COPY_END,
  COPY_PIECE,
  type CopiedPiece,
  type CopyOffer,
  type CopyRequest,
  readCopyOffer,
  readPiece,
} from './copyMessages.js';
import type { LoggedMapping } from './indexLog.js';
import { leastPosition } from './kept.js';
import type { ClusterNode } from './nodes.js';
import { pause } from './pause.js';

/** What fetching needs of the node. */
export interface CopiesContext {
  storage: Storage;
  blobs: Blobs;
  clock: Clock;
  peers: Peers;
  warn(message: string): void;
  /** Whether a copy of a shard is on its way to other nodes. */
  isMoving(index: OpenIndex, shard: number): boolean;
  /** Resolves when what the log of an index has made of the mapping up to there is in force here, and in the store. */
  reachMapping(index: OpenIndex, position: number, signal: AbortSignal): Promise<void>;
  /** A setting of the cluster. */
  setting(name: string): string | undefined;
}

/** A copy that has been fetched. */
export interface FetchedCopy {
  /** How far its log is carried out in it. */
  place: ShardPlace;
  /** What the log had made of the mapping there; undefined where that is what the index was made with. */
  mapping: LoggedMapping | undefined;
}

/** How far the fetching of a copy is: what `_recovery` tells. Times in milliseconds since the epoch. */
export interface FetchProgress {
  readonly index: string;
  readonly uuid: string;
  readonly shard: number;
  /** Whether it takes the place of a copy that is to go from another node. */
  readonly isRelocation: boolean;
  /** The node that it comes from. */
  source: ClusterNode;
  stage: 'INDEX' | 'TRANSLOG' | 'DONE' | 'FAILED';
  readonly started: number;
  stopped: number;
  readonly segments: readonly CopiedFile[];
  /** Segments, and how many have come. */
  files: { total: number; copied: number; bytes: number; copiedBytes: number };
  /** About how many documents, and how many have come; bytes of their rows and all others. */
  rows: { total: number; copied: number; copiedBytes: number };
}

const CONCURRENT = 'cluster.routing.allocation.node_concurrent_recoveries';
const DEFAULT_CONCURRENT = 2;
const RATE = 'indices.recovery.max_bytes_per_sec';
const DEFAULT_RATE = 40 * 1024 * 1024;
/** A piece that doesn't come is asked for again so often. */
const MOST_ATTEMPTS = 5;
const RETRY_MS = 1000;
/** Fetches that have ended are told of, so many of them. */
const MOST_TOLD = 1000;

/** The fetches of one node. */
export class Copies {
  readonly #context: CopiesContext;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  /** When the next piece may be asked for. */
  #nextAt = 0;
  readonly #told = new Map<string, FetchProgress>();
  /** Positions of logs from which copies go on that are being fetched. */
  readonly #kept = new Map<symbol, { uuid: string; position: number }>();

  constructor(context: CopiesContext) {
    this.#context = context;
  }

  /** What is being fetched, and what has been last of each shard. */
  get progress(): readonly FetchProgress[] {
    return [...this.#told.values()];
  }

  /** The least position of an index's log from which copies go on that are being fetched; undefined where none is. */
  keptOf(uuid: string): number | undefined {
    return leastPosition(this.#kept.values(), uuid);
  }

  /**
   * Fetches a copy of a shard that isn't open here. What the store has of it is replaced as soon as another node hands one over. All of the
   * copy is in the store when the promise resolves, and none of it counts before, whatever ends in between.
   * @param from nodes with a copy, in the order in which they are asked
   * @param atLeast the position of the log that the mapping of the copy must have come to
   * @throws what the last of the nodes, or this one's store, failed with
   */
  async fetch(
    index: OpenIndex,
    shard: number,
    from: readonly ClusterNode[],
    atLeast: number,
    signal: AbortSignal,
  ): Promise<FetchedCopy> {
    await this.#take(signal);
    try {
      let failure: unknown = new Error(
        `[${index.name}][${shard}] no node has a copy of it that could be fetched`,
      );
      for (const node of from) {
        signal.throwIfAborted();
        try {
          return await this.#fetchFrom(node, index, shard, atLeast, signal);
        } catch (e) {
          signal.throwIfAborted();
          this.#context.warn(
            `[${index.name}][${shard}] fetching it from [${node.name}]: ${(e as Error).message}`,
          );
          failure = e;
        }
      }
      throw failure;
    } finally {
      this.#letGo();
    }
  }

  /** Waits for its turn. */
  async #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const most = Number(this.#context.setting(CONCURRENT) ?? DEFAULT_CONCURRENT);
    if (this.#running < Math.max(1, most)) {
      this.#running++;
      return;
    }
    // Whoever lets go hands its turn over.
    await new Promise<void>((resolve, reject) => {
      const turn = () => {
        unlisten();
        resolve();
      };
      const aborted = () => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(signal.reason);
      };
      const unlisten = onAbort(signal, aborted);
      this.#waiting.push(turn);
    });
  }

  #letGo(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running--;
    else next();
  }

  async #fetchFrom(
    node: ClusterNode,
    index: OpenIndex,
    shard: number,
    atLeast: number,
    signal: AbortSignal,
  ): Promise<FetchedCopy> {
    const { peers } = this.#context;
    const { name, metadata } = index;
    const { uuid, shardUids } = metadata;
    const request: CopyRequest = { name, uuid, shard, atLeast };
    const offer = readCopyOffer(await peers.ask(node.id, COPY_BEGIN, encodeJson(request), signal));
    const progress = this.#tell(node, index, shard, offer);
    const kept = Symbol();
    this.#kept.set(kept, { uuid, position: offer.place.position });
    try {
      const filled = async () => {
        // The next process reads the log from where its copies are on: the mapping there must be known to it.
        await this.#context.reachMapping(index, offer.mapping?.position ?? 0, signal);
      };
      await this.#write(node.id, shardUids[shard]!, offer, progress, filled, signal);
      progress.stage = 'DONE';
      return { place: offer.place, mapping: offer.mapping };
    } catch (e) {
      progress.stage = 'FAILED';
      throw e;
    } finally {
      this.#kept.delete(kept);
      progress.stopped = this.#context.clock.now();
      void this.#end(node.id, offer.id);
    }
  }

  /** Lets the other node let go of it; it does so by itself some time after the last question. */
  async #end(node: string, id: string): Promise<void> {
    const { clock, peers } = this.#context;
    const { signal } = new AbortController();
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      try {
        await peers.ask(node, COPY_END, encodeJson({ id }), signal);
        return;
      } catch (e) {
        if (!(e instanceof PeerUnreachable)) return;
        await pause(clock, RETRY_MS);
      }
    }
  }

  #tell(source: ClusterNode, index: OpenIndex, shard: number, offer: CopyOffer): FetchProgress {
    const { uuid } = index.metadata;
    const started = this.#context.clock.now();
    const bytes = offer.files.reduce((sum, file) => sum + file.bytes, 0);
    const progress: FetchProgress = {
      index: index.name,
      uuid,
      shard,
      isRelocation: this.#context.isMoving(index, shard),
      source,
      stage: 'INDEX',
      started,
      stopped: started,
      segments: offer.files,
      files: { total: offer.files.length, copied: 0, bytes, copiedBytes: 0 },
      rows: { total: offer.documents, copied: 0, copiedBytes: 0 },
    };
    const key = `${uuid}/${shard}`;
    this.#told.delete(key);
    this.#told.set(key, progress);
    for (const [oldest, { stage }] of this.#told) {
      if (this.#told.size <= MOST_TOLD) break;
      if (stage === 'DONE' || stage === 'FAILED') this.#told.delete(oldest);
    }
    return progress;
  }

  /**
   * Writes all of it. From its beginning until its end the row of a dropped shard is there: whatever ends in between, the next start sweeps it.
   * @param filled called when all is there; it counts when that has resolved
   */
  async #write(
    node: string,
    uid: number,
    { id, place, files }: CopyOffer,
    progress: FetchProgress,
    filled: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const { storage, blobs } = this.#context;
    const dropped = shardKey('g', uid);
    const drop = () => storage.commit([[dropped, new Uint8Array(0)]], [], { freeing: true });
    await drop();
    await sweepShards(storage, blobs, [uid]);
    await drop();
    const target = new CopyTarget(storage, blobs, uid, files);
    try {
      let asked: Promise<CopiedPiece> = this.#piece(node, id, { file: 0, from: 0 }, signal);
      for (;;) {
        const { bytes, next } = await asked;
        // The next one comes while this one is written.
        if (next !== undefined) {
          asked = this.#piece(node, id, next, signal);
          asked.catch(() => {});
        }
        await target.write(bytes);
        this.#count(progress, target, bytes.length);
        if (next === undefined) break;
      }
      await target.finish();
      await filled();
      signal.throwIfAborted();
      await storage.commit([placeRow(uid, place)], [dropped]);
    } catch (e) {
      await target.abandon().catch(() => {});
      await sweepShards(storage, blobs, [uid]).catch(() => {});
      throw e;
    }
  }

  #count({ files, rows }: FetchProgress, target: CopyTarget, bytes: number): void {
    const left = files.bytes - files.copiedBytes;
    files.copied = target.files;
    files.copiedBytes += Math.min(left, bytes);
    rows.copiedBytes += Math.max(0, bytes - left);
    rows.copied = target.documents;
    rows.total = Math.max(rows.total, rows.copied);
  }

  /** Asks for a piece, no earlier than the rate allows. */
  async #piece(node: string, id: string, place: CopyPlace, signal: AbortSignal): Promise<CopiedPiece> {
    const { clock, peers } = this.#context;
    const question = encodeJson({ id, place });
    for (let attempt = 1; ; attempt++) {
      const wait = this.#nextAt - elapsed(clock);
      if (wait > 0) await pause(clock, wait, signal);
      signal.throwIfAborted();
      try {
        const piece = readPiece(await peers.ask(node, COPY_PIECE, question, signal));
        this.#spend(piece.bytes.length);
        return piece;
      } catch (e) {
        if (!(e instanceof PeerUnreachable) || attempt >= MOST_ATTEMPTS) throw e;
        await pause(clock, RETRY_MS, signal);
      }
    }
  }

  /** Bytes have come: further ones wait as long as these may have taken. */
  #spend(bytes: number): void {
    const { clock, setting } = this.#context;
    const rate = parseSize(setting(RATE) ?? '', 0) ?? DEFAULT_RATE;
    if (rate > 0) this.#nextAt = Math.max(this.#nextAt, elapsed(clock)) + (1000 * bytes) / rate;
  }
}
