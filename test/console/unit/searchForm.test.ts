/** A search out of what is typed and clicked, its address, and what moved between two. */
import { describe, expect, it } from 'vitest';
import { LosslessNumber, writeJson } from '../../../console/src/api/json';
import { ordinal, rankChanges } from '../../../console/src/views/search/rankChanges';
import { searchBody, shownBody } from '../../../console/src/views/search/searchBody';
import { readSearch, type SearchState, searchParams } from '../../../console/src/views/search/searchState';
import { flatValues, titleOf } from '../../../console/src/views/search/sourceValues';

const EMPTY = readSearch(new URLSearchParams());
const bodyOf = (part: Partial<SearchState>) => searchBody({ ...EMPTY, ...part });
const field = (name: string, boost = '') => ({ name, boost });

describe('a query by words', () => {
  it.each<[Partial<SearchState>, object]>([
    [{ words: '' }, { match_all: {} }],
    [{ words: 'old mill' }, { match: { _all: 'old mill' } }],
    [{ words: 'old', fields: [field('title', '2')] }, { match: { title: { query: 'old', boost: 2 } } }],
    [
      { words: 'old mill', fields: [field('title', '3'), field('body')], kind: 'all_words' },
      { multi_match: { query: 'old mill', fields: ['title^3', 'body'], operator: 'and' } },
    ],
    [
      { words: 'old mill', fields: [field('title')], kind: 'phrase' },
      { match_phrase: { title: 'old mill' } },
    ],
    [
      { words: 'old mi', fields: [field('a'), field('b')], kind: 'prefix' },
      { multi_match: { query: 'old mi', fields: ['a', 'b'], type: 'phrase_prefix' } },
    ],
    [
      { words: 'a OR b', fields: [field('a', '2')], kind: 'query_string' },
      { query_string: { query: 'a OR b', fields: ['a^2'] } },
    ],
  ])('%o', (part, query) => {
    expect(bodyOf(part).query).toEqual(query);
  });
});

describe('a body', () => {
  it('has filters around its query', () => {
    const big = new LosslessNumber('9007199254740993');
    const filters = [
      { field: 'id', value: big, isPhrase: false, isExcluded: false },
      { field: 'title', value: 'old mill', isPhrase: true, isExcluded: true },
    ];
    expect(writeJson(bodyOf({ words: 'x', filters }).query)).toBe(
      '{"filtered":{"query":{"match":{"_all":"x"}},"filter":{"bool":{"must":[{"term":{"id":9007199254740993}}],' +
        '"must_not":[{"query":{"match_phrase":{"title":"old mill"}}}]}}}}',
    );
  });

  it('as JSON keeps what it says itself', () => {
    const json =
      '{"query": {"term": {"id": 12345678901234567890}}, "size": 3, "highlight": {"fields": {"a": {}}}}';
    const body = bodyOf({ mode: 'json', json, sort: 'year:desc' });
    expect(writeJson(body)).toContain('12345678901234567890');
    expect(writeJson(body)).toContain('"size":3');
    const shown = shownBody(EMPTY, body);
    expect(shown).toMatchObject({ explain: true, track_scores: true, highlight: { fields: { a: {} } } });
    expect(shown).toMatchObject({ fields: ['_routing'], _source: true });
    expect(shownBody(EMPTY, { fields: ['a'] })).not.toHaveProperty('_source');
    expect(() => bodyOf({ mode: 'json', json: '[]' })).toThrow('The body of a search is an object');
    expect(() => bodyOf({ mode: 'json', json: '{' })).toThrow(SyntaxError);
  });
});

describe('the address', () => {
  it('holds all of a search', () => {
    const state: SearchState = {
      mode: 'json',
      words: 'a & b',
      kind: 'phrase',
      fields: [field('title', '2.5'), field('body')],
      json: '{"query":{}}',
      filters: [{ field: 'year', value: new LosslessNumber('1895'), isPhrase: false, isExcluded: true }],
      sort: 'year:desc',
      from: 20,
      size: 5,
      isDfs: true,
    };
    for (const suffix of ['', '2'] as const)
      expect(readSearch(new URLSearchParams(searchParams(state, suffix)), suffix)).toEqual(state);
  });

  it('of what it does not understand takes the default', () => {
    const params = new URLSearchParams('size=7&from=-3&kind=x&filters=[1&by=y');
    expect(readSearch(params)).toEqual(EMPTY);
  });
});

describe('what moved', () => {
  const hits = (...keys: string[]) => keys.map((key, i) => ({ key, rank: i + 1, score: String(10 - i) }));

  it('says up, down, new and gone', () => {
    const changes = rankChanges(hits('a', 'b', 'c', 'd'), hits('c', 'a', 'x', 'd'));
    expect(changes.map(({ key, kind, by }) => [key, kind, by])).toEqual([
      ['c', 'up', 2],
      ['a', 'down', -1],
      ['b', 'gone', 0],
      ['x', 'new', 0],
      ['d', 'same', 0],
    ]);
    expect(changes[0]!.scoreDifference).toBe(2);
    expect(changes[2]!.scoreDifference).toBeUndefined();
  });

  it('keeps the order of those that are gone', () => {
    expect(rankChanges(hits('a', 'b', 'c'), hits('x')).map(({ key }) => key)).toEqual(['x', 'a', 'b', 'c']);
    expect(rankChanges(hits('a', 'b'), []).map(({ key }) => key)).toEqual(['a', 'b']);
  });

  it('counts in words', () => {
    expect([1, 3, 11, 12, 21, 22, 113].map(ordinal)).toEqual([
      'first',
      'third',
      '11th',
      '12th',
      '21st',
      '22nd',
      '113th',
    ]);
  });
});

describe('the values of a document', () => {
  it('are flat, with what it is called', () => {
    const values = flatValues({
      id: 1,
      author: { name: 'Ann' },
      tags: ['a', 'b'],
      title: 'The Mill',
      parts: [{ n: 1 }, { n: 2 }],
    });
    expect(values.map(({ field, values: each }) => [field, each])).toEqual([
      ['id', [1]],
      ['author.name', ['Ann']],
      ['tags', ['a', 'b']],
      ['title', ['The Mill']],
      ['parts.n', [1, 2]],
    ]);
    expect(titleOf(flatValues({ tags: 'x', title: 'The Mill' }))).toBe('The Mill');
    expect(titleOf(flatValues({ text: 'Only this' }))).toBe('Only this');
    expect(titleOf(flatValues({ n: 1 }))).toBeUndefined();
  });
});
