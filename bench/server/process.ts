/** A server in a process of its own, and what can be seen of it from outside. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Where the built command is, seen from the repository's root. */
const COMMAND = 'build/js/host/cli/main.js';
const READY = /answers on http:\/\/([\d.]+):(\d+)/;

/** An answer, read to its end. */
export interface Answer {
  status: number;
  body: Buffer;
}

/** A server that listens on some free port, its data in a folder that goes with it. */
export class ServerProcess {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });

  private constructor(child: ChildProcess, folder: string, port: number) {
    this.#child = child;
    this.#folder = folder;
    this.port = port;
  }

  /**
   * @param flags of the command, besides port and data folder
   * @param root of the checkout whose build is started
   * @param told takes the lines of the log, which otherwise are written to stderr
   */
  static start(
    flags: readonly string[] = [],
    nodeFlags: readonly string[] = [],
    told?: (line: string) => void,
    root = process.cwd(),
  ): Promise<ServerProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'resilin-bench-'));
    const args = [...nodeFlags, join(root, COMMAND), '--port', '0', '--data', join(folder, 'data'), ...flags];
    return ServerProcess.#launch(folder, [process.execPath, ...args], told);
  }

  static #launch(
    folder: string,
    [command = '', ...args]: readonly string[],
    told?: (line: string) => void,
  ): Promise<ServerProcess> {
    const log = told === undefined ? 'inherit' : 'pipe';
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', log] });
    // Who ends leaves no server behind.
    process.once('exit', () => child.kill('SIGKILL'));
    if (told !== undefined) createInterface({ input: child.stderr! }).on('line', told);
    return new Promise((resolve, reject) => {
      let text = '';
      let ready: RegExpExecArray | null = null;
      child.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
      child.stdout!.on('data', (chunk: Buffer) => {
        if (ready !== null) return;
        text += chunk.toString();
        ready = READY.exec(text);
        if (ready === null) return;
        child.removeAllListeners('exit');
        resolve(new ServerProcess(child, folder, Number(ready[2])));
      });
    });
  }

  /**
   * Ends it and starts one with the same data.
   * @param flags of the command, besides port and data folder
   * @param group the file of a control group that the new process is in from its beginning
   * @param between is done while none runs
   */
  async restart(
    flags: readonly string[],
    group?: string,
    between: () => void = () => {},
  ): Promise<ServerProcess> {
    await this.#end();
    between();
    const own = [
      process.execPath,
      join(process.cwd(), COMMAND),
      '--port',
      '0',
      '--data',
      this.data,
      ...flags,
    ];
    const joined = ['sh', '-c', 'echo $$ > "$0" && exec "$@"', group ?? '', ...own];
    return ServerProcess.#launch(this.#folder, group === undefined ? own : joined);
  }

  /** Where its data are. */
  get data(): string {
    return join(this.#folder, 'data');
  }

  /** Whether it runs. */
  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  call(method: string, path: string, body?: string | Uint8Array): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const options = { host: '127.0.0.1', port: this.port, method, path, headers, agent: this.#agent };
      const sent = request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** The same with JSON in and out; throws unless the status is below 300. */
  async json(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await this.call(method, path, text);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
    return JSON.parse(answer.body.toString());
  }

  /** Bytes of the process in memory. */
  resident(): number {
    return this.#status(/^VmRSS:\s+(\d+) kB$/m);
  }

  /** Of these, those that are not of mapped files, which the system can take back. */
  own(): number {
    return this.#status(/^RssAnon:\s+(\d+) kB$/m);
  }

  #status(line: RegExp): number {
    return Number(line.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  }

  /** Milliseconds that its threads have run so far: the main one, and all together. Linux only. */
  processorTime(): { main: number; all: number } {
    const time = (thread: string | number) =>
      Number(readFileSync(`/proc/${this.pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    const all = readdirSync(`/proc/${this.pid}/task`).reduce((sum, thread) => sum + time(thread), 0);
    return { main: time(this.pid), all };
  }

  /** How often it has waited for pages of files: the main thread, and all threads together. Linux only. */
  majorFaults(): { main: number; all: number } {
    const of = (file: string) => {
      const stat = readFileSync(file, 'utf8');
      // The name, in parentheses, may hold spaces; the tenth figure behind it is this one.
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[9]);
    };
    return { main: of(`/proc/${this.pid}/task/${this.pid}/stat`), all: of(`/proc/${this.pid}/stat`) };
  }

  async stop(): Promise<void> {
    await this.#end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #end(): Promise<void> {
    this.#agent.destroy();
    if (!this.alive) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await ended;
  }
}

/** Calls `GET /` every few milliseconds, and watches how long it takes at most and how large the process becomes. */
export class Watch {
  /** Milliseconds that the slowest answer took. */
  longest = 0;
  /** Most bytes in memory. */
  peak = 0;
  #stopped = false;
  readonly #done: Promise<void>;

  constructor(server: ServerProcess, everyMs = 20) {
    this.#done = this.#run(server, everyMs);
  }

  async #run(server: ServerProcess, everyMs: number): Promise<void> {
    while (!this.#stopped) {
      const started = performance.now();
      await server.call('GET', '/');
      this.longest = Math.max(this.longest, performance.now() - started);
      this.peak = Math.max(this.peak, server.resident());
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return this.#done;
  }
}

/** Megabytes, rounded. */
export function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}

/** The means of the four quarters of a list, which has at least one element. */
export function quarters(list: readonly number[]): [number, number, number, number] {
  const size = Math.max(1, list.length >> 2);
  const mean = (from: number) => {
    const part = list.slice(from, from + size);
    return part.reduce((sum, each) => sum + each, 0) / Math.max(1, part.length);
  };
  const last = Math.max(0, list.length - size);
  return [mean(0), mean(Math.min(size, last)), mean(Math.min(2 * size, last)), mean(last)];
}

/** Microseconds of processor time that the threads of a process have had, as Linux tells. */
export function threadTimes(pid: number): Map<string, number> {
  const folder = `/proc/${pid}/task`;
  return new Map(
    readdirSync(folder).map((id) => {
      const [nanoseconds = ''] = readFileSync(`${folder}/${id}/schedstat`, 'utf8').split(' ');
      return [id, Number(nanoseconds) / 1000];
    }),
  );
}
