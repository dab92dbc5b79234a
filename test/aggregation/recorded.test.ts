import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import recorded from '../fixtures/aggregationAnswers.json' with { type: 'json' };

/** A request; the answers to those that are not set-up are recorded from Elasticsearch 1.7.3. */
interface Step {
  method: string;
  path: string;
  body?: unknown;
  raw?: string;
  status?: number;
  answer?: unknown;
}

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
});
afterEach(() => resilin.close());

async function send({ method, path, body, raw }: Step) {
  const { status, body: answer } = await resilin.request(method, path, raw ?? body);
  const { took: _took, ...rest } = answer as Record<string, unknown>;
  // Nodes have names of their own.
  const text = JSON.stringify(rest).replace(/\[[A-Za-z0-9_-]{22}\]\[/g, '[N][');
  return { status, answer: JSON.parse(text) as unknown };
}

describe.each(recorded as { title: string; setup: Step[]; requests: Step[] }[])(
  '$title',
  ({ setup, requests }) => {
    test('is what 1.7.3 answers', async () => {
      for (const step of setup) await send(step);
      for (const step of requests)
        expect({ ...step, ...(await send(step)) }).toEqual({
          ...step,
          status: step.status,
          answer: step.answer,
        });
    });
  },
);
