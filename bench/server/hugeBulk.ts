/**
 * Does one enormous `_bulk` keep others waiting, and what does it take? Measured: the time it takes, the longest that a `GET /`
 * beside it waits, the most memory the process has meanwhile. Not measured: how fast documents of a usual size are indexed.
 *
 *     npm run bench:server -- hugeBulk [--lines 4000000]
 */
import { loadavg } from 'node:os';
import { option } from './options.js';
import { sendAside } from './sender.js';
import { megabytes, ServerProcess, Watch } from './process.js';

export async function hugeBulk(args: readonly string[]): Promise<void> {
  const lines = option(args, 'lines', 4_000_000);
  const body = Buffer.from('{"index":{}}\n{"n":1}\n'.repeat(lines / 2));
  const server = await ServerProcess.start();
  try {
    await server.json('PUT', '/huge', { settings: { number_of_shards: 5, refresh_interval: '30s' } });
    const before = server.resident();
    const watch = new Watch(server);
    const started = performance.now();
    const answer = await sendAside({ port: server.port, method: 'POST', path: '/huge/t/_bulk', body });
    const seconds = (performance.now() - started) / 1000;
    await watch.stop();
    const errors = /"errors":(true|false)/.exec(answer.head)?.[1];
    console.log(
      `${lines} lines, ${megabytes(body.length)} MB in, ${megabytes(answer.bytes)} MB out, errors ${errors}, status ${answer.status}\n` +
        `${seconds.toFixed(1)} s; a GET / beside it waits ${watch.longest.toFixed(0)} ms at most;` +
        ` memory ${megabytes(before)} MB before, ${megabytes(watch.peak)} MB at most; load ${loadavg()[0]?.toFixed(1)}`,
    );
  } finally {
    await server.stop();
  }
}
