/**
 * A process that asks a server for its health again and again, and tells of each answer that takes long: lines of JSON on stdout. What
 * the server's main thread waited for a processor is taken off, so that a busy machine is not mistaken for a busy event loop.
 *
 *     node healthProbe.js PORT PID
 */
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';

const EVERY_MS = 20;
/** Told are answers that took longer. */
const TOLD_MS = 50;
const AGAIN_MS = 1500;

const [port, pid] = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Milliseconds that a thread waited for a processor so far. */
function waited(thread: number): number {
  try {
    return Number(readFileSync(`/proc/${thread}/task/${thread}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/_cluster/health', agent }, (answer) => {
      answer.resume().on('end', resolve).on('error', reject);
    }).on('error', reject);
  });
}

const now = () => performance.timeOrigin + performance.now();

for (let failures = 0; failures < 50; ) {
  const [from, before, own] = [now(), waited(pid!), waited(process.pid)];
  const tell = () => {
    const to = now();
    const ms = Math.max(0, to - from - (waited(pid!) - before) - (waited(process.pid) - own));
    if (ms > TOLD_MS) process.stdout.write(`${JSON.stringify({ from, to, ms })}\n`);
  };
  // Of an answer that may never come is told again and again.
  const waiting = setInterval(tell, AGAIN_MS);
  try {
    await ask();
    failures = 0;
    tell();
  } catch {
    failures++;
  }
  clearInterval(waiting);
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
}
