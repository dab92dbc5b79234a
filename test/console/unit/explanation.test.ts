/** Explanations in words: every shape that there is, formulas that come to their values, contributions that come to the score. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, parseExactJson } from '../../../console/src/api/json';
import {
  byField,
  contributionsOf,
  soughtBy,
} from '../../../console/src/views/search/explanation/contributions';
import {
  type ExplanationNode,
  readExplanation,
} from '../../../console/src/views/search/explanation/explanationNode';
import { scoreDifferences } from '../../../console/src/views/search/explanation/scoreDifference';
import { createEngine, type Resilin } from '../../../host/index.js';

const recorded = parseExactJson(
  readFileSync(new URL('./fixtures/explanations.json', import.meta.url), 'utf8'),
) as Record<string, { explanation: Json }>;

function recording(name: string): ExplanationNode {
  return readExplanation(recorded[name]!.explanation)!;
}

function nodesOf(node: ExplanationNode): ExplanationNode[] {
  return [node, ...node.details.flatMap(nodesOf)];
}

function nodeOf(root: ExplanationNode, title: string): ExplanationNode {
  return nodesOf(root).find((node) => node.title === title)!;
}

/** The value of a formula with its numbers, for those that are made of numbers alone. */
function computed(numbers: string): number {
  const code = numbers
    .replaceAll('−', '-')
    .replaceAll('×', '*')
    .replace(/√([\d.]+)/g, 'Math.sqrt($1)')
    .replaceAll('ln(', 'Math.log(')
    .replace(/\b(max|min)\(/g, 'Math.$1(');
  return Number(new Function(`return ${code}`)());
}

function expectFormulas(root: ExplanationNode): void {
  for (const { numbers, value, title } of nodesOf(root)) {
    if (numbers === undefined) continue;
    const result = computed(numbers);
    expect(Math.abs(result - value), `${title}: ${numbers} = ${value}`).toBeLessThanOrEqual(
      Math.max(1e-5 * Math.abs(value), 1e-6),
    );
  }
}

function expectWhole(root: ExplanationNode): void {
  const sum = contributionsOf(root).reduce((all, { value }) => all + value, 0);
  expect(Math.abs(sum - root.value)).toBeLessThan(1e-5 * Math.max(1, Math.abs(root.value)));
}

describe('recorded explanations', () => {
  const names = Object.keys(recorded).filter((name) => name !== '_made');

  it.each(names)('%s: each node is known, its formula comes to its value', (name) => {
    const root = recording(name);
    expect(nodesOf(root).filter(({ kind }) => kind === 'unknown')).toEqual([]);
    expectFormulas(root);
    if (root.value > 0) expectWhole(root);
  });

  it('keep the digits of the server', () => {
    expect(recording('dis_max with tie breaker').digits).toMatch(/^\d\.\d{6,}$/);
    expect(nodeOf(recording('BM25 with coord'), 'freq').digits).toBe('3.0');
  });

  it('say what idf is, by the similarity', () => {
    expect(nodeOf(recording('BM25 with coord'), 'idf')).toMatchObject({
      numbers: 'ln(1 + (20 − 3 + 0.5) / (3 + 0.5))',
    });
    expect(nodeOf(recording('function_score of several functions'), 'idf')).toMatchObject({
      numbers: '1 + ln(120 / (10 + 1))',
    });
  });

  it('say how many clauses match', () => {
    expect(nodeOf(recording('BM25 with coord'), 'coord').meaning).toContain('1 of 2 clauses match');
  });

  it('of documents that do not match say what keeps them out', () => {
    const root = recording('a prohibited clause that matches');
    expect(root.kind).toBe('noMatch');
    expect(nodeOf(root, 'plain:fox').meaning).toBe('A clause that must not match does.');
    expect(contributionsOf(root)).toEqual([]);
  });
});

describe('contributions', () => {
  it('are those of the clauses, with what they are multiplied by', () => {
    const [only] = contributionsOf(recording('BM25 with coord'));
    expect(only).toMatchObject({ query: 'bm:red', field: 'bm', factors: [{ title: 'coord', value: 0.5 }] });
  });

  it('of functions stand beside those of the query where they are added', () => {
    const found = contributionsOf(recording('function_score of several functions'));
    expect(found.map(({ query }) => query)).toEqual(['name:teapot', 'functions']);
    expect(byField(found).map(({ name }) => name)).toEqual(['functions', 'name']);
  });

  it('count the best of a dis_max, and of others what the tie breaker says', () => {
    const found = contributionsOf(recording('dis_max with tie breaker'));
    expect(found.map(({ query }) => query)).toContain('en:fox');
    expect(new Set(found.flatMap(({ factors }) => factors.map(({ title }) => title)))).toContain(
      'tie_breaker',
    );
  });

  it('name what they look for', () => {
    expect(soughtBy('title:fox^2.0')).toBe('“fox”');
    expect(soughtBy('title:"old mill"~2')).toBe('“old mill”~2');
    expect(soughtBy('spanOr([a:x, a:y])')).toBe('spanOr([a:x, a:y])');
  });
});

describe('explanations of this engine', () => {
  let resilin: Resilin;
  const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);

  async function hits(query: object, more: object = {}, index = 'i'): Promise<ExplanationNode[]> {
    const { status, body } = await call('POST', `/${index}/_search`, { query, explain: true, ...more });
    expect(status).toBe(200);
    const { hits: found } = (body as { hits: { hits: { _explanation: Json }[] } }).hits;
    // As it comes over HTTP.
    return found.map((hit) => readExplanation(parseExactJson(JSON.stringify(hit._explanation)))!);
  }

  beforeAll(async () => {
    resilin = await createEngine();
    const similar = (type: string, more: object = {}) => ({ type, ...more });
    await call('PUT', '/i', {
      settings: {
        number_of_shards: 1,
        similarity: {
          dfr: similar('DFR', { basic_model: 'g', after_effect: 'l', normalization: 'h2' }),
          ib: similar('IB', { distribution: 'll', lambda: 'df', normalization: 'z' }),
          dirichlet: similar('LMDirichlet'),
          mercer: similar('LMJelinekMercer'),
        },
      },
      mappings: {
        parent: {},
        child: { _parent: { type: 'parent' } },
        t: {
          properties: {
            ...Object.fromEntries(
              ['dfr', 'ib', 'dirichlet', 'mercer'].map((name) => [
                name,
                { type: 'string', similarity: name },
              ]),
            ),
            place: { type: 'geo_point' },
            parts: { type: 'nested', properties: { name: { type: 'string' } } },
          },
        },
      },
    });
    const texts = [
      'the quick fox',
      'fox fox fox',
      'a quick brown fox and a slow fox in a long long text',
      'quick',
    ];
    for (const [i, text] of texts.entries())
      await call('PUT', `/i/t/${i}`, {
        ...Object.fromEntries(['a', 'b', 'dfr', 'ib', 'dirichlet', 'mercer'].map((name) => [name, text])),
        n: i + 1,
        place: { lat: i, lon: 2 },
        parts: [{ name: text }],
      });
    await call('PUT', '/i/parent/1', { a: 'x' });
    await call('PUT', '/i/child/2?parent=1', { a: 'fox' });
    await call('POST', '/_refresh');
  });
  afterAll(() => resilin.close());

  const fox = { match: { a: 'quick fox' } };
  const scored = (more: object) => ({ function_score: { query: fox, ...more } });
  it.each<[string, object, object?]>([
    ['match', fox],
    ['match_all', { match_all: { boost: 2 } }],
    [
      'one function',
      scored({ field_value_factor: { field: 'n', modifier: 'log1p', factor: 2, missing: 1 } }),
    ],
    ['a boost factor', scored({ boost_factor: 2 })],
    ['a random score', scored({ random_score: { seed: 7 } })],
    ['a script', scored({ script_score: { script: '_score * 2', lang: 'expression' } })],
    ['gauss', scored({ gauss: { n: { origin: 2, scale: 2 } } })],
    ['exp by distance', scored({ exp: { place: { origin: '1,2', scale: '100km' } } })],
    ['linear', scored({ linear: { n: { origin: 2, scale: 5 } }, max_boost: 0.8 })],
    ['functions that replace', scored({ boost_factor: 3, boost_mode: 'replace' })],
    ['the mean of both', scored({ boost_factor: 3, boost_mode: 'avg' })],
    ['the least of both', scored({ boost_factor: 0.1, boost_mode: 'min' })],
    ['dis_max', { dis_max: { queries: [{ match: { a: 'fox' } }, { match: { b: 'quick' } }] } }],
    ['boosting', { boosting: { positive: fox, negative: { match: { b: 'brown' } }, negative_boost: 0.2 } }],
    ['a constant', { constant_score: { filter: { term: { a: 'fox' } }, boost: 3 } }],
    ['a prefix', { prefix: { a: 'fo' } }],
    ['nested', { nested: { path: 'parts', query: { match: { 'parts.name': 'fox' } } } }],
    ['has_child', { has_child: { type: 'child', query: { match: { a: 'fox' } }, score_mode: 'max' } }],
    ['DFR', { match: { dfr: 'quick fox' } }],
    ['IB', { match: { ib: 'quick fox' } }],
    ['LMDirichlet', { match: { dirichlet: 'fox' } }],
    ['LMJelinekMercer', { match: { mercer: 'fox' } }],
    [
      'a rescorer',
      fox,
      { rescore: { window_size: 10, query: { rescore_query: { match_phrase: { a: 'quick fox' } } } } },
    ],
  ])('%s', async (_, query, more) => {
    const found = await hits(query, more);
    expect(found.length).toBeGreaterThan(0);
    for (const root of found) {
      expect(nodesOf(root).filter(({ kind }) => kind === 'unknown')).toEqual([]);
      expectFormulas(root);
      expectWhole(root);
    }
  });

  describe('differences', () => {
    it('add up to the difference of the scores', async () => {
      const found = await hits({ bool: { should: [fox, { match: { b: 'brown' } }] } });
      for (let i = 1; i < found.length; i++) {
        const [above, below] = [found[i - 1]!, found[i]!];
        const sum = scoreDifferences(above, below).reduce((all, { amount }) => all + amount, 0);
        expect(Math.abs(sum - (below.value - above.value))).toBeLessThan(1e-5);
      }
    });

    it('say what the hit above has', async () => {
      const [above, below] = await hits({ match: { a: 'quick fox' } });
      const reasons = scoreDifferences(above!, below!).map(({ subject, reason }) => `${subject}: ${reason}`);
      expect(reasons.join('\n')).toMatch(/longer|instead of/);
      const [first, , , last] = await hits({ match: { a: 'quick fox' } });
      const missing = scoreDifferences(first!, last!);
      expect(missing.map(({ reason }) => reason)).toContain('only the hit above has it');
      expect(missing.find(({ subject }) => subject === 'coord')?.reason).toBe(
        '1 of 2 clauses match, above all',
      );
    });
  });
});
