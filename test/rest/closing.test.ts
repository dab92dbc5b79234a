/** What requests say whose index is closed or deleted while they are under way. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startNode, type TestNode } from '../work/node.js';

let node: TestNode;
beforeEach(async () => {
  node = await startNode();
  for (const name of ['a', 'b']) {
    await node.call('PUT', `/${name}`, { settings: { number_of_shards: 2, number_of_replicas: 0 } });
    await node.call('PUT', `/${name}/t/1?refresh=true`, { s: 'red fox' });
    await node.call('PUT', `/${name}/t/2`, { s: 'red fox' });
  }
});
afterEach(() => node.engine.close());

const ENDS = [
  ['closed', 'POST', '/a/_close', 403, 'IndexClosedException[[a] closed]'],
  ['deleted', 'DELETE', '/a', 404, 'IndexMissingException[[a] missing]'],
] as const;

describe.each(ENDS)('an index that is %s', (_name, method, path, status, error) => {
  it.each(['_refresh', '_flush', '_optimize'])('leaves its shards out of %s', async (what) => {
    const [done, ended] = await Promise.all([node.call('POST', `/a,b/${what}`), node.call(method, path)]);
    expect(ended.status).toBe(200);
    expect(done.status).toBe(200);
    expect(done.body._shards).toEqual({ total: 4, successful: 2, failed: 0 });
  });

  it('is told in the words of one that came later', async () => {
    const shard = node.engine.index('a').shards[0]!;
    await node.call(method, path);
    await expect(shard.forceMerge(1)).rejects.toMatchObject({ status });
    await expect(shard.forceMerge(1)).rejects.toThrow(error);
  });
});
