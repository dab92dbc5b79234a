/**
 * How many single documents a second are acknowledged as durable, with so many clients at once?
 *
 *     node build/bench/bench/durableWrites.js [--clients 32] [--seconds 10] [--bytes 200] [--server build/js/host/cli/main.js]
 *
 * The server is a process of its own on a new data folder; the clients are sockets of this process that send a PUT, read the
 * answer and send the next. Not measured: bulk requests, and what the clients cost on the same machine.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '10' },
    bytes: { type: 'string', default: '200' },
    shards: { type: 'string', default: '5' },
    settings: { type: 'string', default: '{}' },
    server: { type: 'string', default: 'build/js/host/cli/main.js' },
    folder: { type: 'string', default: tmpdir() },
  },
});
const data = mkdtempSync(join(values.folder, 'resilin-writes-'));
const args = [values.server, '--port', '0', '--data', data];
const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
const url = await new Promise<URL>((resolve) => {
  let out = '';
  server.stdout.on('data', (chunk) => {
    out += chunk;
    const found = /answers on (\S+),/.exec(out)?.[1];
    if (found !== undefined) resolve(new URL(found));
  });
});
await fetch(new URL('/w', url), {
  method: 'PUT',
  body: JSON.stringify({
    settings: { number_of_shards: Number(values.shards), ...JSON.parse(values.settings) },
  }),
});

const latencies: number[] = [];
const filler = 'lorem ipsum '.repeat(Math.ceil(Number(values.bytes) / 12)).slice(0, Number(values.bytes));
const end = performance.now() + 1000 * Number(values.seconds);
let failed = 0;

function client(number: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    socket.setNoDelay(true);
    let i = 0;
    let sent = 0;
    const send = () => {
      if (performance.now() > end) {
        socket.destroy();
        return resolve();
      }
      const body = JSON.stringify({ n: i, text: filler });
      sent = performance.now();
      socket.write(
        `PUT /w/t/${number}-${i++} HTTP/1.1\r\nhost: x\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    };
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      if (head < 0 || text.length < head + 4 + length) return;
      if (!text.startsWith('HTTP/1.1 201')) failed++;
      latencies.push(performance.now() - sent);
      text = '';
      send();
    });
    socket.on('connect', send);
  });
}

const started = performance.now();
await Promise.all(Array.from({ length: Number(values.clients) }, (_, number) => client(number)));
const seconds = (performance.now() - started) / 1000;
latencies.sort((a, b) => a - b);
const at = (p: number) =>
  latencies[Math.min(latencies.length - 1, Math.floor(p * latencies.length))]!.toFixed(1);
console.log(
  `${(latencies.length / seconds).toFixed(0)} acknowledged/s with ${values.clients} clients, ${failed} failed; ` +
    `ms: median ${at(0.5)}, 99% ${at(0.99)}, longest ${at(1)}`,
);
const cpu = cpuSeconds(server.pid!);
if (cpu !== undefined)
  console.log(
    `${((1000 * cpu) / latencies.length).toFixed(3)} ms of processor time for each, start included`,
  );
server.kill('SIGTERM');
await new Promise((resolve) => server.on('exit', resolve));
rmSync(data, { recursive: true, force: true });

/** What a process has used of all processors; undefined where the system doesn't say. */
function cpuSeconds(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}
