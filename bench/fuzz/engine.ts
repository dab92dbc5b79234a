/**
 * Does any request bring the engine anything but an answer? Mutants of all routes and of the searches of `test/metamorphic`, in this
 * process, without HTTP: thousands a second. Told are traps, faults, errors that 1.7 doesn't give on purpose, warnings, and requests that
 * keep the thread for seconds.
 *
 *     npm run fuzz:engine -- [--requests 100000] [--seed N] [--from 0] [--core FILE]
 *
 * A round is {@link ROUND} requests to an engine of its own. What was found is told with its round: `--seed N --from ROUND --requests 500`
 * asks the same again.
 */
import { encodeFormat } from '../../host/formats/binaryFormats.js';
import { atOnce } from '../../host/workLimit.js';
import { bodyOf } from '../../test/metamorphic/request.js';
import { makeRequest } from '../../test/metamorphic/requests.js';
import { generator } from '../generator.js';
import { option, seedOption } from '../server/options.js';
import { complaintOf, complaintOfLine, Findings } from './judge.js';
import { type Mutant, Mutations, requestLine } from './mutations.js';
import { routeTable } from './routeTable.js';
import { coreModule } from './core.js';
import { FuzzedWorld } from './world.js';

/** Requests to one engine. */
const ROUND = 500;
/** Milliseconds after which a request, whose limit is 2 s, has kept the thread too long. */
const LONG_MS = 6000;
const PROGRESS_MS = 30_000;
const MAX_SHOWN = 30;

export async function fuzzEngine(args: readonly string[]): Promise<void> {
  const requests = option(args, 'requests', 100_000);
  const seed = seedOption(args);
  const from = option(args, 'from', 0);
  const module = await coreModule(args);
  const routes = routeTable();
  const found = new Findings();
  const statuses = new Map<number, number>();
  const started = performance.now();
  let [sent, shown] = [0, started];
  for (let round = from; sent < requests; round++) {
    const tell = (what: string, said: string, asked: string) => {
      const example = `${what}, round ${round}: ${asked}\n    ${said.slice(0, 600)}`;
      if (found.add(what, said, example)) console.log(`\n${example}`);
    };
    const warn = (message: string) => {
      const what = complaintOfLine(message);
      if (what !== undefined) tell(what, message, '');
    };
    // Neighbouring rounds draw unlike numbers.
    const number = Math.imul(seed, 0x9e3779b1) ^ Math.imul(round + 1, 0x85ebca6b);
    const mutations = new Mutations(number, routes);
    const random = generator(number ^ 0x5bd1e995);
    const world = await FuzzedWorld.open(module, (number >>> 1) % 1_000_000, warn);
    for (let i = 0; i < ROUND && sent < requests; i++, sent++) {
      const { method, uri, body } = random() < 0.5 ? routed(mutations.next()) : searched(mutations, random);
      const { status, text, ms } = await world.ask(method, uri, body);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const hidden =
        method === 'HEAD' || (uri.includes('filter_path') && /^(?:---)?\s*\{\s*\}\s*$/.test(text));
      const what = complaintOf({ status, text, hidden }) ?? (ms > LONG_MS ? 'a long request' : undefined);
      if (what !== undefined) {
        const asked = `${method} ${uri.slice(0, 300)}\n    ${Buffer.from(body).toString().slice(0, 2000)}`;
        tell(what, ms > LONG_MS ? `${Math.round(ms)} ms ${text}` : text, asked);
      }
    }
    await world.close();
    if (performance.now() - shown < PROGRESS_MS) continue;
    shown = performance.now();
    const resident = Math.round(process.memoryUsage.rss() / 1e6);
    process.stderr.write(`${sent} requests, ${found.size} findings, ${resident} MB\n`);
  }
  const by = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  const seconds = (performance.now() - started) / 1000;
  console.log(`seed ${seed}: ${sent} requests in ${seconds.toFixed(0)} s; ${by.join(', ')}`);
  console.log(`${found.size} findings`);
  for (const example of [...found.examples()].slice(0, MAX_SHOWN)) console.log(`\n${example}`);
  if (found.size > 0) process.exitCode = 1;
}

/** A request as the router takes it. */
interface Routed {
  method: string;
  uri: string;
  body: Uint8Array;
}

function routed(mutant: Mutant): Routed {
  return { ...requestLine(mutant), body: mutant.body };
}

/** A request of `test/metamorphic`, bent; now and then in a binary format of which a byte is another. */
function searched(mutations: Mutations, random: () => number): Routed {
  const request = makeRequest(Math.floor(random() * 2 ** 31));
  const text = bodyOf(request) ?? '';
  const { method, uri } = request;
  if (random() < 0.9 || request.body === undefined) return { method, uri, body: mutations.bend(text) };
  const body = atOnce(encodeFormat(random() < 0.5 ? 'cbor' : 'smile', new TextEncoder().encode(text)));
  for (let n = Math.floor(random() * 3); n > 0; n--)
    body[Math.floor(random() * body.length)] = Math.floor(random() * 256);
  return { method, uri, body };
}
