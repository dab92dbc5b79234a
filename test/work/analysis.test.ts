/** Texts whose analysis takes long are analyzed in turns, wherever that is done, and to the same tokens. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CompiledAnalyzer } from '../../host/analysis/compile.js';
import { Passes } from '../../host/passes.js';
import { WorkLimit } from '../../host/workLimit.js';
import { startNode, type TestNode } from './node.js';

const LETTERS = 'abcx0'.repeat(1000);
const WORDS = Array.from({ length: 1500 }, (_, i) => `word${i}abc`).join(' ');

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  const analysis = {
    filter: {
      capture: { type: 'pattern_capture', patterns: ['(([a-z]+)(\\d*))', '(.)(?=(.))'] },
      replace: { type: 'pattern_replace', pattern: '(a|b|c)+x?', replacement: '<$1>' },
      parts: { type: 'dictionary_decompounder', word_list: ['abc', 'word', 'bcx'] },
    },
    char_filter: { replace: { type: 'pattern_replace', pattern: '(a|b|c)+x?', replacement: '<$1>' } },
    analyzer: {
      capture: { tokenizer: 'whitespace', filter: ['capture'] },
      replace: { tokenizer: 'whitespace', filter: ['replace', 'lowercase'] },
      parts: { tokenizer: 'whitespace', filter: ['parts'] },
      filtered: { tokenizer: 'whitespace', char_filter: ['replace'] },
      cut: { type: 'pattern', pattern: '(0|w)+' },
    },
  };
  const names = Object.keys(analysis.analyzer);
  const properties = Object.fromEntries(
    names.map((name) => [name, { type: 'string', analyzer: name, term_vector: 'with_positions_offsets' }]),
  );
  await node.call('PUT', '/a', {
    settings: { number_of_shards: 1, analysis },
    mappings: { t: { properties } },
  });
});
afterAll(() => node.engine.close());

const ANALYZERS = ['capture', 'replace', 'parts', 'filtered', 'cut'];

it.each(ANALYZERS)('_analyze with %s', async (name) => {
  for (const text of [LETTERS, WORDS]) {
    const path = `/a/_analyze?analyzer=${name}`;
    const atOnce = await node.call('POST', path, text, { patient: true });
    const inTurns = await node.call('POST', path, text);
    expect(inTurns.status).toBe(200);
    expect(inTurns.text).toBe(atOnce.text);
    expect(inTurns.turns).toBeGreaterThan(3);
    const gone = await node.call('POST', path, text, { goneAfter: 3 });
    expect(gone).toMatchObject({ status: 503, turns: 3 });
  }
});

it('tokens that the host has made are not made by the core again, and are counted', () => {
  const part = {
    *tokenize(text: string) {
      const tokens = text.split(' ').map((term, i) => ({
        term,
        startOffset: i,
        endOffset: i + term.length,
        position: i + 1,
        type: 'word',
      }));
      return { tokens, rest: 3 };
    },
  };
  const compiled = new CompiledAnalyzer({ charFilters: [], tokenizer: part, filters: [] });
  const run = () => {
    throw new Error('the core is asked');
  };
  const short = compiled.list('red ünd', run);
  expect(short.rest).toBe(3);
  expect(short.tokens.map(({ term, position }) => [term, position])).toEqual([
    ['red', 1],
    ['ünd', 2],
  ]);
  let weighed = 0;
  const passes = new Passes(WorkLimit.of(Number.POSITIVE_INFINITY), (bytes) => {
    weighed += bytes;
  });
  const many = passes.atOnce(() => compiled.list(WORDS.repeat(3), run));
  expect(many.tokens.length).toBeGreaterThan(4000);
  expect(weighed).toBeGreaterThan(many.tokens.length * 50);
});

it('many tokens of the core are read in turns', async () => {
  const { turns } = await node.call('POST', '/_analyze?analyzer=whitespace', WORDS.repeat(20));
  expect(turns).toBeGreaterThan(10);
  const few = await node.call('POST', '/_analyze?analyzer=whitespace', 'red fox');
  expect(few.turns).toBe(0);
});

it.each(ANALYZERS)('queries, vectors and highlighting with %s', async (name) => {
  const indexed = await node.call('PUT', '/a/t/1?refresh', { [name]: WORDS });
  expect(indexed.status).toBeLessThan(300);
  const query = { match: { [name]: { query: `${WORDS.split(' ', 300).join(' ')} `, operator: 'and' } } };
  const found = await node.call('POST', '/a/_search', { query, _source: false });
  expect(found.body.hits.total).toBe(1);
  const highlight = (type: string) => ({
    query: { match: { [name]: WORDS.split(' ', 3).join(' ') } },
    highlight: { fields: { [name]: { type } } },
    _source: false,
  });
  for (const type of ['plain', 'fvh']) {
    const atOnce = await node.call('POST', '/a/_search', highlight(type), { patient: true });
    const inTurns = await node.call('POST', '/a/_search', highlight(type));
    expect(inTurns.body.hits).toEqual(atOnce.body.hits);
    expect(inTurns.turns).toBeGreaterThan(5);
  }
});
