/** Indices whose settings have long lists of words are made and shown in turns. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startNode, type TestNode } from './node.js';

const WORDS = Array.from({ length: 20_000 }, (_, i) => `W${i}`);
let node: TestNode;

beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.engine.close());

const bodyOf = (words: readonly unknown[], more: object = {}) => ({
  settings: {
    number_of_shards: 1,
    analysis: {
      analyzer: {
        words: { type: 'standard', stopwords: words },
        cased: { type: 'standard', stopwords: words, stopwords_case: true },
        custom: { tokenizer: 'whitespace', filter: ['keep'] },
        ...more,
      },
      filter: { keep: { type: 'keep', keep_words: words } },
    },
  },
});

const tokens = async (analyzer: string, text: string) => {
  const { body } = await node.call(
    'GET',
    `/a/_analyze?analyzer=${analyzer}&text=${encodeURIComponent(text)}`,
  );
  return body.tokens.map(({ token }: { token: string }) => token);
};

it('with the analyzers that they have where they are made at once', async () => {
  const few = await node.call('PUT', '/few', bodyOf(WORDS.slice(0, 10)));
  const made = await node.call('PUT', '/a', bodyOf([...WORDS, '  padded ', '_english_']));
  expect(made.status).toBe(200);
  // Flattening, grouping, each list of words and its stage, and writing them down.
  expect(made.turns - few.turns).toBeGreaterThan(100);
  expect(await tokens('words', 'w7 W7 the padded other')).toEqual(['w7', 'w7', 'other']);
  expect(await tokens('cased', 'w7 W7 w19999 w20000')).toEqual(['w20000']);
  expect(await tokens('custom', 'W7 w7 W19999 other')).toEqual(['W7', 'W19999']);
  const shown = await node.call('GET', '/a/_settings');
  expect(shown.body.a.settings.index.analysis.filter.keep.keep_words.slice(0, WORDS.length)).toEqual(WORDS);
  expect(shown.turns).toBeGreaterThan(30);
  const patient = await node.call('GET', '/a/_settings', undefined, { patient: true });
  expect(shown.text).toBe(patient.text);
  // Nobody but the one who asked waits for it.
  const gone = await node.call('GET', '/a/_settings', undefined, { goneAfter: 5 });
  expect(gone).toMatchObject({ status: 503, turns: 5 });
});

it('and are refused as they are where that is done at once', async () => {
  const broken = bodyOf(WORDS, { none: { tokenizer: 'nothing' } });
  const inTurns = await node.call('PUT', '/a', broken);
  const patient = await node.call('PUT', '/a', broken, { patient: true });
  expect(inTurns).toMatchObject({ status: 400, body: patient.body });
  expect(inTurns.turns).toBeGreaterThan(20);
  expect((await node.call('GET', '/a')).status).toBe(404);
});

it('not for a client that has gone', async () => {
  const gone = await node.call('PUT', '/a', bodyOf(WORDS), { goneAfter: 10 });
  expect(gone).toMatchObject({ status: 503, turns: 10 });
  expect((await node.call('GET', '/a')).status).toBe(404);
  expect((await node.call('PUT', '/a', bodyOf(WORDS))).status).toBe(200);
});
