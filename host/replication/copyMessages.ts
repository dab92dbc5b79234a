/** What nodes say to each other where a copy of a shard is made. All that is read here came from another node: its shape is checked. */
import { isObject } from '../json/values.js';
import type { CopiedFile, CopyPlace } from '../shard/shardCopy.js';
import type { ShardPlace } from '../storage/logRows.js';
import { decodeJson } from '../storage/records.js';
import { xxh32 } from '../storage/xxh32.js';
import { countOf, decodeMessage, encodeMessage } from './message.js';
import type { LoggedMapping } from './indexLog.js';

/** The questions. */
export const COPY_BEGIN = 'copyBegin';
export const COPY_PIECE = 'copyPiece';
export const COPY_END = 'copyEnd';

/** A copy of which shard is asked for. */
export interface CopyRequest {
  name: string;
  uuid: string;
  shard: number;
  /** The position of the index's log that its mapping must have come to. */
  atLeast: number;
}

/** A copy that is handed over. */
export interface CopyOffer {
  /** Names it in further questions. */
  id: string;
  /** How far the log has been carried out in it. */
  place: ShardPlace;
  /** What the log has made of the mapping, at that place or before; undefined where that is what the index was made with. */
  mapping: LoggedMapping | undefined;
  files: readonly CopiedFile[];
  /** About how many documents. */
  documents: number;
}

/** A piece that came. */
export interface CopiedPiece {
  bytes: Uint8Array;
  /** Undefined after the last. */
  next: CopyPlace | undefined;
}

/** Segments of a shard, and bytes of one, at most. */
const MOST_FILES = 100_000;
const MOST_FILE_BYTES = 2 ** 40;
const HEX = /^(?:[0-9a-f]{2})*$/;
const MOST_HEX = 4000;

export function readCopyRequest({ name, uuid, shard, atLeast }: Record<string, unknown>): CopyRequest {
  if (typeof name !== 'string' || typeof uuid !== 'string') throw new Error('a copy of no index');
  return { name, uuid, shard: countOf(shard), atLeast: countOf(atLeast) };
}

export function readCopyPlace(given: unknown): CopyPlace {
  if (!isObject(given)) throw new Error('a place that is none');
  const { file, after } = given;
  const from = countOf(given.from);
  if (file !== undefined) return { file: countOf(file), from };
  if (typeof after !== 'string' || after.length > MOST_HEX || !HEX.test(after))
    throw new Error('a place that is none');
  return { after, from };
}

export function readCopyOffer(bytes: Uint8Array): CopyOffer {
  const offer: unknown = decodeJson(bytes);
  if (
    !isObject(offer) ||
    typeof offer.id !== 'string' ||
    !isObject(offer.place) ||
    !Array.isArray(offer.files)
  )
    throw new Error('a copy that is none');
  const { id, mapping, files } = offer;
  const { position, checksum, time, horizon } = offer.place;
  if (files.length > MOST_FILES) throw new Error('a copy of too many segments');
  const place = {
    position: countOf(position),
    checksum: countOf(checksum),
    time: finite(time),
    horizon: finite(horizon),
  };
  const logged = mapping as LoggedMapping | undefined;
  if (
    logged !== undefined &&
    (!isObject(logged) || !isObject(logged.mapping) || countOf(logged.position) > place.position)
  )
    throw new Error('a copy with a mapping that is none');
  const read = files.map((each: unknown): CopiedFile => {
    if (!isObject(each) || typeof each.name !== 'string') throw new Error('a segment that is none');
    if (countOf(each.bytes) > MOST_FILE_BYTES) throw new Error('a segment that is too long');
    return { name: each.name, bytes: countOf(each.bytes) };
  });
  return { id, place, mapping: logged, files: read, documents: countOf(offer.documents) };
}

/** A piece with its checksum. */
export function encodePiece({ bytes, next }: CopiedPiece): Uint8Array {
  return encodeMessage({ next, checksum: checksumOf(bytes) }, [bytes]);
}

export function readPiece(whole: Uint8Array): CopiedPiece {
  const [head, bytes] = decodeMessage(whole);
  if (!isObject(head) || head.checksum !== checksumOf(bytes))
    throw new Error('a piece with another checksum');
  return { bytes, next: head.next === undefined ? undefined : readCopyPlace(head.next) };
}

function checksumOf(bytes: Uint8Array): number {
  return xxh32(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length) >>> 0;
}

function finite(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error('a time that is none');
  return value;
}
