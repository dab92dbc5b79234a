/** Bodies that come in many chunks. */
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { readBody } from '../../host/server/bodies.js';

const LIMITS = { maxBody: 100e6, idleMs: 10_000 };
const CHUNK = 64 * 1024;

afterEach(() => void vi.restoreAllMocks());

/** A request with a head, whose body is written to it. */
function request(headers: Record<string, string>): PassThrough & IncomingMessage {
  return Object.assign(new PassThrough({ highWaterMark: 1e9 }), { headers }) as never;
}

/** Bytes of which no two chunks are alike. */
function bytesOf(length: number): Buffer {
  return Buffer.from(Uint32Array.from({ length: length / 4 }, (_, i) => Math.imul(i, 2_654_435_761)).buffer);
}

async function read(sent: Buffer, headers: Record<string, string>): Promise<Buffer> {
  const from = request(headers);
  const body = readBody(from, LIMITS);
  await undefined;
  for (let at = 0; at < sent.length; at += CHUNK) from.write(sent.subarray(at, at + CHUNK));
  from.end();
  return (await body).bytes;
}

it.each([
  ['a short one', 8 * CHUNK],
  ['a long one', 100 * CHUNK],
])('are what was sent: %s', async (_name, length) => {
  const sent = bytesOf(length);
  expect(Buffer.compare(await read(sent, { 'content-length': String(length) }), sent)).toBe(0);
  expect(Buffer.compare(await read(sent, {}), sent)).toBe(0);
});

it('are put together as they come where they are long, and not before some of them is there', async () => {
  const made = vi.spyOn(Buffer, 'allocUnsafeSlow');
  const concat = vi.spyOn(Buffer, 'concat');
  const length = 160 * CHUNK;
  const sent = bytesOf(length);
  const from = request({ 'content-length': String(length) });
  const body = readBody(from, LIMITS);
  await undefined;
  let came = 0;
  const arrived = () => new Promise((resolve) => from.once('data', resolve));
  for (let at = 0; at < length; at += CHUNK) {
    const arrives = arrived();
    from.write(sent.subarray(at, at + CHUNK));
    await arrives;
    came++;
    expect(made).toHaveBeenCalledTimes(came > 10 ? 1 : 0);
  }
  from.end();
  expect(Buffer.compare((await body).bytes, sent)).toBe(0);
  expect(concat).not.toHaveBeenCalled();
});
