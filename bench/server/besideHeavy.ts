/**
 * How long does a light search wait beside the dearest ones? A server with one data worker, asked by one client in a process of its own
 * for one document after another, alone and then while four other clients send the dearest attacks (attackCases.ts), each over and over.
 * Not measured: what the heavy ones wait for.
 *
 *     npm run bench:server -- besideHeavy [--seconds 20]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { loadavg } from 'node:os';
import { ATTACKS, type Attack, fill } from './attackCases.js';
import { option } from './options.js';
import { ServerProcess } from './process.js';
import type { Order, Seen } from './searchClient.js';

const HEAVY = [
  'terms of size 0 above a histogram',
  '_msearch of 200 terms',
  '5,000 source patterns',
  '1,000 script fields, 10,000 hits',
];
const WARM_SECONDS = 2;
/** Milliseconds within which 99 of 100 are to be answered. */
const TARGET_MS = 100;

export async function besideHeavy(args: readonly string[]): Promise<void> {
  const seconds = option(args, 'seconds', 20);
  const heavy = HEAVY.map((name) => ATTACKS.find((attack) => attack.name === name)!);
  const server = await ServerProcess.start(['--threads', '1']);
  const client = fork(new URL('./searchClient.js', import.meta.url));
  try {
    await fill(server);
    await ask(client, server, WARM_SECONDS);
    print('alone', await ask(client, server, WARM_SECONDS));
    const going = { on: true };
    const lanes = heavy.map((attack) => goOn(server, attack, going));
    const seen = await ask(client, server, seconds);
    going.on = false;
    const p99 = print('beside four', seen);
    console.log(
      `99 of 100 within ${TARGET_MS} ms: ${p99 <= TARGET_MS ? 'yes' : 'NO'}; load ${loadavg()[0]?.toFixed(1)}`,
    );
    if (p99 > TARGET_MS) process.exitCode = 1;
    await Promise.all(lanes);
  } finally {
    client.kill();
    await server.stop();
  }
}

/** Sends an attack over and over. */
async function goOn(server: ServerProcess, attack: Attack, going: { on: boolean }): Promise<void> {
  const body = attack.body();
  while (going.on) await server.call(attack.method ?? 'POST', attack.path, body).catch(() => undefined);
}

function ask(client: ChildProcess, { port }: ServerProcess, seconds: number): Promise<Seen> {
  const body = JSON.stringify({ query: { term: { k: 'k5' } } });
  const head = `POST /a/_search HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n`;
  return new Promise((resolve) => {
    client.once('message', (seen) => resolve(seen as Seen));
    client.send({ port, requests: [head + body], connections: 1, seconds } satisfies Order);
  });
}

/** Prints the quantiles of a run, in milliseconds; returns the 99th of a hundred. */
function print(what: string, { times, failures }: Seen): number {
  const all = times.flat().sort((a, b) => a - b);
  const at = (part: number) => (all[Math.min(all.length - 1, Math.floor(all.length * part))] ?? 0) / 1000;
  const [p50, p90, p99, most] = [at(0.5), at(0.9), at(0.99), at(1)];
  console.log(
    `${what}: ${all.length} searches, ${failures} failed; p50 ${p50.toFixed(1)}, p90 ${p90.toFixed(1)}, ` +
      `p99 ${p99.toFixed(1)}, longest ${most.toFixed(1)} ms`,
  );
  return p99;
}
