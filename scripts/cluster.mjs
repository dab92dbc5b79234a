/**
 * `npm run cluster`: a small cluster on this machine, to try it: a NATS server with JetStream, and three nodes. Ctrl-C stops all of it; what
 * it holds stays in the folder.
 *
 *     npm run cluster -- [--nodes 3] [--port 9201] [--data ./cluster] [--nats-servers 1] [--nats-server nats-server] [--nats nats://HOST:PORT]
 *
 * With `--nats` no server is started. With three NATS servers one of them may be killed; a folder goes on with as many as it began with.
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
    'nats-servers': { type: 'string', default: '1' },
    'nats-server': { type: 'string', default: 'nats-server' },
    nats: { type: 'string' },
  },
});
const count = Number(values.nodes);
const first = Number(values.port);
const servers = Number(values['nats-servers']);
if (servers !== 1 && servers !== 3) {
  process.stderr.write('--nats-servers takes 1 or 3\n');
  process.exit(2);
}
if (!(count >= 1 && count <= 9) || !(first >= 1 && first <= 65_000)) {
  process.stderr.write('--nodes takes a number from 1 to 9, --port one from 1 to 65000\n');
  process.exit(2);
}

const children = new Set();
let isEnding = false;

/** Starts a process whose lines are shown with a name in front. The others go on when it ends by itself, if they can. */
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
    if (isEnding || restarted.has(child)) return;
    const bears = nats.includes(child) ? servers > 1 : [...children].some((each) => !nats.includes(each));
    process.stderr.write(`${name} has ended (${code}): the others ${bears ? 'go on' : 'are stopped'}\n`);
    if (!bears) end(1);
    else if (!nats.includes(child))
      process.stderr.write(`it is started again by: ${[command, ...args].join(' ')}\n`);
  });
  return child;
}

/** Stops the nodes, then NATS: they take leave by way of it. */
async function end(code) {
  if (isEnding) return;
  isEnding = true;
  const nodes = [...children].filter((child) => !nats.includes(child));
  for (const node of nodes) node.kill('SIGTERM');
  await Promise.all(nodes.map((node) => new Promise((resolve) => node.once('exit', resolve))));
  for (const server of nats) server.kill('SIGTERM');
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

/** How often servers of NATS are asked whether they know each other, and how long one may be missed before it is started again. */
const LOOK_MS = 200;
const MISSED_MS = 3000;

/**
 * Starts a server again that the one which leads JetStream misses: of three that start at once, from 2.10 on, it may miss one for ever, though
 * all have routes to each other.
 * @param monitors ports where the servers tell of themselves @param again starts one anew, by its number
 */
async function untilMet(monitors, again) {
  let since;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
    if (isEnding) return;
    const states = await Promise.all(monitors.map(stateOf));
    const { leader, replicas } = states.find((state) => state?.meta_cluster?.replicas)?.meta_cluster ?? {};
    if (leader === undefined) continue;
    const known = [leader, ...replicas.map(({ name }) => name)];
    const missed = monitors.findIndex((_, i) => !known.includes(natsName(i)));
    if (missed < 0) return;
    since ??= performance.now();
    if (performance.now() - since < MISSED_MS) continue;
    since = undefined;
    process.stderr.write(`${natsName(missed)} is started again: the other servers of NATS miss it\n`);
    await again(missed);
  }
}

async function stateOf(monitor) {
  try {
    return await (await fetch(`http://127.0.0.1:${monitor}/jsz`)).json();
  } catch {
    // It may be starting.
  }
}

const natsName = (i) => (servers === 1 ? 'nats' : `nats${i + 1}`);
const nats = [];
/** Servers that are ended to be started anew. */
const restarted = new Set();
process.on('SIGINT', () => end(0));
process.on('SIGTERM', () => end(0));

const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
if (status !== 0) process.exit(1);

let address = values.nats;
if (address === undefined) {
  const ports = await Promise.all(Array.from({ length: 3 * servers }, freePort));
  const monitors = ports.slice(2 * servers);
  const routes = ports.slice(servers, 2 * servers).map((port) => `nats-route://127.0.0.1:${port}`);
  const begin = (i) => {
    const name = natsName(i);
    const folder = path.resolve(values.data, name);
    mkdirSync(folder, { recursive: true });
    const args = ['-a', '127.0.0.1', '-p', String(ports[i]), '-n', name, '-js', '-sd', folder];
    if (servers > 1)
      args.push(
        ...['--cluster_name', 'try', '--cluster', routes[i], '--routes', routes.join(',')],
        ...['-m', String(monitors[i])],
      );
    // Only what is wrong is of interest.
    nats[i] = start(name, values['nats-server'], args, (line) => /\[(ERR|FTL|WRN)\]/.test(line));
  };
  for (let i = 0; i < servers; i++) begin(i);
  if (servers > 1)
    void untilMet(monitors, async (i) => {
      const server = nats[i];
      restarted.add(server);
      await new Promise((resolve) => {
        server.once('exit', resolve);
        server.kill('SIGTERM');
      });
      if (!isEnding) begin(i);
    });
  address = ports
    .slice(0, servers)
    .map((port) => `nats://127.0.0.1:${port}`)
    .join(',');
}
for (let i = 0; i < count; i++) {
  const name = `node${i + 1}`;
  const args = ['--cluster', address, '--cluster-name', 'try', '--node-name', name];
  // Repositories of snapshots are the same folder for all nodes.
  const folders = [
    '--data',
    path.resolve(values.data, name),
    '--repo',
    path.resolve(values.data, 'repositories'),
  ];
  const place = ['--port', String(first + i), ...folders];
  start(
    name,
    process.execPath,
    ['build/js/host/cli/main.js', ...args, ...place, '--log', 'warn'],
    () => true,
  );
}
process.stdout.write(`
Nodes answer on http://127.0.0.1:${first} and the ${count - 1} ports behind it; a browser finds the console there. To try next:

  curl 'localhost:${first}/_cat/nodes?v'
  curl -X PUT 'localhost:${first}/books/book/1?refresh=true' -d '{"title": "The Time Machine"}'
  curl 'localhost:${first + count - 1}/books/_search?q=time&pretty'         # any node answers
  curl 'localhost:${first}/_cat/shards?v'                                   # where the copies are
  curl 'localhost:${first}/_nodes/process?pretty'                           # kill -9 one of them, and look at _cat/shards again

`);
