/** What nodes say to each other where a copy of a shard is made. All that is read here came from another node: its shape is checked. */
import { isObject } from '../json/values.js';
import type { CopiedFile, CopyPlace } from '../shard/shardCopy.js';
import type { ShardPlace } from '../storage/logRows.js';
import { decodeJson, encodeJson } from '../storage/records.js';
import { xxh32 } from '../storage/xxh32.js';
import type { LoggedMapping } from './indexFollower.js';

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
  return { name, uuid, shard: count(shard), atLeast: count(atLeast) };
}

export function readCopyPlace(given: unknown): CopyPlace {
  if (!isObject(given)) throw new Error('a place that is none');
  const { file, after } = given;
  const from = count(given.from);
  if (file !== undefined) return { file: count(file), from };
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
    position: count(position),
    checksum: count(checksum),
    time: finite(time),
    horizon: finite(horizon),
  };
  const logged = mapping as LoggedMapping | undefined;
  if (
    logged !== undefined &&
    (!isObject(logged) || !isObject(logged.mapping) || count(logged.position) > place.position)
  )
    throw new Error('a copy with a mapping that is none');
  const read = files.map((each: unknown): CopiedFile => {
    if (!isObject(each) || typeof each.name !== 'string') throw new Error('a segment that is none');
    if (count(each.bytes) > MOST_FILE_BYTES) throw new Error('a segment that is too long');
    return { name: each.name, bytes: count(each.bytes) };
  });
  return { id, place, mapping: logged, files: read, documents: count(offer.documents) };
}

/** A piece with its checksum: `u32 length of the head   head in JSON   bytes`. */
export function encodePiece({ bytes, next }: CopiedPiece): Uint8Array {
  const head = encodeJson({ next, checksum: checksumOf(bytes) });
  const whole = new Uint8Array(4 + head.length + bytes.length);
  new DataView(whole.buffer).setUint32(0, head.length);
  whole.set(head, 4);
  whole.set(bytes, 4 + head.length);
  return whole;
}

export function readPiece(whole: Uint8Array): CopiedPiece {
  const length = whole.length < 4 ? -1 : new DataView(whole.buffer, whole.byteOffset).getUint32(0);
  if (length < 0 || length > whole.length - 4) throw new Error('a piece that ends too early');
  const head: unknown = decodeJson(whole.subarray(4, 4 + length));
  const bytes = whole.subarray(4 + length);
  if (!isObject(head) || head.checksum !== checksumOf(bytes))
    throw new Error('a piece with another checksum');
  return { bytes, next: head.next === undefined ? undefined : readCopyPlace(head.next) };
}

function checksumOf(bytes: Uint8Array): number {
  return xxh32(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length) >>> 0;
}

function count(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Error('a number that is none');
  return value as number;
}

function finite(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error('a time that is none');
  return value;
}
