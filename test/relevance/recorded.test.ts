import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../host/index.js';

// Answers recorded from Elasticsearch 1.7.3: documents are put in, and each request must be answered as it was there.

interface Step {
  method: string;
  path: string;
  body?: unknown;
}
interface Recording {
  setup: Step[];
  requests: (Step & { status: number; answer: unknown })[];
}

const folder = new URL('../fixtures/relevance/recorded/', import.meta.url);

/** An answer without what no two servers share: times, names of nodes, numbers of objects in memory. */
function shared(answer: unknown): unknown {
  const text = JSON.stringify(answer)
    .replace(/\{\[[\w-]{22}\]\[/g, '{[N][')
    .replace(/@[0-9a-f]{5,8}\b/g, '@#');
  const { took: _took, timed_out: _timedOut, _shards, ...rest } = JSON.parse(text);
  return rest;
}

describe('requests are answered as they were by 1.7.3', () => {
  it.each(readdirSync(folder).map((file) => file.replace('.json', '')))('%s', async (name) => {
    const recording = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Recording;
    const resilin = await createEngine();
    try {
      for (const { method, path, body } of recording.setup) {
        const { status } = await resilin.request(method, path, body);
        expect(status).toBeLessThan(300);
      }
      expect(recording.requests.length).toBeGreaterThan(0);
      for (const { method, path, body, status, answer } of recording.requests) {
        const found = await resilin.request(method, path, body);
        const asked = `${method} ${path} ${JSON.stringify(body)}`;
        expect({ asked, status: found.status, answer: shared(found.body) }).toEqual({
          asked,
          status,
          answer: shared(answer),
        });
      }
    } finally {
      await resilin.close();
    }
  });
});
