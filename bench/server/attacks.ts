/**
 * Can one request keep the others waiting? A server with one data worker and default settings, attacked by requests that ask for much
 * (attackCases.ts), while a client in a process of its own asks for `/_cluster/health` every 10 ms. For each attack: the status of its
 * answer and how long that took, the slowest answer of health meanwhile, and the most processor time that the server's main thread used
 * while one question for health waited: the last is what other load on the machine doesn't change. The row `nothing` is the idle server.
 * Not measured: attacks beside one another, and what attacks take in memory.
 *
 *     npm run bench:server -- attacks [--only PART OF A NAME] [--seconds 70]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { request } from 'node:http';
import { ATTACKS, type Attack, fill, PREPARATIONS } from './attackCases.js';
import type { Probed, ProbeOrder } from './healthProbe.js';
import { option, textOption } from './options.js';
import { ServerProcess } from './process.js';

/** Milliseconds within which health is to be answered. */
const HEALTH_MS = 50;
/** How long the idle server is watched. */
const IDLE_MS = 2000;

interface Outcome {
  status: string;
  ms: number;
  head: string;
}

export async function attacks(args: readonly string[]): Promise<void> {
  const only = textOption(args, 'only') ?? '';
  const giveUpMs = option(args, 'seconds', 70) * 1000;
  const chosen = ATTACKS.filter(({ name }) => name === 'nothing' || name.includes(only));
  const server = await ServerProcess.start(['--threads', '1']);
  const probe = fork(new URL('./healthProbe.js', import.meta.url));
  const prepared = new Set<string>();
  let failed = 0;
  try {
    await fill(server);
    console.log('attack | answer | ms | worst health, ms | main thread meanwhile, ms');
    console.log('---|---|---|---|---');
    for (const attack of chosen) {
      const { name, prepare, within = giveUpMs } = attack;
      if (prepare !== undefined && !prepared.has(prepare)) {
        prepared.add(prepare);
        await PREPARATIONS[prepare](server);
      }
      const body = Buffer.from(attack.body());
      probe.send({ port: server.port, pid: server.pid } satisfies ProbeOrder);
      const outcomes = await Promise.all(
        Array.from({ length: attack.times ?? 1 }, () => carryOut(server, attack, body, giveUpMs)),
      );
      if (name === 'nothing') await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      const seen = await told(probe, 'end');
      const slowest = outcomes.reduce((a, b) => (b.ms > a.ms ? b : a));
      const bad = seen.busiest > HEALTH_MS || slowest.ms > within || slowest.status === 'none';
      if (bad) failed++;
      console.log(
        `${name} | ${slowest.status} | ${slowest.ms.toFixed(0)} | ${seen.worst.toFixed(0)} | ${seen.busiest.toFixed(0)}${bad ? ' | !' : ''}`,
      );
      if (args.includes('--show')) console.log(`  ${slowest.head}`);
    }
    console.log(
      `${failed} of ${chosen.length} kept health waiting for more than ${HEALTH_MS} ms, or were late`,
    );
    if (failed > 0) process.exitCode = 1;
  } finally {
    probe.kill();
    await server.stop();
  }
}

/** Sends an attack and waits for its answer, but not for ever. */
function carryOut(
  server: ServerProcess,
  { method = 'POST', path }: Attack,
  body: Buffer,
  giveUpMs: number,
): Promise<Outcome> {
  const started = performance.now();
  return new Promise((resolve) => {
    const done = (status: string, head = '') => {
      clearTimeout(timer);
      resolve({ status, ms: performance.now() - started, head });
    };
    const options = { host: '127.0.0.1', port: server.port, method, path, agent: false };
    const sent = request({ ...options, headers: { 'content-length': body.length } }, (response) => {
      let head = '';
      response.on('data', (chunk: Buffer) => {
        if (head.length < 300) head += chunk.toString('utf8', 0, 300);
      });
      response.on('end', () =>
        done(`${response.statusCode}${head.includes('"timed_out":true') ? ', timed out' : ''}`, head),
      );
    });
    const timer = setTimeout(() => {
      done('none');
      sent.destroy();
    }, giveUpMs);
    sent.on('error', () => done('none'));
    sent.end(body);
  });
}

function told(probe: ChildProcess, order: ProbeOrder): Promise<Probed> {
  return new Promise((resolve) => {
    probe.once('message', (seen) => resolve(seen as Probed));
    probe.send(order);
  });
}
