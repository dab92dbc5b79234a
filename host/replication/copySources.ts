/**
 * Copies that this node hands over to others: each is a moment of a shard, held until the other node has it, or for a while after its last
 * question.
 */
import type { Manifest } from '../shard/manifest.js';
import { CopySource } from '../shard/shardCopy.js';
import { decodeJson, encodeJson, kindRange } from '../storage/records.js';
import type { Blobs, Storage, StorageSnapshot } from '../storage/storage.js';
import type { Clock } from '../time/clock.js';
import { leastPosition } from './kept.js';
import { questionOf, type RegisterQuestion } from './message.js';
import {
  COPY_BEGIN,
  COPY_END,
  COPY_PIECE,
  type CopiedPiece,
  type CopyOffer,
  encodePiece,
  readCopyPlace,
  readCopyRequest,
} from './copyMessages.js';
import type { IndexFollower } from './indexFollower.js';
import { pause } from './pause.js';

/** What handing over needs of the node. */
export interface CopySourcesContext {
  storage: Storage;
  blobs: Blobs;
  clock: Clock;
  /** Names this process. */
  incarnation: string;
  /** The follower of an index that another node knows; undefined where the index has gone. */
  followerOf(uuid: string, signal: AbortSignal): Promise<IndexFollower | undefined>;
}

/** A node that has not asked for so many milliseconds doesn't want it any more. */
const LEASE_MS = 60_000;
/** Copies that are handed over at once: each keeps rows and files that are replaced meanwhile. */
const MOST = 16;
const PIECE_BYTES = 4 * 1024 * 1024;
const SETTLE_MS = 50;
/** A minute, if a change of the mapping takes so long. */
const MOST_ATTEMPTS = 1200;

interface Held {
  source: CopySource;
  uuid: string;
  position: number;
  /** Pieces are read one after the other. */
  reading: Promise<unknown>;
  release(): void;
  /** Begins the lease anew. */
  renew(): void;
}

/** The copies of one node. */
export class CopySources {
  readonly #context: CopySourcesContext;
  readonly #held = new Map<string, Held>();
  #number = 0;
  #beginning = 0;

  constructor(context: CopySourcesContext) {
    this.#context = context;
  }

  /** Answers the questions of nodes that fetch. */
  serve(register: RegisterQuestion): void {
    register(COPY_BEGIN, async (bytes, signal) => {
      const { uuid, shard, atLeast } = readCopyRequest(questionOf(bytes));
      const follower = await this.#context.followerOf(uuid, signal);
      if (follower?.index.shards[shard]?.isHeld !== true) throw new Error('it does not have the shard');
      return encodeJson(await this.begin(follower, shard, atLeast, signal));
    });
    register(COPY_PIECE, async (bytes) => {
      const { id, place } = questionOf(bytes);
      return encodePiece(await this.piece(id, place));
    });
    register(COPY_END, async (bytes) => {
      this.end(questionOf(bytes).id);
      return encodeJson({});
    });
  }

  /** Begins to hand a shard over, as it is when its mapping has come to a position. */
  async begin(
    follower: IndexFollower,
    number: number,
    atLeast: number,
    signal: AbortSignal,
  ): Promise<CopyOffer> {
    if (this.#held.size + this.#beginning >= MOST) throw new Error('it hands over as many copies as it may');
    this.#beginning++;
    try {
      return await this.#begin(follower, number, atLeast, signal);
    } finally {
      this.#beginning--;
    }
  }

  async #begin(
    follower: IndexFollower,
    number: number,
    atLeast: number,
    signal: AbortSignal,
  ): Promise<CopyOffer> {
    const { index } = follower;
    const shard = index.shards[number]!;
    await follower.reachMapping(atLeast, signal);
    const letFilesGo = await shard.holdFiles();
    try {
      const { rows, place, mapping } = await this.#moment(follower, number, signal);
      const release = () => {
        rows.release();
        letFilesGo();
      };
      try {
        const [row] = rows.range(...kindRange('c', shard.uid), { limit: 1 });
        const manifest = row === undefined ? undefined : decodeJson<Manifest>(row[1]);
        const source = new CopySource(shard.uid, rows, this.#context.blobs, manifest);
        const id = this.#hold(source, index.metadata.uuid, place.position, release);
        return { id, place, mapping, files: source.files, documents: shard.documents.newest };
      } catch (e) {
        rows.release();
        throw e;
      }
    } catch (e) {
      letFilesGo();
      throw e;
    }
  }

  /** A moment in which it is known how far the shard is in its log. */
  async #moment(follower: IndexFollower, number: number, signal: AbortSignal) {
    const { storage, clock } = this.#context;
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      if (attempt > MOST_ATTEMPTS) throw new Error('its store can not be copied while it is written');
      const known = follower.placeOf(number);
      const rows: StorageSnapshot | undefined = known === undefined ? undefined : storage.snapshot?.();
      if (known !== undefined && rows !== undefined) return { ...known, rows };
      if (known !== undefined) await storage.written?.();
      if (attempt > 1) await pause(clock, SETTLE_MS, signal);
    }
  }

  #hold(source: CopySource, uuid: string, position: number, letGo: () => void): string {
    const { clock, incarnation } = this.#context;
    const id = `${incarnation}-${++this.#number}`;
    const release = () => {
      if (!this.#held.delete(id)) return;
      cancel();
      letGo();
    };
    let cancel = clock.after(LEASE_MS, release);
    const renew = () => {
      cancel();
      cancel = clock.after(LEASE_MS, release);
    };
    this.#held.set(id, { source, uuid, position, reading: Promise.resolve(), release, renew });
    return id;
  }

  /** A piece of a copy that is handed over. */
  async piece(id: unknown, place: unknown): Promise<CopiedPiece> {
    const held = this.#held.get(String(id));
    if (held === undefined) throw new Error('the copy is handed over no more');
    held.renew();
    const from = readCopyPlace(place);
    const piece = held.reading.then(() => held.source.piece(from, PIECE_BYTES));
    held.reading = piece.catch(() => {});
    return piece;
  }

  /** The other node has it, or wants it no more. */
  end(id: unknown): void {
    this.#held.get(String(id))?.release();
  }

  /** The least position of an index's log from which copies that are handed over go on; undefined where none is. */
  keptOf(uuid: string): number | undefined {
    return leastPosition(this.#held.values(), uuid);
  }

  close(): void {
    for (const { release } of [...this.#held.values()]) release();
  }
}
