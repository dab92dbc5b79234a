/** The core counts its work wherever it may take long, and stops where the host tells it to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeResult } from '../../host/core/result.js';
import { CoreError, Status } from '../../host/core/status.js';
import { type Asked, ask, type RecordedShard, startRecordedShard } from './recordedShard.js';
import { fill, SEARCHES, SUGGESTIONS } from './requests.js';

/** Units between two questions. */
const EVERY = 128;

let shard: RecordedShard;

beforeAll(async () => {
  shard = await startRecordedShard();
  await fill(shard.request);
  shard.host.questionEvery(EVERY);
});
afterAll(() => shard.engine.close());

/** The answer of a call, and how often the core asks whether to go on. */
function whole(asked: Asked): { answer: Uint8Array; questions: number } {
  let questions = 0;
  const answer = ask(shard.host, asked, () => {
    questions++;
    return false;
  });
  return { answer, questions };
}

/** The answer of a call that is stopped at a question, undefined where there is none in parts; it asks nothing more. */
function stopped(asked: Asked, at: number): Uint8Array | undefined {
  let questions = 0;
  try {
    return ask(shard.host, asked, () => {
      expect(questions).toBeLessThanOrEqual(at);
      return questions++ === at;
    });
  } catch (e) {
    expect(e instanceof CoreError && e.code).toBe(Status.interrupted);
    return undefined;
  }
}

/** Up to 16 questions of so many, the first and the last among them. */
const someOf = (questions: number): number[] => [
  ...new Set(Array.from({ length: 16 }, (_, i) => Math.floor((i * (questions - 1)) / 15))),
];

describe('a search', () => {
  it.each(SEARCHES)('%s: stops at each of its questions', async (_name, body) => {
    const calls = await shard.record('/a/_search', { timeout: '1h', ...body });
    expect(calls.length).toBeGreaterThan(0);
    for (const asked of calls) {
      const { answer, questions } = whole(asked);
      expect(questions).toBeGreaterThan(1);
      const all = decodeResult(answer);
      const scores = new Map([...all.keys].map((key, i) => [key, all.scores[i]]));
      for (const at of someOf(questions)) {
        const part = decodeResult(stopped(asked, at)!);
        expect(part.total).toBeLessThanOrEqual(all.total);
        // What it has found is right.
        if (!('rescore' in body))
          [...part.keys].forEach((key, i) => {
            if (scores.has(key)) expect(part.scores[i]).toEqual(scores.get(key));
          });
      }
      // Nothing is left of what was stopped.
      expect(whole(asked).answer).toEqual(answer);
    }
  });
});

describe('a read of terms', () => {
  it.each(SUGGESTIONS)('%s: stops without an answer', async (_name, body) => {
    const calls = (await shard.record('/a/_suggest', body)).filter(({ call }) => call === 'terms');
    const asking = calls
      .map((asked) => ({ asked, ...whole(asked) }))
      .filter(({ questions }) => questions > 0);
    expect(asking.length).toBeGreaterThan(0);
    for (const { asked, answer, questions } of asking) {
      for (const at of someOf(questions)) expect(stopped(asked, at)).toBeUndefined();
      expect(whole(asked).answer).toEqual(answer);
    }
  });
});
