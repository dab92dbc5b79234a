/** A call is carried out while another one of the same core waits: both answer as they do alone, wherever the other one waits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CoreError, CoreTrap, NotNested } from '../../host/core/status.js';
import { ShardLost } from '../../host/shard/shardClient.js';
import { type Asked, ask, type RecordedShard, startRecordedShard } from './recordedShard.js';
import { fill, SEARCHES, SUGGESTIONS } from './requests.js';

/** Units between two questions. */
const EVERY = 256;
/** Questions at which others are carried out. */
const PLACES = 6;

let shard: RecordedShard;
/** What is asked, by name, and what is answered. */
const calls: { name: string; asked: Asked; answer: Uint8Array; questions: number }[] = [];

beforeAll(async () => {
  shard = await startRecordedShard();
  await fill(shard.request);
  shard.host.questionEvery(EVERY);
  const note = (name: string, list: readonly Asked[]) => {
    for (const asked of list) {
      let questions = 0;
      const answer = ask(shard.host, asked, () => {
        questions++;
        return false;
      });
      if (questions > 0) calls.push({ name, asked, answer, questions });
    }
  };
  for (const [name, body] of SEARCHES)
    note(name, await shard.record('/a/_search', { timeout: '1h', ...body }));
  for (const [name, body] of SUGGESTIONS) note(name, await shard.record('/a/_suggest', body));
});
afterAll(() => shard.engine.close());

/** Whether something happens at a question, of so many: at the first and the last, and at others between. */
const isPlace = (question: number, questions: number): boolean =>
  questions <= PLACES ||
  Math.floor((question * PLACES) / questions) !== Math.floor(((question - 1) * PLACES) / questions);

describe('a search that waits', () => {
  it('waits for each of the others, at all of its questions', () => {
    expect(calls.length).toBeGreaterThanOrEqual(SEARCHES.length);
    let next = 0;
    let nested = 0;
    for (const { name, asked, answer, questions } of calls) {
      let question = 0;
      const found = ask(shard.host, asked, () => {
        if (!isPlace(question++, questions)) return false;
        const other = calls[next++ % calls.length]!;
        nested++;
        expect(ask(shard.host, other.asked), `${other.name} within ${name}`).toEqual(other.answer);
        return false;
      });
      expect(found, `${name} around others`).toEqual(answer);
    }
    expect(nested).toBeGreaterThan(calls.length * 3);
  });

  it('goes on where another one was stopped, or failed', () => {
    for (const { name, asked, answer, questions } of calls) {
      let question = 0;
      const found = ask(shard.host, asked, () => {
        if (!isPlace(question++, questions)) return false;
        const other = calls[question % calls.length]!;
        let left = question % 7;
        try {
          ask(shard.host, other.asked, () => left-- === 0);
        } catch (e) {
          expect(e).toBeInstanceOf(CoreError);
        }
        expect(() => ask(shard.host, { ...other.asked, bytes: new Uint8Array(9) })).toThrow(CoreError);
        return false;
      });
      expect(found, name).toEqual(answer);
    }
  });

  it('waits for one at a time, and for none that changes something', () => {
    const heavy = calls.find(({ name }) => name === 'scripts')!;
    let asked = false;
    const found = ask(shard.host, heavy.asked, () => {
      if (asked) return false;
      asked = true;
      const inner = () => {
        expect(() => ask(shard.host, heavy.asked)).toThrow(NotNested);
        return false;
      };
      expect(ask(shard.host, heavy.asked, inner)).toEqual(heavy.answer);
      expect(() => shard.host.clear(heavy.asked.shard, 1)).toThrow(
        'shardClear was called while the core was asked',
      );
      return false;
    });
    expect(asked).toBe(true);
    expect(found).toEqual(heavy.answer);
  });

  it('stops when it is told to after it has waited', () => {
    for (const { asked, answer, questions } of calls) {
      for (const at of [0, questions >> 1]) {
        let question = 0;
        try {
          ask(shard.host, asked, () => {
            if (question++ < at) return false;
            const other = calls[question % calls.length]!;
            expect(ask(shard.host, other.asked)).toEqual(other.answer);
            return true;
          });
        } catch (e) {
          expect(e).toBeInstanceOf(CoreError);
        }
      }
      expect(ask(shard.host, asked)).toEqual(answer);
    }
  });
});

it('a trap in a nested call is that call’s; the one that waits has lost its instance', async () => {
  const other = await startRecordedShard();
  try {
    await fill(other.request);
    other.host.questionEvery(EVERY);
    const [first] = await other.record('/a/_search', { timeout: '1h', ...SEARCHES[0]![1] });
    let thrown: unknown;
    const outer = () =>
      ask(other.host, first!, () => {
        // What is thrown within the core ends it as a trap does.
        try {
          ask(other.host, first!, () => {
            throw new WebAssembly.RuntimeError('unreachable');
          });
        } catch (e) {
          thrown = e;
        }
        return false;
      });
    expect(outer).toThrow(ShardLost);
    expect(thrown).toBeInstanceOf(CoreTrap);
  } finally {
    await other.engine.close();
  }
});
