/** A server with a small heap, watched from outside: whether it lives, how long health takes, what it writes into its log. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { request } from 'node:http';
import { deflateSync, gzipSync } from 'node:zlib';
import { encodeFormat } from '../../host/formats/binaryFormats.js';
import { atOnce } from '../../host/workLimit.js';
import { type Answer, ServerProcess } from '../server/process.js';
import { fresh, type Made, standing } from './data.js';
import { type CostRequest, textOf } from './request.js';

const HEAP_MB = 128;
const PROBE = 'build/bench/bench/cost/healthProbe.js';
/** Milliseconds that an answer may take. */
const HANG_MS = 30_000;

/** An answer of the health that took long. */
export interface Slow {
  /** Milliseconds since the epoch. */
  from: number;
  to: number;
  /** Milliseconds without what the machine was busy with. */
  ms: number;
}

/** What is told while requests are under way. */
export interface Listener {
  slow(slow: Slow): void;
  line(line: string): void;
}

export class WatchedServer {
  readonly process: ServerProcess;
  readonly #probe: ChildProcess;
  readonly #listener: Listener;

  private constructor(server: ServerProcess, listener: Listener) {
    this.process = server;
    this.#listener = listener;
    const args = [PROBE, String(server.port), String(server.pid)];
    this.#probe = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    createInterface({ input: this.#probe.stdout! }).on('line', (line) => listener.slow(JSON.parse(line)));
  }

  /** A server with all its data. */
  static async start(listener: Listener): Promise<WatchedServer> {
    const flags = ['--threads', '1'];
    const heap = [`--max-old-space-size=${HEAP_MB}`];
    const server = await ServerProcess.start(flags, heap, (line) => listener.line(line));
    const watched = new WatchedServer(server, listener);
    for (const made of standing()) await watched.#make(made);
    await watched.renew();
    return watched;
  }

  /** Makes anew what requests change. */
  async renew(): Promise<void> {
    for (const made of fresh()) await this.#make(made);
  }

  /** The answer to a request; throws where none comes. */
  send(asked: CostRequest): Promise<Answer> {
    const body = bytesOf(asked);
    const headers: Record<string, string> = { 'content-length': String(body.length) };
    if (asked.written === 'gzip' || asked.written === 'deflate') headers['content-encoding'] = asked.written;
    if (asked.written === 'yaml') headers['content-type'] = 'application/yaml';
    const path = Buffer.from(asked.path)
      .toString()
      .replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent);
    const options = { host: '127.0.0.1', port: this.process.port, method: asked.method, path, headers };
    return new Promise((resolve, reject) => {
      const sent = request({ ...options, timeout: HANG_MS }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
        response.on('error', reject);
      });
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${HANG_MS / 1000} s`)));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  get listener(): Listener {
    return this.#listener;
  }

  /** Whether the process is there. */
  get alive(): boolean {
    return this.process.alive;
  }

  async stop(): Promise<void> {
    this.#probe.kill('SIGKILL');
    await this.process.stop();
  }

  async #make([method, path, body]: Made): Promise<void> {
    const answer = await this.process.call(method, path, body);
    if (answer.status >= 300 && method !== 'DELETE')
      throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
  }
}

/** The bytes that are sent. */
function bytesOf(asked: CostRequest): Buffer {
  const text = Buffer.from(textOf(asked));
  switch (asked.written) {
    case 'gzip':
      return gzipSync(text);
    case 'deflate':
      return deflateSync(text);
    case 'cbor':
    case 'smile':
      return Buffer.from(atOnce(encodeFormat(asked.written, text)));
    default:
      return text;
  }
}
