import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { serverFile } from '../../support/server.js';
import { natsVersion } from '../harness/natsServers.js';
import { TestCluster, type TestNode } from '../harness/testCluster.js';

const main = await serverFile();

describe.skipIf(natsVersion() === undefined)('a cluster whose NATS servers have forgotten', () => {
  let cluster: TestCluster | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'resilin-audit-'));
  afterEach(async () => {
    await cluster?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const count = async (node: TestNode, index: string) =>
    ((await node.send('GET', `/${index}/_count`)).body as { count: number }).count;

  async function untilRefused(node: TestNode, index: string): Promise<string> {
    for (;;) {
      const { status, body } = await node.send(
        'GET',
        `/_cluster/health/${index}?wait_for_status=yellow&timeout=1s`,
      );
      expect(status).toBeLessThan(500);
      const { status: color } = body as { status: string };
      if (color !== 'red') continue;
      const write = await node.send('PUT', `/${index}/t/late`, { n: 1 });
      if (write.status === 503 && /takes no writes/.test(JSON.stringify(write.body)))
        return JSON.stringify(write.body);
    }
  }

  it('says so for the indices that were written to since, takes no writes there, and goes on elsewhere', async () => {
    const audit = join(folder, 'audit');
    const args = ['--threads', '1,1', '--audit', audit];
    cluster = await TestCluster.start({ main, natsServers: 1, nodes: 2, args });
    const [a, b] = cluster.nodes as [TestNode, TestNode];
    const server = cluster.nats.servers[0]!;
    const settings = { number_of_shards: 1, number_of_replicas: 1 };
    for (const index of ['written', 'quiet']) {
      await a.send('PUT', `/${index}`, { settings });
      expect((await a.send('PUT', `/${index}/t/1?refresh=true`, { n: 1 })).status).toBe(201);
    }
    await server.end('SIGTERM');
    server.saveData();
    await server.start();
    for (let n = 2; n <= 5; n++)
      expect((await b.send('PUT', `/written/t/${n}?refresh=true`, { n })).status).toBe(201);
    await server.end('SIGKILL');
    server.restoreData();
    await server.start();

    for (const node of [a, b]) expect(await untilRefused(node, 'written')).toMatch(/has lost messages/);
    // What was acknowledged is on the disks of the nodes, and found.
    for (const node of [a, b]) {
      expect(await count(node, 'written')).toBe(5);
      expect((await node.send('GET', '/written/t/5')).status).toBe(200);
    }
    expect((await a.send('PUT', '/quiet/t/2?refresh=true', { n: 2 })).status).toBe(201);
    for (const node of [a, b]) expect(await count(node, 'quiet')).toBe(2);

    // Lines of both logs name the node.
    const lost = /"node":"n0".*takes no writes: the log .* has lost messages/;
    expect(a.log).toMatch(lost);
    for (const node of [a, b]) await node.end('SIGTERM');
    const audited = readFileSync(audit, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const askedA = audited.filter(({ path, method }) => path === '/quiet/t/2' && method === 'PUT');
    expect(askedA.map(({ node }) => node)).toEqual(['n0']);
    expect(new Set(audited.map(({ node }) => node))).toEqual(new Set(['n0', 'n1']));
  });
});
