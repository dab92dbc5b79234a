/** An error that is answered keeps nothing of what it happened in: searches of many shards have one for each of them. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it } from 'vitest';
import { ElasticsearchError } from '../../host/errors.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const { hasTraces } = ElasticsearchError;
afterEach(() => {
  ElasticsearchError.hasTraces = hasTraces;
});

class Work {
  readonly seen = new WeakRef(this);

  fail(): ElasticsearchError {
    const nested = new ElasticsearchError('QueryParsingException', 'no');
    return new ElasticsearchError('SearchParseException', 'none', { nested });
  }
}

const failed = () => {
  const work = new Work();
  return { error: work.fail(), seen: work.seen };
};

it.each([false, true])('whether it has a trace: %s', async (traced) => {
  ElasticsearchError.hasTraces = traced;
  const { error, seen } = failed();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(seen.deref() === undefined).toBe(!traced);
  expect(error.render()).toBe('SearchParseException[none]; nested: QueryParsingException[no]; ');
  expect(new Error('another').stack).toContain('traces.test');
});
