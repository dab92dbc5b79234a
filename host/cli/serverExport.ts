/** An index of a running server, as one file. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { parseIndexAddress } from './remote/address.js';
import { encoded, errorOf } from './remote/requests.js';

/** Whether what is named is an index of a server. */
export const isServerUrl = (name: string): boolean => /^https?:\/\//.test(name);

/** Writes the file that a server makes of an index, as it comes; returns its bytes. Throws where it isn't whole. */
export async function downloadExport(
  index: string,
  file: string,
  authorization: string | undefined,
): Promise<number> {
  const address = parseIndexAddress(index, authorization);
  const url = `${address.url}/${encoded(address.index)}/_export`;
  const headers = address.authorization === undefined ? {} : { authorization: address.authorization };
  const response = await fetch(url, { headers }).catch((cause: Error) => {
    throw new Error(`${new URL(url).origin} can't be asked: ${messageOf(cause)}`, { cause });
  });
  const { status } = response;
  if (!response.ok || response.headers.get('content-type') !== 'application/octet-stream') {
    const body = Buffer.from(await response.arrayBuffer());
    throw new Error(`${url} answers with ${status}: ${errorOf({ status, body })}`);
  }
  const promised = Number(response.headers.get('content-length'));
  const out = createWriteStream(file);
  try {
    await pipeline(Readable.fromWeb(response.body as ReadableStream<Uint8Array>), out);
  } catch (cause) {
    throw new Error(`${url} ended after ${out.bytesWritten} of ${promised} bytes`, { cause });
  }
  return out.bytesWritten;
}

/** What is wrong with a connection stands in the cause. */
function messageOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
