import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

interface Option {
  text: string;
  score: number;
  payload?: unknown;
}

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
const make = (hint: unknown, more: unknown = {}) =>
  call('PUT', '/co', { settings, mappings: { t: { properties: { hint, ...(more as object) } } } });
const put = (id: number, body: unknown) => call('PUT', `/co/t/${id}`, body);
const completed = async (text: string, options: unknown = {}) => {
  const asked = { s: { text, completion: { field: 'hint', ...(options as object) } } };
  const { body } = await call('POST', '/co/_suggest', asked);
  return (body as { s: { options: Option[] }[] }).s[0]!.options;
};
const texts = async (text: string, options: unknown = {}) =>
  (await completed(text, options)).map((each) => each.text);

beforeEach(async () => {
  resilin = await createEngine();
});
afterEach(() => resilin.close());

/** The entries of a map as Java reads a `HashMap` of so much room, bucket by bucket. */
function readLikeJava(map: ReadonlyMap<string, number>, expected: number): [string, number][] {
  const room = expected + Math.floor(expected / 3);
  const buckets: [string, number][][] = Array.from({ length: 2 ** Math.ceil(Math.log2(room)) }, () => []);
  for (const entry of map) {
    let hash = 0;
    for (const character of entry[0]) hash = (31 * hash + character.charCodeAt(0)) | 0;
    buckets[(hash ^ (hash >>> 16)) & (buckets.length - 1)]!.push(entry);
  }
  return buckets.flat();
}

describe('the completion suggester', () => {
  it('answers by weight, with outputs and payloads', async () => {
    await make({ type: 'completion', payloads: true });
    await put(1, {
      hint: { input: ['Nevermore', 'The Raven'], output: 'Nevermore (poem)', weight: 5, payload: { id: 11 } },
    });
    await put(2, { hint: { input: 'Neon', weight: 9 } });
    await put(3, { hint: ['Nest', 'Bird nest'] });
    await put(4, { hint: { input: ['Nevada'], weight: '7' } });
    await call('POST', '/co/_refresh');
    expect(await completed('ne')).toEqual([
      { text: 'Neon', score: 9 },
      { text: 'Nevada', score: 7 },
      { text: 'Nevermore (poem)', score: 5, payload: { id: 11 } },
      { text: 'Nest', score: 1 },
    ]);
    expect(await texts('the r')).toEqual(['Nevermore (poem)']);
    expect(await texts('NEV', { size: 1 })).toEqual(['Nevada']);
    expect(await texts('')).toEqual([]);
  });

  it('takes typing errors behind the first character', async () => {
    await make({ type: 'completion' });
    for (const [i, hint] of ['Nevada', 'Nirvana', 'Neva'].entries())
      await put(i, { hint: { input: hint, weight: 9 - i } });
    await call('POST', '/co/_refresh');
    expect(await texts('nevd')).toEqual([]);
    expect(await texts('nevd', { fuzzy: true })).toEqual(['Nevada', 'Neva']);
    expect(await texts('nvea', { fuzzy: { transpositions: true } })).toEqual(['Nevada', 'Neva']);
    expect(await texts('nvea', { fuzzy: { transpositions: false, fuzziness: 1 } })).toEqual([]);
    expect(await texts('mev', { fuzzy: true })).toEqual([]);
    expect(await texts('mev', { fuzzy: { prefix_length: 0 } })).toEqual(['Nevada', 'Neva']);
    expect(await texts('nv', { fuzzy: true })).toEqual([]);
    expect(await texts('nv', { fuzzy: { min_length: 2 } })).toEqual(['Nevada', 'Nirvana', 'Neva']);
  });

  it("minds separators and lost positions, or doesn't", async () => {
    const more = {
      loose: {
        type: 'completion',
        preserve_separators: false,
        preserve_position_increments: false,
        analyzer: 'stop',
      },
    };
    await make({ type: 'completion', analyzer: 'stop' }, more);
    await put(1, { hint: 'the beatles of rock', loose: 'the beatles of rock' });
    await call('POST', '/co/_refresh');
    expect(await texts('beatles')).toEqual([]);
    expect(await texts('a beatles')).toEqual(['the beatles of rock']);
    expect(await texts('beatlesro', { field: 'loose' })).toEqual(['the beatles of rock']);
  });

  it('keeps deleted documents until they are merged away, as 1.7 does', async () => {
    await make({ type: 'completion' });
    await put(1, { hint: { input: 'Neon', weight: 9 } });
    await put(2, { hint: { input: 'Neon sign', weight: 2 } });
    await call('POST', '/co/_refresh');
    await call('DELETE', '/co/t/1');
    await call('POST', '/co/_refresh');
    expect(await texts('neo')).toEqual(['Neon', 'Neon sign']);
    await call('POST', '/co/_optimize?max_num_segments=1');
    expect(await texts('neo')).toEqual(['Neon sign']);
  });

  it('takes no other analyzer than that of the field', async () => {
    await make({ type: 'completion' });
    await put(1, { hint: 'Red fox' });
    await call('POST', '/co/_refresh');
    expect(await texts('RED', { analyzer: 'keyword' })).toEqual(['Red fox']);
    const asked = { s: { text: 'r', completion: { field: 'hint', analyzer: 'nope' } } };
    expect(JSON.stringify((await call('POST', '/co/_suggest', asked)).body)).toContain(
      "Analyzer [nope] doesn't exists",
    );
  });

  it('refuses characters that divide entries, where there are some', async () => {
    await make({ type: 'completion' });
    const answer = async (text: string) =>
      JSON.stringify(
        (await call('POST', '/co/_suggest', { s: { text, completion: { field: 'hint' } } })).body,
      );
    expect(await answer('a\u001eb')).not.toContain('reserved');
    await put(1, { hint: 'Red fox' });
    await call('POST', '/co/_refresh');
    expect(await answer('a\u001eb\u001f')).toContain(
      'IllegalArgumentException[lookup key cannot contain HOLE character U+001E; this character is reserved]',
    );
    expect(await answer('a\u001fb')).toContain(
      'lookup key cannot contain unit separator character U+001F; this character is reserved',
    );
  });

  it('asks for contexts', async () => {
    const context = {
      color: { type: 'category', path: 'shade', default: 'gray' },
      place: { type: 'geo', precision: ['5km', 3], neighbors: true },
    };
    await make({ type: 'completion', context }, { shade: { type: 'string' } });
    const berlin = { lat: 52.52, lon: 13.4 };
    await put(1, {
      hint: { input: 'jacket', weight: 3, context: { color: ['red', 'blue'], place: berlin } },
    });
    await put(2, { shade: 'green', hint: { input: 'jeans', weight: 2, context: { place: berlin } } });
    await put(3, { hint: { input: 'jumper', context: { place: { lat: 48.1, lon: 11.6 } } } });
    await call('POST', '/co/_refresh');
    const near = { lat: 52.5205, lon: 13.41 };
    expect(await texts('j', { context: { color: 'blue', place: near } })).toEqual(['jacket']);
    expect(await texts('j', { context: { color: ['red', 'green'], place: near } })).toEqual([
      'jacket',
      'jeans',
    ]);
    expect(await texts('j', { context: { color: 'gray', place: { ...near, precision: 1 } } })).toEqual([]);
    expect(await texts('jmper', { fuzzy: true, context: { color: 'gray', place: '48.1,11.6' } })).toEqual([
      'jumper',
    ]);
    const { body } = await call('POST', '/co/_suggest', { s: { text: 'j', completion: { field: 'hint' } } });
    expect(JSON.stringify(body)).toContain('suggester [completion] requires context to be setup');
    const mapping = (await call('GET', '/co/_mapping')).body as {
      co: { mappings: { t: { properties: { hint: { context: unknown } } } } };
    };
    expect(mapping.co.mappings.t.properties.hint.context).toEqual({
      color: { type: 'category', path: 'shade', default: ['gray'] },
      place: { type: 'geo', precision: [3, 5], neighbors: true },
    });
  });

  it("refuses what can't be completed", async () => {
    await make({ type: 'completion' });
    const refused = async (hint: unknown) => JSON.stringify((await put(1, { hint })).body);
    expect(await refused({ input: 'x', weight: -1 })).toContain(
      'Weight must be in the interval [0..2147483647], but was [-1]',
    );
    expect(await refused({ input: 'x', weight: 1.5 })).toContain('Weight must be an integer, but was [1.5]');
    expect(await refused({ inputs: 'x' })).toContain('Unknown field name[inputs], must be one of');
    expect(await refused({ input: 'x', payload: 1 })).toContain('Payloads disabled in mapping');
    expect(await refused('a\u001fb')).toContain('[0x1F] at position 1 is a reserved character');
    expect(await refused({ input: 'x', output: 'y'.repeat(40_000) })).toContain('may take 32766 bytes');
  });

  it('counts the bytes of typing errors, or the characters where it is asked to', async () => {
    await make({ type: 'completion' });
    await put(1, { hint: 'ööööö' });
    await put(2, { hint: 'naïve' });
    await call('POST', '/co/_refresh');
    const found = (text: string, fuzzy: unknown) => texts(text, { fuzzy });
    for (const [text, whole] of [
      ['öööи', 'ööööö'],
      ['naive', 'naïve'],
    ] as const) {
      expect(await found(text, { unicode_aware: true })).toEqual([whole]);
      expect(await found(text, {})).toEqual([]);
      expect(await found(text, { fuzziness: 2 })).toEqual([whole]);
    }
    // The second byte of ö is another one in a place that has to be the same.
    expect(await found('ôöö', { prefix_length: 2 })).toEqual([]);
    expect(await found('ôöö', { prefix_length: 1 })).toEqual(['ööööö']);
  });

  it('takes neither null nor numbers, nor completions that are in no context', async () => {
    await make({ type: 'completion' }, { near: { type: 'completion', context: { place: { type: 'geo' } } } });
    const refused = async (body: unknown) => ((await put(1, body)).body as { error: string }).error;
    expect(await refused({ hint: [null] })).toBe(
      'MapperParsingException[no object mapping found for null value in [hint]]',
    );
    expect(await refused({ hint: 7 })).toContain('tried to parse field [hint] as object, but got EOF');
    expect(await refused({ near: { input: 'x' } })).toBe(
      'ElasticsearchIllegalArgumentException[one or more prefixes needed]',
    );
    const sorted = (await call('POST', '/co/_search', { sort: 'hint' })).body;
    expect(JSON.stringify(sorted)).toContain('Sorting not supported for field[hint]');
    const counted = (await call('POST', '/co/_search', { aggs: { a: { terms: { field: 'hint' } } } })).body;
    expect(JSON.stringify(counted)).toContain('found no fielddata type for field [hint]');
  });

  it('reads how far typing errors go as other queries do', async () => {
    await make({ type: 'completion' });
    await put(1, { hint: 'nirvana' });
    await call('POST', '/co/_refresh');
    expect(await texts('norw', { fuzzy: { fuzziness: 1 } })).toEqual([]);
    expect(await texts('norw', { fuzzy: { fuzziness: 0.5 } })).toEqual(['nirvana']);
    const answer = (fuzzy: unknown) =>
      call('POST', '/co/_suggest', { s: { text: 'n', completion: { field: 'hint', fuzzy } } });
    expect(JSON.stringify((await answer({ prefix_length: -1 })).body)).toContain(
      'IllegalArgumentException[nonFuzzyPrefix must not be >= 0 (got -1)]',
    );
  });

  it('finds what looking at every entry finds', async () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 });
    const entry = fc.record({ input: fc.array(word, { minLength: 1, maxLength: 2 }), weight: fc.nat(20) });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 30 }), word, async (entries, typed) => {
        await make({ type: 'completion' });
        for (const [i, { input, weight }] of entries.entries()) {
          await put(i, { hint: { input: input.join(' '), weight } });
          if (i % 7 === 6) await call('POST', '/co/_refresh');
        }
        await call('POST', '/co/_refresh');
        const segments = Math.ceil(entries.length / 7);
        const scores = new Map<string, number>();
        for (let i = 0; i < segments; i++) {
          const own = new Map<string, number>();
          for (const { input, weight } of entries.slice(7 * i, 7 * i + 7)) {
            const text = input.join(' ');
            if (text.startsWith(typed)) own.set(text, Math.max(weight, own.get(text) ?? 0));
          }
          const best = [...own].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, 4);
          for (const [text, weight] of best) scores.set(text, Math.max(weight, scores.get(text) ?? 0));
        }
        const expected = readLikeJava(scores, segments * 4).sort(([, x], [, y]) => y - x);
        const found = await completed(typed, { size: 4 });
        expect(found.map(({ text, score }) => [text, score])).toEqual(expected.slice(0, 4));
        await call('DELETE', '/co');
      }),
      { numRuns: 20 },
    );
  });
});

describe('weights', () => {
  it('of none are the documents with the same reading, and go before those that are given', async () => {
    await make({ type: 'completion', payloads: true });
    await put(1, { hint: { input: 'quick', weight: 2, payload: { id: 1 } } });
    await put(2, { hint: { input: 'quick', weight: 5, payload: { id: 2 } } });
    await put(3, { hint: ['quick', 'quill'] });
    await put(4, { hint: 'Quill' });
    await call('POST', '/co/_refresh');
    expect(await completed('qu')).toEqual([
      { text: 'quick', score: 3 },
      { text: 'Quill', score: 2 },
      { text: 'quill', score: 2 },
    ]);
  });

  it('of none count a document once, however many of its inputs are read alike', async () => {
    await make({ type: 'completion' });
    await put(1, { hint: ['Red fox', 'red Fox', 'red'] });
    await put(2, { hint: [{ input: ['RED FOX', 'red fox'], weight: 9 }, { input: 'Red' }] });
    await put(3, { hint: { input: 'red fox', weight: 1 } });
    await call('POST', '/co/_refresh');
    const scores = Object.fromEntries((await completed('re')).map(({ text, score }) => [text, score]));
    expect(scores).toEqual({ 'RED FOX': 9, 'red fox': 9, 'Red fox': 3, 'red Fox': 3, Red: 2 });
  });

  it('of none are counted segment by segment', async () => {
    await make({ type: 'completion', payloads: true });
    for (const [id, hint] of ['quick', { input: 'quick', weight: 5 }, 'quick'].entries()) {
      await put(id, { hint });
      await call('POST', '/co/_refresh');
    }
    expect(await completed('qu')).toEqual([{ text: 'quick', score: 5 }]);
  });

  it('that are equal leave the payload of the first document', async () => {
    await make({ type: 'completion', payloads: true });
    for (const [id, letter] of ['b', 'a', 'c'].entries())
      await put(id, { hint: { input: 'quick', weight: 1, payload: letter } });
    await call('POST', '/co/_refresh');
    expect(await completed('qu')).toEqual([{ text: 'quick', score: 1, payload: 'b' }]);
  });
});

describe('terms', () => {
  const found = async (query: unknown) => {
    const { body } = await call('POST', '/co/_search', { query, fields: [] });
    return (body as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id);
  };

  it('of completions are what is completed, as queries find it', async () => {
    const inner = { type: 'string', fields: { sug: { type: 'completion' } } };
    await make({ type: 'completion' }, { title: inner });
    await put(1, { hint: 'Foxes', title: 'lazy' });
    await put(2, { hint: ['Foxes run', 'Dogs'] });
    await call('POST', '/co/_refresh');
    expect(await found({ match: { hint: 'FOXES' } })).toEqual(['1']);
    expect(await found({ prefix: { hint: 'foxes' } })).toEqual(['1', '2']);
    expect(await found({ terms: { 'title.sug': ['lazy'] } })).toEqual(['1']);
    expect(await found({ query_string: { query: 'hint:dogs' } })).toEqual(['2']);
    expect(await found({ filtered: { filter: { exists: { field: 'hint' } } } })).toEqual(['1', '2']);
    const { body } = await call('GET', '/co/_field_stats?fields=hint');
    expect(body).toMatchObject({
      indices: {
        _all: {
          fields: { hint: { sum_total_term_freq: 3, min_value: 'dogs', max_value: 'foxes\u001frun' } },
        },
      },
    });
  });
});

describe('completions of equal weight', () => {
  const refresh = () => call('POST', '/co/_refresh');

  it('are chosen in each segment by what is read, then by output', async () => {
    await make({ type: 'completion' });
    for (const [id, output] of ['b', 'aa', 'c'].entries())
      await put(id, { hint: { input: 'red', output, weight: 3 } });
    await put(3, { hint: { input: 'reach', output: 'z', weight: 3 } });
    await put(4, { hint: { input: 'redder', output: 'A', weight: 3 } });
    await refresh();
    expect((await texts('re', { size: 1 })).sort()).toEqual(['z']);
    expect((await texts('re', { size: 2 })).sort()).toEqual(['aa', 'z']);
    expect((await texts('re', { size: 4 })).sort()).toEqual(['aa', 'b', 'c', 'z']);
  });

  it('are shown in the order of a hash table, which goes by the number of segments', async () => {
    await make({ type: 'completion' });
    const add = (id: number, hint: string[]) => put(id, { hint: { input: hint, weight: 8 } });
    await add(0, ['Reds', 'Reds fox', 'Reds red', 'red', 'red blue']);
    await refresh();
    expect(await texts('re')).toEqual(['red', 'red blue', 'Reds', 'Reds red', 'Reds fox']);
    await add(1, ['red cup', 'red fox', 'red moon']);
    await refresh();
    expect(await texts('re')).toEqual(['red', 'red fox', 'Reds', 'red moon', 'red blue']);
    await put(2, {});
    await refresh();
    expect(await texts('re')).toEqual(['Reds', 'red moon', 'Reds red', 'Reds fox', 'red']);
  });

  it('are a page even where one segment has more', async () => {
    await make({ type: 'completion' });
    await put(0, { hint: { input: ['ra', 'rb', 'rc', 'rd'], weight: 5 } });
    await refresh();
    await put(1, { hint: { input: ['ra', 'rb'], weight: 9 } });
    await refresh();
    // The first segment gives but two, and the second has the same.
    expect((await completed('r', { size: 2 })).map(({ text }) => text).sort()).toEqual(['ra', 'rb']);
    await put(2, { hint: { input: ['rx'], weight: 1 } });
    await refresh();
    expect((await completed('r', { size: 3 })).map(({ score }) => score)).toEqual([9, 9, 5]);
  });

  it('with payloads of their own take the places of others', async () => {
    await make({ type: 'completion', payloads: true });
    await put(0, { hint: { input: 'ra', output: 'one', payload: 1, weight: 5 } });
    await put(1, { hint: { input: 'rb', output: 'one', payload: 2, weight: 5 } });
    await put(2, { hint: { input: 'rc', output: 'two', payload: 3, weight: 5 } });
    await refresh();
    expect(await completed('r', { size: 2 })).toEqual([{ text: 'one', score: 5, payload: 1 }]);
  });

  it('of several shards come by text, with what the first shard knows', async () => {
    const shards = { ...settings, number_of_shards: 2 };
    const hint = { type: 'completion', payloads: true };
    await call('PUT', '/co', { settings: shards, mappings: { t: { properties: { hint } } } });
    for (let id = 0; id < 8; id++) await put(id, { hint: { input: ['red', 'rose'], payload: 1, weight: 2 } });
    await refresh();
    expect(await texts('r')).toEqual(['red', 'rose']);
  });
});
