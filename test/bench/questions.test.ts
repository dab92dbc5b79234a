import { describe, expect, it } from 'vitest';
import { questions } from '../../bench/aggregations/questions.js';
import { BenchShard } from '../../bench/aggregations/shard.js';
import { filters, queries } from '../../bench/filters/questions.js';
import { FilterShard } from '../../bench/filters/shard.js';
import { loadCore } from '../../host/core/instance.js';
import { coreBytes } from '../support/core.js';

const DOCS = 500;

describe('what the benches ask is answered', () => {
  it('sorts and aggregations, reduced too', async () => {
    const shard = new BenchShard(await loadCore(coreBytes()), DOCS);
    for (const { name, body } of questions) {
      const { total, run, reduce } = shard.prepare(body);
      run();
      expect(total, name).toBeGreaterThan(0);
      if (reduce !== undefined) expect(reduce(), name).toHaveProperty('a');
    }
  });

  it('filters', async () => {
    const shard = new FilterShard(await loadCore(coreBytes()), DOCS);
    for (const { body: filter } of filters)
      for (const { bodies } of queries)
        for (const query of bodies)
          expect(shard.search(shard.plan({ query: { filtered: { query, filter } } }))).toBeLessThanOrEqual(
            DOCS,
          );
  });
});
