/** An index of a running server, as one file. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/** Whether what is named is an index of a server. */
export const isServerUrl = (name: string): boolean => /^https?:\/\//.test(name);

/** Writes the file that a server makes of an index, as it comes; returns its bytes. Throws where it isn't whole. */
export async function downloadExport(
  index: string,
  file: string,
  authorization: string | undefined,
): Promise<number> {
  const url = new URL(index);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  if (url.pathname === '/')
    throw new Error(`${url} names no index: ${url}books is the index books of that server`);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/_export`;
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const sent = username === '' ? authorization : `Basic ${Buffer.from(user).toString('base64')}`;
  const response = await fetch(url, { headers: sent === undefined ? {} : { authorization: sent } }).catch(
    (cause: Error) => {
      throw new Error(`${url.origin} can't be asked: ${messageOf(cause)}`, { cause });
    },
  );
  if (!response.ok || response.headers.get('content-type') !== 'application/octet-stream')
    throw new Error(`${url} answers with ${response.status}: ${await answerOf(response)}`);
  const promised = Number(response.headers.get('content-length'));
  const out = createWriteStream(file);
  try {
    await pipeline(Readable.fromWeb(response.body as ReadableStream<Uint8Array>), out);
  } catch (cause) {
    throw new Error(`${url} ended after ${out.bytesWritten} of ${promised} bytes`, { cause });
  }
  return out.bytesWritten;
}

/** The error of an answer, or how it begins. */
async function answerOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === 'string') return error;
  } catch {
    // No answer of Resilin.
  }
  return text.slice(0, 200);
}

/** What is wrong with a connection stands in the cause. */
function messageOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
