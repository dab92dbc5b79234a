/**
 * Does any request bring the server down, freeze it, or make it grow? Generated requests that aim at cost, against a server with a heap of
 * 128 MB; its health is asked from another process meanwhile.
 *
 *     npm run fuzz:cost -- [--requests 200000] [--seed N] [--from 0] [--connections 4] [--shrink 60]
 *
 *     --seed N         the same seed makes the same requests; without it is a new one, which is printed
 *     --from I         the number of the first request: --from I --requests 1 sends one alone
 *     --connections C  requests under way at once
 *     --shrink S       seconds in which each finding is made smaller; 0 leaves them as they are
 *
 * A finding is a death of the process, a second without an answer of the health (what the machine was busy with taken off), no answer
 * within 30 s, a fault or an error that 1.7 doesn't give on purpose, a line of the log, or memory that grows. Reads are given two seconds.
 */
import { loadavg } from 'node:os';
import { complaintOf, complaintOfLine, Findings } from '../fuzz/judge.js';
import { option, seedOption } from '../server/options.js';
import { megabytes, quarters } from '../server/process.js';
import { generated } from './generate.js';
import { type CostRequest, textOf } from './request.js';
import { shrunk } from './shrink.js';
import { type Slow, WatchedServer } from './watched.js';

const HELP = `npm run fuzz:cost -- [--requests 200000] [--seed N] [--from 0] [--connections 4] [--shrink 60]`;
/** What requests change is made anew after so many. */
const ROUND = 1000;
const FROZEN_MS = 1000;
/** Memory may be so much more in the last quarter than in the second. */
const GROWTH = 1.15;
const MAX_SHOWN = 40;
const PROGRESS_MS = 30_000;

/** A request under way. */
interface Flight {
  number: number;
  request: CostRequest;
  from: number;
  to: number;
}

/** A finding whose request isn't known yet. */
interface Suspicion {
  what: 'death' | 'freeze';
  detail: string;
  suspects: CostRequest[];
}

const now = () => performance.timeOrigin + performance.now();

export async function adversary(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) {
    console.log(HELP);
    return;
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  await new Run(args).all();
}

/** One run: what was sent, and what was found. */
class Run {
  readonly #requests: number;
  readonly #seed: number;
  readonly #from: number;
  readonly #lanes: number;
  readonly #shrinkMs: number;
  readonly #found = new Findings();
  readonly #suspicions: Suspicion[] = [];
  readonly #statuses = new Map<number, number>();
  readonly #memory: number[] = [];
  /** Milliseconds of answers of the health that took long, by when they were asked for. */
  readonly #slow = new Map<number, number>();
  /** Those under way, and those of the last seconds. */
  #flights: Flight[] = [];
  #sent = 0;
  #deaths = 0;
  #freezes = 0;
  #frozenSince = 0;
  #worst = 0;

  constructor(args: readonly string[]) {
    this.#requests = option(args, 'requests', 200_000);
    this.#seed = seedOption(args);
    this.#from = option(args, 'from', 0);
    this.#lanes = option(args, 'connections', 4);
    this.#shrinkMs = option(args, 'shrink', 60) * 1000;
  }

  async all(): Promise<void> {
    const started = performance.now();
    let told = started;
    let server = await this.#start();
    while (this.#sent < this.#requests) {
      const until = Math.min(this.#requests, this.#sent + ROUND);
      await Promise.all(Array.from({ length: this.#lanes }, () => this.#lane(server, until)));
      if (!server.alive) {
        await server.stop();
        server = await this.#start();
      } else await server.renew().catch((e) => this.#tell('the data', String(e), ''));
      this.#memory.push(server.process.own());
      if (performance.now() - told < PROGRESS_MS) continue;
      told = performance.now();
      process.stderr.write(
        `${this.#sent} requests, ${megabytes(this.#memory.at(-1)!)} MB, ${this.#deaths} deaths, ${this.#freezes} freezes, worst health ${Math.round(this.#worst)} ms, ${this.#found.size} findings\n`,
      );
    }
    await server.stop();
    if (this.#shrinkMs > 0) for (const each of this.#suspicions.slice(0, 10)) await this.#examine(each);
    this.#report((performance.now() - started) / 1000);
  }

  #start(): Promise<WatchedServer> {
    return WatchedServer.start({ slow: (slow) => this.#slowed(slow), line: (line) => this.#logged(line) });
  }

  async #lane(server: WatchedServer, until: number): Promise<void> {
    while (this.#sent < until && server.alive) {
      const number = this.#from + this.#sent++;
      const request = generated(this.#seed, number);
      const flight: Flight = { number, request, from: now(), to: Number.POSITIVE_INFINITY };
      this.#flights = this.#flights.filter(({ to }) => to > now() - 5000);
      this.#flights.push(flight);
      try {
        const { status, body } = await server.send(request);
        this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
        const text = body.toString();
        const hidden = request.path.includes('filter_path=') && /^(?:---)?\s*\{\s*\}\s*$/.test(text);
        const what = complaintOf({ status, text, hidden });
        if (what !== undefined) this.#tell(what, text, shown(request, number));
      } catch (e) {
        const { code, message } = e as Error & { code?: string };
        if (!server.alive) this.#died();
        // What is refused before it was read is not read to its end.
        else if (code !== 'EPIPE' && code !== 'ECONNRESET') this.#tell(message, '', shown(request, number));
      }
      flight.to = now();
    }
  }

  #died(): void {
    const suspects = this.#flights.filter(({ to }) => to > now() - 1000);
    if (suspects.length === 0) return;
    this.#deaths++;
    this.#flights = [];
    process.stderr.write(`death: ${suspects.map(({ number }) => number).join(', ')}\n`);
    this.#suspicions.push({ what: 'death', detail: '', suspects: suspects.map(({ request }) => request) });
    this.#tell('death', '', suspects.map(({ request, number }) => shown(request, number)).join('\n'));
  }

  #slowed({ from, to, ms }: Slow): void {
    this.#worst = Math.max(this.#worst, ms);
    this.#slow.set(from, ms);
    if (ms < FROZEN_MS || this.#frozenSince === from) return;
    this.#frozenSince = from;
    this.#freezes++;
    const during = this.#flights.filter((each) => each.from < to && each.to > from);
    process.stderr.write(
      `frozen for ${Math.round(ms)} ms: ${during.map(({ number }) => number).join(', ')}\n`,
    );
    const suspects = during.map(({ request }) => request);
    this.#suspicions.push({ what: 'freeze', detail: `${Math.round(ms)} ms`, suspects });
  }

  #logged(line: string): void {
    const what = complaintOfLine(line);
    if (what !== undefined) this.#tell(what, line.slice(0, 200), line.slice(0, 1000));
  }

  #tell(what: string, answer: string, asked: string): void {
    const example = `${what}: ${asked}\n    ${answer.slice(0, 700)}`;
    if (this.#found.add(what, answer, example)) console.log(`\n${example}`);
  }

  /** Sends the suspects of a finding one by one to a server of their own, and makes the guilty one smaller. */
  async #examine({ what, detail, suspects }: Suspicion): Promise<void> {
    let slowest = 0;
    const listener = { slow: ({ ms }: Slow) => (slowest = Math.max(slowest, ms)), line: () => {} };
    let server = await WatchedServer.start(listener);
    const fails = async (request: CostRequest) => {
      if (!server.alive) {
        await server.stop();
        server = await WatchedServer.start(listener);
      }
      slowest = 0;
      await server.send(request).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 100));
      return what === 'death' ? !server.alive : slowest > FROZEN_MS;
    };
    for (const suspect of suspects) {
      if (!(await fails(suspect))) continue;
      const least = await shrunk(suspect, fails, this.#shrinkMs);
      const number = `${what} ${detail}, alone`;
      this.#tell(
        number,
        '',
        `${least.method} ${least.path.slice(0, 300)} ${least.written ?? ''}\n    ${textOf(least).slice(0, 3000)}`,
      );
      break;
    }
    await server.stop();
  }

  #report(seconds: number): void {
    const [, second, , last] = quarters(this.#memory);
    if (last > second * GROWTH)
      this.#tell('memory grows', '', `${megabytes(second)} MB, then ${megabytes(last)} MB`);
    const by = [...this.#statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    console.log(
      `\nseed ${this.#seed}: ${this.#sent} requests in ${seconds.toFixed(0)} s, load ${loadavg()[0]?.toFixed(1)}; ${by.join(', ')}`,
    );
    console.log(
      `${this.#deaths} deaths, ${this.#freezes} freezes over a second, worst health ${Math.round(this.#worst)} ms`,
    );
    const slow = [...this.#slow.values()];
    const over = [50, 100, 250, 500].map((ms) => `${slow.filter((each) => each > ms).length} over ${ms} ms`);
    console.log(`answers of the health: ${over.join(', ')}`);
    const all = quarters(this.#memory).map((bytes) => `${megabytes(bytes)} MB`);
    console.log(`memory by quarters: ${all.join(', ')}`);
    console.log(`${this.#found.size} findings`);
    for (const example of [...this.#found.examples()].slice(0, MAX_SHOWN)) console.log(`\n${example}`);
    if (this.#found.size > 0 || this.#freezes > 0) process.exitCode = 1;
  }
}

function shown(request: CostRequest, number: number): string {
  const { method, path, written = 'json' } = request;
  return `request ${number}: ${method} ${path.slice(0, 300)} (${written})\n    ${textOf(request).slice(0, 1500)}`;
}
