import { xxh32 } from '../storage/xxh32.js';

/** A position that was read, and the checksum of the message there. */
export interface Place {
  readonly position: number;
  readonly checksum: number;
}

/** What a checksum covers. */
export interface ChecksummedMessage {
  readonly position: number;
  readonly subject: string;
  readonly id: string;
  readonly bytes: Uint8Array;
  /** What its writer had read last. */
  readonly link: Place | undefined;
}

const encoder = new TextEncoder();

/** The checksum of a message: 32 bits without a sign. */
export function checksumOf({ position, subject, id, bytes, link }: ChecksummedMessage): number {
  const head = encoder.encode(JSON.stringify([position, subject, id, link?.position, link?.checksum]));
  const seed = xxh32(new DataView(head.buffer, head.byteOffset), 0, head.length);
  return xxh32(new DataView(bytes.buffer, bytes.byteOffset), 0, bytes.length, seed) >>> 0;
}
