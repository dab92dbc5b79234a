/** Bodies that come packed: unpacked piece by piece, each counted before the next one is made. */
import { createUnzip } from 'node:zlib';
import type { Breakers } from '../limits/breakers.js';
import { LABEL, type ReadBody, tooLong } from './bodies.js';

/** Bytes that are unpacked at once. */
const PIECE = 64 * 1024;

/**
 * The body in full. Its memory is held together with that of the packed bytes; 413 where it is longer than `maxBody`, 500 where the
 * breakers refuse it, zlib's error where it is damaged.
 */
export function unpackBody(
  sent: ReadBody,
  maxBody: number,
  breakers: Breakers | undefined,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const unzip = createUnzip({ chunkSize: PIECE });
    const pieces: Buffer[] = [];
    let length = 0;
    const fail = (error: unknown) => {
      // Nothing is unpacked any more, whatever is left.
      unzip.destroy();
      reject(error);
    };
    unzip.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > maxBody) return fail(tooLong(maxBody));
      try {
        if (sent.held !== undefined) breakers?.grow('request', sent.held, piece.length, LABEL);
      } catch (e) {
        return fail(e);
      }
      pieces.push(piece);
    });
    unzip.on('error', fail);
    unzip.on('end', () => resolve(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, length)));
    unzip.end(sent.bytes);
  });
}
