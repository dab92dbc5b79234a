/** A server as a process of its own, and requests to it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { type Answer, type Peer, Unanswered } from './peer.js';

/** A process that may be killed at any moment. */
export class ServerProcess implements Peer {
  readonly #child: ChildProcess;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #url: Promise<string>;
  readonly #auth: string | undefined;
  readonly ended: Promise<void>;
  /** What it wrote to its standard error. */
  log = '';
  /** The signal, or the status, that it ended with. */
  endedBy: string | undefined;
  #dead = false;

  /**
   * @param main the compiled command line
   * @param flags of Node
   * @param credentials `user:password` that requests are sent with
   */
  constructor(main: string, args: readonly string[], flags: readonly string[] = [], credentials?: string) {
    this.#auth = credentials;
    this.#child = spawn(process.execPath, [...flags, main, '--port', '0', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    this.#url = new Promise((resolve, reject) => {
      this.#child.stdout!.on('data', (chunk) => {
        out += chunk;
        const url = /answers on (\S+),/.exec(out)?.[1];
        if (url !== undefined) resolve(url);
      });
      this.#child.on('exit', () => reject(new Unanswered(`the server ended: ${out}${this.log}`)));
    });
    this.#url.catch(() => {});
    this.#child.stderr!.on('data', (chunk) => {
      this.log += chunk;
    });
    this.ended = new Promise((resolve) => {
      this.#child.on('exit', (code, signal) => {
        this.#dead = true;
        this.endedBy = signal ?? String(code);
        if (signal !== 'SIGKILL') this.log += `ended with ${signal ?? code}`;
        this.#agent.destroy();
        resolve();
      });
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Resolves when it listens. */
  async ready(): Promise<string> {
    return this.#url;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#child.kill(signal);
    await this.ended;
  }

  /** Throws {@link Unanswered} if no whole answer comes. */
  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    if (this.#dead) throw new Unanswered('the server is gone');
    const base = await this.#url;
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const gone = (e: Error) => reject(new Unanswered(e.message));
      const headers = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
      const options = { method, agent: this.#agent, headers, auth: this.#auth ?? null };
      const req = request(new URL(path, base), options, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', gone);
        res.on('end', () => {
          if (!res.complete) return gone(new Error('the answer was cut'));
          const answer = Buffer.concat(chunks).toString();
          resolve({ status: res.statusCode!, body: answer.startsWith('{') ? JSON.parse(answer) : answer });
        });
      });
      req.on('error', gone);
      req.end(text);
    });
  }
}
