/** Many who wait for one signal have one listener of it. */
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { onAbort } from '../../host/cluster/onAbort.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';

describe('what waits for a signal', () => {
  it('is called once, in order, unless it has ended', () => {
    const abort = new AbortController();
    const called: number[] = [];
    const ends = Array.from({ length: 100 }, (_, i) => onAbort(abort.signal, () => called.push(i)));
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
    for (const [i, end] of ends.entries()) if (i % 10 !== 3) end();
    abort.abort();
    abort.abort();
    expect(called).toEqual([3, 13, 23, 33, 43, 53, 63, 73, 83, 93]);
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(0);
  });

  it('is no leak to Node, however many requests wait', async () => {
    const warnings: string[] = [];
    const warned = ({ name, message }: Error) => void warnings.push(`${name}: ${message}`);
    process.on('warning', warned);
    const simulated = new SimulatedCluster();
    const nodes = [await simulated.start('a'), await simulated.start('b'), await simulated.start('c')];
    try {
      for (let i = 0; i < 12; i++)
        await nodes[0]!.call('PUT', `/i${i}`, { settings: { number_of_shards: 2 } });
      const writes = nodes.flatMap((node) =>
        Array.from({ length: 20 }, (_, i) => node.call('PUT', `/i${i % 12}/doc/${i}`, { n: i })),
      );
      const reads = nodes.flatMap((node) =>
        Array.from({ length: 20 }, (_, i) => node.call('GET', `/i${i % 12}/doc/${i}`)),
      );
      const searches = nodes.flatMap((node) =>
        Array.from({ length: 6 }, () => node.call('GET', '/_search?size=100')),
      );
      await Promise.all([...writes, ...reads, ...searches]);
    } finally {
      await simulated.close(nodes);
    }
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });
});
