/**
 * All metadata of the cluster, as a node hands them over to one that comes after their log has been trimmed: the bytes of a command that puts every
 * row, in pieces.
 */
import { decodeMessage, encodeMessage, isCount, type RegisterQuestion } from './message.js';
import type { CountedPeers } from './countedPeers.js';
import { isObject } from '../json/values.js';
import { decodeJson, encodeJson, METADATA_PLACE_KEY } from '../storage/records.js';
import type { Storage } from '../storage/storage.js';
import type { Clock } from '../time/clock.js';
import { decodeMetadata, encodeMetadata, isShared } from './metadataCommand.js';
import type { FetchedMetadata, MetadataPlace } from './metadataLog.js';
import type { Nodes } from './nodes.js';
import { pause } from './pause.js';

/** What handing over and fetching need of the node. */
export interface MetadataCopiesContext {
  storage: Storage;
  clock: Clock;
  nodes: Nodes;
  peers: CountedPeers;
  warn(message: string): void;
}

const QUESTION = 'metadataCopy';
const PIECE_BYTES = 4 * 1024 * 1024;
/** What is handed over is kept for so long after the last question. */
const LEASE_MS = 60_000;
const SETTLE_MS = 50;
const MOST_ATTEMPTS = 100;
/** Bytes of all metadata that are taken, at most. */
const MOST_BYTES = 2 ** 31;
const [FIRST, LAST] = [Uint8Array.of('m'.charCodeAt(0)), Uint8Array.of('n'.charCodeAt(0))];

/** All metadata as they were at a place: the bytes of a command that puts every row. */
export interface MetadataMoment {
  place: MetadataPlace;
  bytes: Uint8Array;
}

export class MetadataCopies {
  readonly #context: MetadataCopiesContext;
  #held: MetadataMoment | undefined;
  #cancel = () => {};

  constructor(context: MetadataCopiesContext) {
    this.#context = context;
  }

  /** Answers nodes that fetch. */
  serve(register: RegisterQuestion): void {
    register(QUESTION, async (bytes) => {
      const question: unknown = decodeJson(bytes);
      const { position, from } = isObject(question) ? question : {};
      const begin = isCount(from) ? from : 0;
      const { place, bytes: all } = await this.#moment(position);
      return encodeMessage({ place, length: all.length }, [all.subarray(begin, begin + PIECE_BYTES)]);
    });
  }

  close(): void {
    this.#cancel();
    this.#held = undefined;
  }

  /** The metadata that are handed over: those of a position, or as they are now. */
  async #moment(position: unknown): Promise<MetadataMoment> {
    const { clock } = this.#context;
    if (position === undefined) this.#held = await this.read();
    const held = this.#held;
    if (held === undefined || (position !== undefined && position !== held.place.position))
      throw new Error('those metadata are handed over no more');
    this.#cancel();
    this.#cancel = clock.after(LEASE_MS, () => {
      this.#held = undefined;
    });
    return held;
  }

  /** The metadata of this node as they are now. */
  async read(): Promise<MetadataMoment> {
    const { storage, clock } = this.#context;
    for (let attempt = 1; ; attempt++) {
      const rows = storage.snapshot?.();
      if (rows === undefined) {
        if (attempt > MOST_ATTEMPTS) throw new Error('its store can not be copied while it is written');
        await storage.written?.();
        if (attempt > 1) await pause(clock, SETTLE_MS);
        continue;
      }
      try {
        const all = [...rows.range(FIRST, LAST)];
        const place = all.find(([key]) => isPlace(key));
        if (place === undefined) throw new Error('it has no metadata of a cluster');
        const read = decodeJson<MetadataPlace>(place[1]);
        if (this.#held?.place.position === read.position) return this.#held;
        const puts = all.filter(([key]) => isShared(key));
        return { place: read, bytes: encodeMetadata({ puts, deletes: [] }) };
      } finally {
        rows.release();
      }
    }
  }

  /** Fetches the metadata of another node that is further than a position; undefined where none hands them over. */
  async fetch(after: number, signal: AbortSignal): Promise<FetchedMetadata | undefined> {
    const { nodes, warn } = this.#context;
    for (const { id, name } of nodes.all) {
      if (id === nodes.self) continue;
      try {
        const fetched = await this.#fetchFrom(id, after, signal);
        if (fetched !== undefined) return fetched;
      } catch (e) {
        signal.throwIfAborted();
        warn(`fetching the metadata of [${name}]: ${(e as Error).message}`);
      }
    }
    return undefined;
  }

  async #fetchFrom(node: string, after: number, signal: AbortSignal): Promise<FetchedMetadata | undefined> {
    let place: MetadataPlace | undefined;
    let all = new Uint8Array(0);
    for (let at = 0; place === undefined || at < all.length; ) {
      const question = encodeJson({ position: place?.position, from: at });
      const answer = readAnswer(await this.#context.peers.ask(node, QUESTION, question, signal));
      if (place === undefined) all = new Uint8Array(answer.length);
      place = answer.place;
      if (place.position <= after) return undefined;
      if (answer.piece.length === 0 || at + answer.piece.length > all.length)
        throw new Error('a piece of another length');
      all.set(answer.piece, at);
      at += answer.piece.length;
    }
    return { place, rows: decodeMetadata(all).puts };
  }
}

function readAnswer(answer: Uint8Array): { place: MetadataPlace; length: number; piece: Uint8Array } {
  const [head, piece] = decodeMessage(answer);
  const { place, length } = isObject(head) ? head : {};
  if (!isObject(place) || typeof place.cluster !== 'string' || !Number.isSafeInteger(place.position))
    throw new Error('a place that is none');
  if (!Number.isSafeInteger(length) || (length as number) < 1 || (length as number) > MOST_BYTES)
    throw new Error('metadata of no length');
  return { place: place as unknown as MetadataPlace, length: length as number, piece };
}

function isPlace(key: Uint8Array): boolean {
  return key.length === METADATA_PLACE_KEY.length && key.every((byte, i) => byte === METADATA_PLACE_KEY[i]);
}
