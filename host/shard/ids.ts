/** Ids that the engine makes. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Bytes as URL-safe characters without padding. */
export function base64Url(bytes: Uint8Array): string {
  let out = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const n = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const chars = Math.min(4, bytes.length - i + 1);
    for (let c = 0; c < chars; c++) out += ALPHABET[(n >>> (18 - 6 * c)) & 63];
  }
  return out;
}

/** 22 characters, as the ids of nodes and indices have. */
export function randomId(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(16)));
}

let counter = 0;

/** Random bytes of so many ids are asked for at once: for each by itself that was a fifth of the main thread's time in bulks. */
const IDS_AT_ONCE = 512;
const ID_BYTES = 15;
const random = new Uint8Array(ID_BYTES * IDS_AT_ONCE);
let used = random.length;

/** The id of a document that came without one: 20 characters, later ones mostly sort later. */
export function documentId(now: number): string {
  if (used === random.length) {
    crypto.getRandomValues(random);
    used = 0;
  }
  const bytes = random.subarray(used, used + ID_BYTES);
  used += ID_BYTES;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setUint16(0, Math.floor(now / 0x1_0000_0000));
  view.setUint32(2, now >>> 0);
  counter = (counter + 1) & 0xffffff;
  view.setUint8(6, counter >>> 16);
  view.setUint16(7, counter & 0xffff);
  return base64Url(bytes);
}
