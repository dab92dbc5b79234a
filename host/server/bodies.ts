/**
 * Bodies of requests, read as they come. What has come is counted before it is kept, so that no number of clients can fill the
 * memory; a client that sends nothing for a while, or less than its body's size deserves, is told so and let go.
 */
import type { IncomingMessage } from 'node:http';
import { ElasticsearchError } from '../errors.js';
import type { Breakers, Held } from '../limits/breakers.js';

/** What bodies are read by. */
export interface BodyLimits {
  /** Bytes of a body. */
  maxBody: number;
  /** Milliseconds without a byte after which a client is given up. */
  idleMs: number;
  /** What all of them may take together; no limit without. */
  breakers?: Breakers | undefined;
}

/** A body, and what holds its memory until it is let go. */
export interface ReadBody {
  bytes: Buffer;
  held: Held | undefined;
}

/** What the breakers call bodies. */
export const LABEL = '<http_request>';
/** Bytes a second that a body must come with, after its first `idleMs`. */
const LEAST_RATE = 8 * 1024;

/** Bytes of a body whose chunks are put together as they come, from when the first of so many parts is there. */
const LONG_BODY = 4 * 1024 * 1024;
const LEAST_PART = 16;

/** Reads a body; what was read before an error is let go. */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<ReadBody> {
  const { maxBody, breakers } = limits;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBody) throw tooLong(maxBody);
  // A short body comes with the head, and is there as soon as the parser is through with both: no listener needs to wait for it.
  await undefined;
  if (request.destroyed) throw clientGone();
  if (announced === 0 || request.readableLength !== announced) return waitForBody(request, limits);
  const held = breakers?.hold('request', announced, LABEL);
  const bytes = request.read() as Buffer;
  // Nothing is left to flow but the end, without which Node doesn't let go of the request.
  request.resume();
  return { bytes, held };
}

/** Reads a body as it comes. */
function waitForBody(request: IncomingMessage, limits: BodyLimits): Promise<ReadBody> {
  const { maxBody, idleMs, breakers } = limits;
  const announced = Number(request.headers['content-length'] ?? 0);
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    /** All of a long body, of which so many bytes are there: putting its chunks together in the end would take long. */
    let whole: Buffer | undefined;
    let length = 0;
    let held: Held | undefined;
    const started = performance.now();
    const idle = setTimeout(() => end(lateBody()), idleMs);
    const end = (error?: Error) => {
      clearTimeout(idle);
      request.off('data', onData).off('end', onEnd).off('error', end).off('close', onClose);
      if (error === undefined) {
        const [only] = chunks;
        const bytes = whole ?? (chunks.length === 1 ? only! : Buffer.concat(chunks));
        resolve({ bytes, held });
        return;
      }
      held?.release();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      const at = length;
      length += chunk.length;
      if (length > maxBody) return end(tooLong(maxBody));
      if (performance.now() - started > idleMs + (length / LEAST_RATE) * 1000) return end(lateBody());
      try {
        if (breakers !== undefined) {
          held ??= breakers.hold('request', 0, LABEL);
          breakers.grow('request', held, chunk.length, LABEL);
        }
      } catch (e) {
        return end(e as Error);
      }
      // What is only announced takes no memory: some of it has to be there.
      if (whole === undefined && announced > LONG_BODY && length > announced / LEAST_PART) {
        whole = Buffer.allocUnsafeSlow(announced);
        let to = 0;
        for (const each of chunks) to += each.copy(whole, to);
        chunks = [];
      }
      if (whole === undefined) chunks.push(chunk);
      else chunk.copy(whole, at);
      idle.refresh();
    };
    const onEnd = () => end();
    const onClose = () => end(clientGone());
    request.on('data', onData).on('end', onEnd).on('error', end).on('close', onClose);
  });
}

/** 413. */
export function tooLong(maxBody: number): ElasticsearchError {
  const detail = `HTTP content length exceeded ${maxBody} bytes.`;
  return new ElasticsearchError('TooLongFrameException', detail, { status: 413 });
}

/** 400, which nobody reads. */
function clientGone(): ElasticsearchError {
  return new ElasticsearchError('HttpException', 'the client went away', { status: 400 });
}

/** 408. */
function lateBody(): ElasticsearchError {
  return new ElasticsearchError('HttpException', 'Request Timeout', { status: 408 });
}
