/** Linear memory never gets smaller; what deleted indices have taken of it comes back with their instance of the core. */
import { expect, it } from 'vitest';
import { startRecordedShard } from '../work/recordedShard.js';

it('begins with little again when the last index is deleted, and serves those that come', async () => {
  const { engine, request } = await startRecordedShard();
  const make = (name: string) => request('PUT', `/${name}`, { settings: { number_of_shards: 1 } });
  /** Of the instance that an index's shard is in. */
  const memory = async (name: string) => {
    const [shard] = engine.cluster.all().find((index) => index.name === name)!.shards;
    return (await shard!.stats([])).memoryBytes;
  };
  await make('large');
  const little = await memory('large');
  const text = Array.from({ length: 2000 }, (_, i) => `word${i}`).join(' ');
  for (let round = 0; round < 40; round++)
    await request(
      'POST',
      '/large/t/_bulk?refresh=true',
      `{"index":{}}\n{"text":"${text} ${round}"}\n`.repeat(10),
    );
  const much = await memory('large');
  expect(much).toBeGreaterThan(2 * little);

  // Shards of others keep the instance.
  await make('other');
  await request('DELETE', '/large');
  expect(await memory('other')).toBeGreaterThanOrEqual(much);

  await request('DELETE', '/other');
  await make('next');
  expect(await memory('next')).toBe(little);
  await request('PUT', '/next/t/1?refresh=true', { text: 'red fox' });
  expect(await request('POST', '/next/_search', { query: { match: { text: 'fox' } } })).toMatchObject({
    hits: { total: 1 },
  });
  await engine.close();
});
