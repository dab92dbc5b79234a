import { describe, expect, test } from 'vitest';
import { AnalyzerRegistry } from '../../host/analysis/registry.js';
import { contextOf, modelOf, planText } from '../model/support.js';

const model = modelOf({
  t: {
    properties: {
      body: { type: 'string' },
      title: { type: 'string', fields: { raw: { type: 'string', index: 'not_analyzed' } } },
      key: { type: 'string', index: 'not_analyzed' },
      n: { type: 'long' },
      x: { type: 'double' },
      at: { type: 'date' },
      ok: { type: 'boolean' },
      o: { properties: { in: { type: 'string', index: 'not_analyzed' } } },
    },
  },
});
const context = contextOf(model);
const plan = (query: unknown) => planText(query, context);
const three = '0x8000000000000003';

describe('match', () => {
  test.each([
    [{ match: { body: 'Fox' } }, 'body:fox'],
    [
      { match: { body: { query: 'Fox', boost: 0.3, minimum_should_match: 3 } } },
      'body:fox^0.30000001192092896',
    ],
    [{ match: { body: 'the the fox' } }, 'bool(body:the body:the body:fox)'],
    [{ match: { body: { query: 'quick fox', operator: 'AND', boost: 2 } } }, 'bool(+body:quick +body:fox)^2'],
    [
      { match: { body: { query: 'a b c d', minimum_should_match: '75%' } } },
      'bool(body:a body:b body:c body:d)~3',
    ],
    [
      { match: { body: { query: 'a b', operator: 'and', minimum_should_match: 2 } } },
      'bool(+body:a +body:b)',
    ],
    [{ match: { body: '' } }, 'none'],
    [{ match: { body: { query: '?!', zero_terms_query: 'all' } } }, 'all'],
    [{ match: { key: 'As It Is' } }, 'key:As It Is'],
    [{ match: { n: '3' } }, `const(n:${three})`],
    [{ match: { n: { query: 'x', lenient: true } } }, 'none'],
    [{ match: { ok: 'off' } }, 'ok:F'],
    [{ match: { nosuch: 'Any Text' } }, 'bool(#65535:any #65535:text)'],
    [{ match: { raw: 'Some Title' } }, 'title.raw:Some Title'],
    [{ match: { 't.body': 'fox' } }, 'filtered(body:fox | _type:t)'],
    [{ match: { body: { query: 'One Text', analyzer: 'keyword' } } }, 'body:One Text'],
    [{ match: { _id: '5' } }, 'const(uids(t#5))'],
  ])('%j', (query, expected) => expect(plan(query)).toBe(expected));
});

describe('phrases', () => {
  test.each([
    [{ match_phrase: { body: 'quick brown fox' } }, 'body:"0=quick 1=brown 2=fox"'],
    [{ match_phrase: { body: { query: 'fox fox', slop: 2, boost: 3 } } }, 'body:"0=fox 1=fox"~2^3'],
    [{ match: { body: { query: 'a b', type: 'phrase', phrase_slop: 1 } } }, 'body:"0=a 1=b"~1'],
    [{ match_phrase: { body: 'fox' } }, 'body:fox'],
    [{ match_phrase: { key: 'a b' } }, 'key:a b'],
  ])('%j', (query, expected) => expect(plan(query)).toBe(expected));

  test('tokens at one place are alternatives', () => {
    const tokens = [1, 2, 2, 4].map((position, i) => ({
      term: `t${i}`,
      position,
      startOffset: 0,
      endOffset: 0,
      type: 'word',
    }));
    const registry = new AnalyzerRegistry(() => ({ tokens, rest: 0 }));
    const own = contextOf(model, { registry });
    expect(planText({ match_phrase: { body: 'x' } }, own)).toBe('body:"0=t0 1=t1|t2 3=t3"');
    expect(planText({ match: { body: 'x' } }, own)).toBe(
      'bool(body:t0 bool(body:t1 body:t2)/nocoord body:t3)',
    );
  });
});

describe('multi_match', () => {
  test.each([
    // In the order of a Java HashMap of the names.
    [{ fields: ['about', 'title', 'body'] }, 'max(#65535:x title:x body:x)~0'],
    [{ fields: ['body', 'title'] }, 'max(body:x title:x)~0'],
    [
      { fields: ['body^2', 'title^0.5'], tie_breaker: 0.3, boost: 4 },
      'max(body:x^2 title:x^0.5)~0.30000001192092896^4',
    ],
    [{ fields: ['body', 'title'], type: 'most_fields' }, 'bool(body:x title:x)'],
    [{ fields: ['body', 'title'], tie_breaker: 1 }, 'bool(body:x title:x)'],
    [{ fields: ['body', 'title'], type: 'most_fields', use_dis_max: true }, 'max(body:x title:x)~0'],
    [{ fields: ['body^3'], boost: 2 }, 'body:x^2'],
    [{ fields: ['body^3'] }, 'body:x'],
    [{ fields: ['tit*'] }, 'max(title.raw:X title:x)~0'],
  ])('%j', (options, expected) => {
    expect(plan({ multi_match: { query: 'X', ...options } })).toBe(expected);
  });

  test('phrases', () => {
    expect(plan({ multi_match: { query: 'a b', fields: ['body', 'title'], type: 'phrase', slop: 1 } })).toBe(
      'max(body:"0=a 1=b"~1 title:"0=a 1=b"~1)~0',
    );
  });
});

describe('terms, ranges, prefixes, ids', () => {
  test.each([
    [{ term: { body: 'Fox' } }, 'body:Fox'],
    [{ term: { body: { value: 'fox', boost: 2 } } }, 'body:fox^2'],
    [{ term: { n: { term: 3, boost: 2 } } }, `const(n:${three})^2`],
    [{ term: { ok: true } }, 'ok:T'],
    [{ term: { at: '1970-01-01' } }, 'const(at:0x8000000000000000)'],
    [{ terms: { key: ['a', 'b'], minimum_should_match: 2, boost: 2 } }, 'bool(key:a key:b)~2^2'],
    [{ terms: { key: ['a'], boost: 2 } }, 'key:a^2'],
    [{ terms: { n: [3] } }, `const(n:${three})`],
    [{ terms: { key: [] } }, 'none'],
    [{ in: { key: ['a', 'a'], disable_coord: true } }, 'bool(key:a key:a)/nocoord'],
    [{ prefix: { body: 'qu' } }, 'multi(body:qu*)'],
    [{ prefix: { body: { prefix: 'Qu', boost: 2 } } }, 'multi(body:Qu*)^2'],
    [{ range: { key: { gt: 'a', lte: 'c', boost: 2 } } }, 'multi(key:{a TO c])^2'],
    [
      { range: { key: { from: 'a', to: 'c', include_lower: false, include_upper: false } } },
      'multi(key:{a TO c})',
    ],
    [{ range: { key: { gt: 'a', gte: 'b' } } }, 'multi(key:[b TO *])'],
    [{ range: { n: { gte: 3.9 } } }, `multi(n:[${three} TO *])`],
    [{ range: { nosuch: { lt: 5 } } }, 'multi(#65535:[* TO 5})'],
    [
      { range: { at: { gte: '1970-01-01', lte: '1970-01-01' } } },
      'multi(at:[0x8000000000000000 TO 0x8000000005265bff])',
    ],
    [{ range: { at: { gt: '1970-01-01' } } }, 'multi(at:{0x8000000005265bff TO *])'],
    [{ ids: { values: ['1', 2], boost: 3 } }, 'const(uids(t#1 t#2))^3'],
    [{ ids: { values: ['1'], type: ['a', 'b'] } }, 'const(uids(a#1 b#1))'],
    [{ ids: { values: [] } }, 'none'],
  ])('%j', (query, expected) => {
    expect(plan(query)).toBe(expected);
  });

  test('a range of dates as a filter never rounds its lower bound up', () => {
    const range = { range: { at: { gt: '1970-01-01' } } };
    expect(plan({ constant_score: { filter: range } })).toBe('const(at:{0x8000000000000000 TO *])');
  });
});

describe('compounds', () => {
  const a = { term: { key: 'a' } };
  const b = { term: { key: 'b' } };
  const c = { term: { key: 'c' } };
  test.each([
    [{ match_all: {} }, 'all'],
    [{ match_all: { boost: 2 } }, 'all^2'],
    [{ bool: {} }, 'all'],
    [{ bool: { must: [a], should: [b], must_not: c } }, 'bool(+key:a key:b -key:c)'],
    [{ bool: { must_not: [c], should: [b], must: a } }, 'bool(-key:c key:b +key:a)'],
    [{ bool: { should: [a, a] } }, 'bool(key:a key:a)'],
    [{ bool: { should: [a], boost: 0.3, must: [] } }, 'key:a^0.30000001192092896'],
    [
      {
        bool: {
          must: { bool: { should: [{ term: { key: { value: 'a', boost: 0.3 } } }], boost: 0.7 } },
          boost: 3,
        },
      },
      `key:a^${Math.fround(3 * Math.fround(Math.fround(0.7) * Math.fround(0.3)))}`,
    ],
    [{ bool: { should: [a], minimum_should_match: 1 } }, 'bool(key:a)~1'],
    [{ bool: { should: [a, b, c], minimum_should_match: '-1' } }, 'bool(key:a key:b key:c)~2'],
    [{ bool: { should: [a], must_not: [b] } }, 'bool(key:a -key:b)'],
    [{ bool: { must_not: [a] } }, 'bool(-key:a +all)'],
    [{ bool: { must_not: [a], adjust_pure_negative: false } }, 'bool(-key:a)'],
    [{ bool: { must: [{ match: { body: '' } }, a], disable_coord: true } }, 'bool(+none +key:a)/nocoord'],
    [{ dis_max: { queries: [a, b], tie_breaker: 0.5, boost: 2 } }, 'max(key:a key:b)~0.5^2'],
    [{ dis_max: { queries: [{ term: { key: { value: 'a', boost: 2 } } }], boost: 3 } }, 'key:a^6'],
    [{ filtered: { query: a, filter: b, boost: 2 } }, 'filtered(key:a | key:b)^2'],
    [{ filtered: { query: { bool: { should: [a], boost: 2 } }, filter: b } }, 'filtered(key:a^2 | key:b)'],
    [{ filtered: { filter: b, boost: 2 } }, 'const(key:{b})^2'],
    [{ filtered: { query: { match_all: { boost: 3 } }, filter: b, boost: 2 } }, 'const(key:{b})^6'],
    [{ filtered: { query: a, boost: 2 } }, 'key:a'],
    [{ filtered: { query: a, filter: {}, boost: 2 } }, 'key:a'],
    [{ filtered: { query: a, filter: { match_all: {} }, boost: 2 } }, 'key:a'],
    [{ filtered: { query: a, filter: { terms: { key: [] } } } }, 'filtered(key:a | none)'],
    [{ constant_score: { filter: { terms: { key: [] } }, boost: 2 } }, 'const(none)^2'],
    [{ filtered: {} }, 'all'],
    [{ constant_score: { filter: b, boost: 2 } }, 'const(key:{b})^2'],
    [{ constant_score: { query: { bool: { must: [a] } }, boost: 2 } }, 'const(key:a)^2'],
  ])('%j', (query, expected) => expect(plan(query)).toBe(expected));
});

describe('filters', () => {
  const filter = (json: unknown) =>
    plan({ filtered: { query: { term: { body: 'q' } }, filter: json } }).replace(
      /^filtered\(body:q \| (.*)\)$/,
      '$1',
    );
  const a = { term: { key: 'a', _cache: true } };
  const b = { term: { key: 'b' } };
  const c = { term: { key: 'c' } };
  test.each([
    [{ terms: { key: ['a', 'b'], execution: 'bool' } }, 'key:{a b}'],
    [{ terms: { key: ['a', 'b'], execution: 'and' } }, 'bool(+key:a +key:b)/nocoord'],
    [{ bool: { must: [a] } }, 'key:a'],
    [{ bool: { must: a, should: [b, c] } }, 'bool(+key:a key:b key:c)~1/nocoord'],
    [{ bool: { must: [a, b], must_not: c } }, 'bool(+key:a +key:b -key:c)/nocoord'],
    [{ bool: { should: [a, b], must_not: [c] } }, 'bool(key:a key:b -key:c)/nocoord'],
    [{ bool: { must_not: [c] } }, 'bool(+all -key:c)/nocoord'],
    [{ bool: { must: [{}, a] } }, 'key:a'],
    [{ and: [a, b] }, 'bool(+key:a +key:b)/nocoord'],
    [{ and: { filters: [a], _cache: true } }, 'key:a'],
    // Of a list where one filter is expected the last counts.
    [[a, b], 'key:b'],
    [{ or: [a, { not: b }] }, 'bool(key:a bool(+all -key:b)/nocoord)/nocoord'],
    [{ not: { filter: a } }, 'bool(+all -key:a)/nocoord'],
    [{ query: { match: { body: 'x y' } } }, 'bool(body:x body:y)'],
    [{ fquery: { query: { match: { body: 'x' } }, _cache: true } }, 'body:x'],
    [{ range: { n: { gt: 3 }, _cache: false } }, `n:{${three} TO *]`],
    [{ prefix: { key: 'ab' } }, 'key:ab*'],
    [{ exists: { field: 'key' } }, 'exists(key)'],
    [{ exists: { field: 'body' } }, 'bool(exists(body) _field_names:body)/nocoord'],
    [{ exists: { field: 'o' } }, 'exists(o.in)'],
    [{ missing: { field: 'key' } }, 'bool(+all -exists(key))/nocoord'],
    [{ ids: { values: ['7'] } }, 'uids(t#7)'],
    [{ type: { value: 't' } }, '_type:t'],
    [{ term: { _id: 7 } }, 'uids(t#7)'],
  ])('%j', (json, expected) => expect(filter(json)).toBe(expected));

  test('on fields that are not there', () => {
    expect(filter({ exists: { field: 'nosuch' } })).toBe('none');
    expect(filter({ missing: { field: 'nosuch' } })).toBe('body:q');
  });
});

describe('types of the URL and filters of aliases', () => {
  test('are put around the query, which then scores in order', () => {
    const two = modelOf({ t: { properties: { key: { type: 'string', index: 'not_analyzed' } } }, u: {} });
    const query = { term: { key: 'a' } };
    expect(planText(query, contextOf(two, { types: ['t'] }))).toBe('filtered(key:a | _type:t) in order');
    expect(planText(query, contextOf(two, { types: ['t', 'u'] }))).toBe('key:a in order');
    expect(planText({ match_all: {} }, contextOf(two, { types: ['t'] }))).toBe('const(_type:{t}) in order');
    expect(planText(query, contextOf(two, { filter: query, types: ['u'] }))).toBe(
      'filtered(key:a | bool(+_type:u +key:a)/nocoord) in order',
    );
    expect(planText(query, contextOf(two, { types: [] }))).toBe('key:a');
  });
});
