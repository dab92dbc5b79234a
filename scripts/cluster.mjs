/**
 * `npm run cluster`: a small cluster on this machine, to try it: a NATS server with JetStream, and three nodes. Ctrl-C stops all of it; what
 * it holds stays in the folder.
 *
 *     npm run cluster -- [--nodes 3] [--port 9201] [--data ./cluster] [--nats-server nats-server] [--nats nats://HOST:PORT]
 *
 * With `--nats` no server is started.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '3' },
    port: { type: 'string', default: '9201' },
    data: { type: 'string', default: './cluster' },
    'nats-server': { type: 'string', default: 'nats-server' },
    nats: { type: 'string' },
  },
});
const count = Number(values.nodes);
const first = Number(values.port);
if (!(count >= 1 && count <= 9) || !(first >= 1 && first <= 65_000)) {
  process.stderr.write('--nodes takes a number from 1 to 9, --port one from 1 to 65000\n');
  process.exit(2);
}

const children = new Set();
let isEnding = false;

/** Starts a process whose lines are shown with a name in front; all ends when it ends by itself. */
function start(name, command, args, shows) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) if (shows(line)) process.stdout.write(`${name.padEnd(5)} ${line}\n`);
    });
  }
  child.on('error', (e) => {
    children.delete(child);
    const why =
      e.code === 'ENOENT' ? `there is no ${command}: install it, or name it with --nats-server` : e.message;
    process.stderr.write(`${name}: ${why}\n`);
    end(1);
  });
  child.on('exit', (code) => {
    children.delete(child);
    if (!isEnding) {
      process.stderr.write(`${name} has ended (${code}): the others are stopped\n`);
      end(1);
    }
  });
  return child;
}

/** Stops the nodes, then NATS: they take leave by way of it. */
async function end(code) {
  if (isEnding) return;
  isEnding = true;
  const nodes = [...children].filter((child) => child !== nats);
  for (const node of nodes) node.kill('SIGTERM');
  await Promise.all(nodes.map((node) => new Promise((resolve) => node.once('exit', resolve))));
  nats?.kill('SIGTERM');
  process.exitCode = code;
}

/** A port that nobody listens on. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

let nats;
process.on('SIGINT', () => end(0));
process.on('SIGTERM', () => end(0));

const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
if (status !== 0) process.exit(1);

let address = values.nats;
if (address === undefined) {
  const port = await freePort();
  const folder = path.resolve(values.data, 'nats');
  mkdirSync(folder, { recursive: true });
  address = `nats://127.0.0.1:${port}`;
  // Only what is wrong is of interest.
  const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder];
  nats = start('nats', values['nats-server'], args, (line) => /\[(ERR|FTL|WRN)\]/.test(line));
}
for (let i = 0; i < count; i++) {
  const name = `node${i + 1}`;
  const args = ['--cluster', address, '--cluster-name', 'try', '--node-name', name];
  const place = ['--port', String(first + i), '--data', path.resolve(values.data, name)];
  start(
    name,
    process.execPath,
    ['build/js/host/cli/main.js', ...args, ...place, '--log', 'warn'],
    () => true,
  );
}
