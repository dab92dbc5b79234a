import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { bestCorrections } from '../../host/suggest/corrections.js';
import { WordScorer } from '../../host/suggest/wordScorers.js';

interface Recorded {
  lines: string[];
  phrase: { ask: unknown; answer: { options: { text: string; score: number; highlighted?: string }[] }[] }[];
}
const recorded = JSON.parse(
  readFileSync(new URL('../fixtures/suggest/phrases.json', import.meta.url), 'utf8'),
) as Recorded;

interface Option {
  text: string;
  score: number;
  freq?: number;
  collate_match?: boolean;
}
type Suggested = Record<string, { text: string; offset: number; length: number; options: Option[] }[]>;

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const suggested = async (index: string, body: unknown) => {
  const { status, body: answer } = await call('POST', `/${index}/_suggest`, body);
  expect(status).toBe(200);
  return answer as Suggested;
};

const analysis = {
  filter: { pairs: { type: 'shingle', max_shingle_size: 2 } },
  analyzer: { pairs: { tokenizer: 'standard', filter: ['lowercase', 'pairs'] } },
};
const mappings = {
  line: { properties: { plain: { type: 'string' }, pairs: { type: 'string', analyzer: 'pairs' } } },
};

beforeAll(async () => {
  resilin = await createEngine();
  for (const [index, shards] of [
    ['one', 1],
    ['three', 3],
  ] as const) {
    const settings = { number_of_shards: shards, number_of_replicas: 0, refresh_interval: '-1', analysis };
    await call('PUT', `/${index}`, { settings, mappings });
    const rows = recorded.lines.map(
      (plain, i) => `{"index":{"_id":${i}}}\n${JSON.stringify({ plain, pairs: plain })}\n`,
    );
    await call('POST', `/${index}/line/_bulk?refresh=true`, rows.join(''));
  }
  // The same lines in many segments.
  await call('PUT', '/parts', {
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1', analysis },
    mappings,
  });
  for (const plain of recorded.lines) await call('POST', '/parts/line?refresh=true', { plain, pairs: plain });
});
afterAll(() => resilin.close());

describe('the phrase suggester', () => {
  it('answers as Elasticsearch 1.7.3', async () => {
    for (const { ask, answer } of recorded.phrase) {
      const { a } = await suggested('one', { a: ask });
      expect(a).toHaveLength(1);
      expect(a![0]!.options.map(({ text }) => text)).toEqual(answer[0]!.options.map(({ text }) => text));
      a![0]!.options.forEach(({ score }, i) => {
        expect(score).toBeCloseTo(answer[0]!.options[i]!.score, 7);
      });
    }
  });

  it('scores as in several segments where one alone has the field', async () => {
    const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1', analysis };
    await call('PUT', '/sparse', { settings, mappings });
    const rows = recorded.lines.map((plain) => `{"index":{}}\n${JSON.stringify({ plain })}\n`);
    await call('POST', '/sparse/line/_bulk?refresh=true', rows.join(''));
    const generator = [{ field: 'plain', suggest_mode: 'always', min_word_length: 1 }];
    const smoothing = { laplace: { alpha: 0.5 } };
    const phrase = { field: 'plain', confidence: 0, size: 1, direct_generator: generator, smoothing };
    const score = async (index: string) => {
      const { a } = await suggested(index, { a: { text: 'old mil', phrase } });
      return a![0]!.options[0]!.score;
    };
    const alone = await score('sparse');
    expect(alone).toBe(await score('one'));
    await call('POST', '/sparse/line?refresh=true', { pairs: 'other' });
    expect(await score('sparse')).not.toBe(alone);
    expect(await score('sparse')).toBe(await score('parts'));
    await call('DELETE', '/sparse');
  });

  it('keeps or marks what a query finds', async () => {
    const phrase = { field: 'plain', confidence: 0, max_errors: 2, size: 5 };
    const query = { match_phrase: { plain: '{{suggestion}}' } };
    const direct = [{ field: 'plain', suggest_mode: 'always', min_word_length: 1 }];
    const asked = (collate: unknown) => ({
      a: { text: 'old mil', phrase: { ...phrase, direct_generator: direct, collate } },
    });
    const kept = await suggested('one', asked({ query }));
    expect(kept.a![0]!.options.map(({ text }) => text)).toEqual(['old mill']);
    const marked = await suggested('one', asked({ query, prune: true }));
    expect(marked.a![0]!.options.length).toBeGreaterThan(1);
    for (const { text, collate_match } of marked.a![0]!.options)
      expect(collate_match).toBe(text === 'old mill');
  });

  it('refuses more corrections than can be looked at', () => {
    const word = (term: string) => ({ term, frequency: 1, distance: 1, score: 1, userInput: true });
    const set = { original: word('a'), candidates: Array.from({ length: 20 }, (_, i) => word(`b${i}`)) };
    const words = { size: 10, terms: 10, frequency: () => 1 };
    const scorer = new WordScorer(words, { kind: 'laplace', alpha: 0.5 }, 0.95, ' ');
    const bounds = { wanted: 5, maxErrors: 9, cutoff: 0, gramSize: 2 };
    expect(() => bestCorrections(new Array(9).fill(set), scorer, bounds)).toThrow(/more corrections than/);
    expect(bestCorrections([set, set], scorer, bounds)).toHaveLength(5);
  });
});

describe('the term suggester', () => {
  const term = { field: 'plain', suggest_mode: 'always' };
  const text = 'the rivr mil whel of foxs';

  it('adds up what segments and shards know', async () => {
    const inOne = await suggested('one', { a: { text, term } });
    expect(inOne.a!.map(({ text: word, offset, length }) => [word, offset, length])).toEqual([
      ['the', 0, 3],
      ['rivr', 4, 4],
      ['mil', 9, 3],
      ['whel', 13, 4],
      ['of', 18, 2],
      ['foxs', 21, 4],
    ]);
    expect(inOne.a![1]!.options[0]).toEqual({ text: 'river', score: 0.75, freq: 3 });
    const inParts = await suggested('parts', { a: { text, term } });
    expect(inParts.a).toEqual(inOne.a);
    const inThree = await suggested('three', { a: { text, term } });
    expect(inThree.a!.map(({ options }) => options[0])).toEqual(inOne.a!.map(({ options }) => options[0]));
  });

  it('finds the same words as measuring every one', async () => {
    const words = [...new Set(recorded.lines.flatMap((line) => line.split(' ')))];
    const edits = (a: string, b: string) => {
      const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
      for (let i = 1; i <= a.length; i++) {
        rows.push([i]);
        for (let j = 1; j <= b.length; j++) {
          const cost = a[i - 1] === b[j - 1] ? 0 : 1;
          let least = Math.min(rows[i]![j - 1]! + 1, rows[i - 1]![j]! + 1, rows[i - 1]![j - 1]! + cost);
          if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
            least = Math.min(least, rows[i - 2]![j - 2]! + cost);
          rows[i]!.push(least);
        }
      }
      return rows[a.length]![b.length]!;
    };
    for (const word of ['runing', 'friend', 'quikc', 'whele', 'turned']) {
      const expected = words
        .filter((each) => each !== word && each[0] === word[0] && edits(word, each) <= 2)
        .map((each) => ({
          each,
          score: Math.fround(1 - edits(word, each) / Math.min(word.length, each.length)),
        }))
        .filter(({ score }) => score >= 0.5)
        .map(({ each }) => each)
        .sort();
      for (const string_distance of ['internal', 'damerau_levenshtein']) {
        const { a } = await suggested('parts', {
          a: { text: word, term: { ...term, size: 50, string_distance } },
        });
        expect(a![0]!.options.map((option) => option.text).sort()).toEqual(expected);
      }
    }
  });

  it('knows fields by their whole names alone, and cuts texts for those that are not indexed too', async () => {
    await call('PUT', '/names', {
      settings: { number_of_shards: 1 },
      mappings: { t: { properties: { no: { type: 'string', index: 'no' } } } },
    });
    await call('PUT', '/names/t/1?refresh=true', { no: 'quick', title: 'jumped', in: { name: 'jumped' } });
    const options = async (field: string) =>
      (await suggested('names', { s: { text: 'jumpedd anz', term: { field } } })).s!.map((entry) =>
        entry.options.map(({ text }) => text),
      );
    expect(await options('title')).toEqual([['jumped'], []]);
    expect(await options('in.name')).toEqual([['jumped'], []]);
    for (const field of ['t.title', 'name', 'no', 'nosuch']) expect(await options(field)).toEqual([[], []]);
  });

  it('says nothing where there are no documents', async () => {
    await call('PUT', '/blank', {
      settings: { number_of_shards: 1, number_of_replicas: 0, analysis },
      mappings,
    });
    expect(await suggested('blank', { a: { text, term } })).toEqual({
      _shards: { total: 1, successful: 1, failed: 0 },
    });
  });

  it('takes the last of several texts, and tags only where there is one to begin with', async () => {
    const { a } = await suggested('one', { text: ['x', 'rivr'], a: { term } });
    expect(a![0]!.text).toBe('rivr');
    const tagged = async (highlight: unknown) =>
      suggested('one', { a: { text: 'the rivr', phrase: { field: 'plain', highlight } } });
    expect((await tagged({ post_tag: '>' })).a![0]!.options[0]).not.toHaveProperty('highlighted');
  });

  it("refuses what a phrase can't be made from", async () => {
    const refused = async (phrase: object) => {
      const asked = { a: { text: 'the rivr', phrase: { field: 'plain', ...phrase } } };
      return JSON.stringify((await call('POST', '/one/_suggest', asked)).body);
    };
    expect(await refused({ direct_generator: [{ field: 'unheard' }] })).toContain(
      'No mapping found for field [unheard]',
    );
    expect(await refused({ unheard: {} })).toContain(
      "suggester[phrase]  doesn't support array field [unheard]",
    );
    expect(await refused({ highlight: { pre_tag: '<' } })).toContain('NullPointerException; ');
    expect(await refused({ collate: { query: { match_all: {} }, prune: 'perhaps' } })).toContain(
      "prune must be either 'true' or 'false'",
    );
  });

  it("says where indices cut a text so differently that their answers can't be one", async () => {
    await call('PUT', '/whole', {
      settings: { number_of_shards: 1, number_of_replicas: 0 },
      mappings: { line: { properties: { plain: { type: 'string', index: 'not_analyzed' } } } },
    });
    await call('PUT', '/whole/line/1?refresh=true', { plain: 'the river' });
    const asked = { a: { text: 'the river', term: { field: 'plain' } } };
    const why =
      "ElasticsearchIllegalStateException[Can't merge suggest result, this might be caused by suggest calls across multiple indices with different analysis chains. Suggest entries have different sizes actual [1] expected [2]]";
    const alone = await call('POST', '/one,whole/_suggest', asked);
    expect([alone.status, (alone.body as { error: string }).error]).toEqual([500, why]);
    const within = await call('POST', '/one,whole/_search', { suggest: asked });
    expect([within.status, (within.body as { error: string }).error]).toEqual([
      503,
      `ReduceSearchPhaseException[Failed to execute phase [merge], [reduce] ]; nested: ${why}; `,
    ]);
    await call('DELETE', '/whole');
  });

  it('tells suggestions in the order of the hashes of their names', async () => {
    const asked = { text: 'rivr', authors: { term }, titles: { term }, spelling: { term } };
    const names = ['spelling', 'titles', 'authors'];
    expect(Object.keys(await suggested('one', asked)).slice(1)).toEqual(names);
    const { body } = await call('POST', '/one/_search', { size: 0, suggest: asked });
    expect(Object.keys((body as { suggest: Suggested }).suggest)).toEqual(names);
  });

  it('is a part of searches', async () => {
    const { body } = await call('POST', '/one/_search', { size: 0, suggest: { text: 'rivr', a: { term } } });
    const { suggest } = body as { suggest: Suggested };
    expect(suggest.a![0]!.options[0]!.text).toBe('river');
    const uri = '/one/_search?size=0&suggest_field=plain&suggest_text=rivr';
    expect(
      ((await call('GET', uri)).body as { suggest: Suggested }).suggest.plain![0]!.options[0]!.text,
    ).toBe('river');
  });
});
