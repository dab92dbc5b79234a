/**
 * Does any plan bring the core anything but a result or a status? Plans, reads of dictionaries and registered queries as the engine writes
 * them, with bytes of them replaced, cut, repeated, or taken from others, straight to the shards. Told are traps and results that
 * can't be read.
 *
 *     npm run fuzz:plans -- [--plans 1000000] [--seed N] [--from 0] [--core FILE]
 */
import { CoreError } from '../../host/core/status.js';
import { ShardLost } from '../../host/shard/shardClient.js';
import { WorkLimit } from '../../host/workLimit.js';
import { bodyOf } from '../../test/metamorphic/request.js';
import { makeRequest } from '../../test/metamorphic/requests.js';
import { generator } from '../generator.js';
import { option, seedOption } from '../server/options.js';
import { coreModule } from './core.js';
import { Findings } from './judge.js';
import type { Asked } from '../../test/support/recordingTransport.js';
import { FuzzedWorld } from './world.js';

/** Requests of one world, and plans that are made of each of theirs. */
const REQUESTS = 150;
const MUTANTS = 60;
/** Milliseconds that a plan may take. */
const PLAN_MS = 500;
const LONG_MS = 3000;
const PROGRESS_MS = 30_000;
/** Values that bounds are about. */
const EDGES = [0, 1, 2, 3, 7, 127, 128, 255, 256, 32_767, 65_535, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];

export async function fuzzPlans(args: readonly string[]): Promise<void> {
  const plans = option(args, 'plans', 1_000_000);
  const seed = seedOption(args);
  const from = option(args, 'from', 0);
  const module = await coreModule(args);
  const found = new Findings();
  const outcomes = new Map<string, number>();
  const count = (name: string) => outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
  const started = performance.now();
  let [sent, shown] = [0, started];
  for (let round = from; sent < plans; round++) {
    const number = Math.imul(seed, 0x9e3779b1) ^ Math.imul(round + 1, 0x85ebca6b);
    const random = generator(number);
    const world = await FuzzedWorld.open(module, (number >>> 1) % 1_000_000, () => {});
    for (let i = 0; i < REQUESTS; i++) {
      const request = makeRequest(Math.floor(random() * 2 ** 31));
      await world.ask(request.method, request.uri, Buffer.from(bodyOf(request) ?? ''));
    }
    const { asked } = world;
    let alive = true;
    for (const each of [...asked]) {
      for (let i = 0; i < MUTANTS && sent < plans && alive; i++, sent++) {
        const bytes = mutated(each.bytes, asked, random);
        const began = performance.now();
        const wrong = await outcome(each, bytes, count);
        const ms = performance.now() - began;
        if (wrong === undefined && ms < LONG_MS) continue;
        const what = wrong ?? 'a long plan';
        const example = `${what}, round ${round}, ${each.call}, ${Math.round(ms)} ms\n    ${hex(bytes)}\n  made of\n    ${hex(each.bytes)}`;
        if (found.add(what.replaceAll(/\s+at file:.*/g, ''), '', example)) console.log(`\n${example}`);
        alive = wrong === undefined;
      }
      if (!alive) break;
    }
    await world.close().catch(() => {});
    if (performance.now() - shown < PROGRESS_MS) continue;
    shown = performance.now();
    process.stderr.write(`${sent} plans, ${found.size} findings\n`);
  }
  const by = [...outcomes].sort(([, a], [, b]) => b - a).map(([name, times]) => `${name}: ${times}`);
  const seconds = (performance.now() - started) / 1000;
  console.log(`seed ${seed}: ${sent} plans in ${seconds.toFixed(0)} s; ${by.join(', ')}`);
  console.log(`${found.size} findings`);
  if (found.size > 0) process.exitCode = 1;
}

/** What is wrong with the outcome of a call; undefined where it is a result or a status. */
async function outcome(
  { client, call }: Asked,
  bytes: Uint8Array,
  count: (name: string) => void,
): Promise<string | undefined> {
  try {
    if (call === 'terms') await client.terms(bytes, WorkLimit.none);
    else if (call === 'search') await client.search(bytes, WorkLimit.of(PLAN_MS));
    else await client.matches(bytes, WorkLimit.of(PLAN_MS));
    count('carried out');
    return undefined;
  } catch (e) {
    // The shard of an index that was closed or deleted.
    if (e instanceof ShardLost) return undefined;
    if (!(e instanceof CoreError)) return String(e instanceof Error ? e.stack : e).slice(0, 1500);
    count(e.message);
    return undefined;
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').slice(0, 4000);
}

/** A copy with one to four changes. */
function mutated(bytes: Uint8Array, others: readonly Asked[], random: () => number): Uint8Array {
  const below = (n: number) => Math.floor(random() * n);
  let out = Buffer.from(bytes);
  for (let n = 1 + below(4); n > 0; n--) {
    // The magic and the version are of no interest.
    const at = Math.min(out.length, 5 + below(Math.max(1, out.length - 5)));
    switch (below(7)) {
      case 0:
      case 1:
        if (at < out.length) out[at] = below(256);
        break;
      case 2:
        if (at < out.length) out[at] = out[at]! ^ (1 << below(8));
        break;
      case 3: {
        const value = EDGES[below(EDGES.length)]!;
        if (at + 4 <= out.length) out.writeUInt32LE(value, at);
        break;
      }
      case 4: {
        const value = EDGES[below(11)]!;
        if (at + 2 <= out.length) out.writeUInt16LE(value, at);
        break;
      }
      case 5: {
        const end = Math.min(out.length, at + 1 + below(16));
        const piece =
          random() < 0.5 ? out.subarray(0, 0) : Buffer.concat([out.subarray(at, end), out.subarray(at, end)]);
        out = Buffer.concat([out.subarray(0, at), piece, out.subarray(end)]);
        break;
      }
      default: {
        const other = others[below(others.length)]!.bytes;
        const start = below(other.length);
        const piece = other.subarray(start, start + 1 + below(40));
        out = Buffer.concat([
          out.subarray(0, at),
          piece,
          out.subarray(random() < 0.5 ? at : Math.min(out.length, at + piece.length)),
        ]);
      }
    }
  }
  return out;
}
