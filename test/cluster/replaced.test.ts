/** Two processes with the data of one node, as a copied folder makes them: the older one ends, and says why. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serverFile } from '../support/server.js';
import { ServerProcess } from '../torture/serverProcess.js';
import { NatsServers, natsVersion } from './harness/natsServers.js';

const main = await serverFile();

describe.skipIf(natsVersion() === undefined)('a node whose folder was copied', () => {
  it('ends when the copy joins', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'resilin-replaced-'));
    const nats = await NatsServers.start(1);
    const start = (data: string) =>
      new ServerProcess(main, [
        ...['--data', join(folder, data), '--cluster-name', 'copied', '--threads', '1'],
        ...['--cluster', `nats://127.0.0.1:${nats.servers[0]!.port}`],
      ]);
    const first = start('one');
    await first.ready();
    await first.end('SIGTERM');
    cpSync(join(folder, 'one'), join(folder, 'two'), { recursive: true });
    const [again, copy] = [start('one'), start('two')];
    try {
      await again.ready();
      await copy.ready();
      const [ended, other] = await Promise.race([
        again.ended.then(() => [again, copy] as const),
        copy.ended.then(() => [copy, again] as const),
      ]);
      expect(ended.log).toMatch(/another process has joined the cluster as the node \[.*ended with 1$/s);
      expect((await other.send('GET', '/_cluster/health')).status).toBe(200);
    } finally {
      await Promise.all([again.end('SIGKILL'), copy.end('SIGKILL')]);
      await nats.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
