import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

/** `_analyze?explain=true`: what each part of an analyzer makes of a text. */

interface Token {
  token: string;
  start_offset: number;
  end_offset: number;
  position: number;
  keyword?: boolean;
}
interface Detail {
  custom_analyzer: boolean;
  analyzer_type: string;
  charfilters: { name: string; type: string; filtered_text: string[] }[];
  tokenizer: { name: string; type: string; tokens: Token[] };
  tokenfilters: { name: string; type: string; tokens: Token[] }[];
}

let resilin: Resilin;

async function detail(path: string, body: object): Promise<Detail> {
  const { status, body: answer } = await resilin.request('POST', `${path}/_analyze?explain=true`, body);
  expect(answer).not.toHaveProperty('error');
  expect(status).toBe(200);
  return (answer as { detail: Detail }).detail;
}

async function refused(path: string, body: object): Promise<string> {
  const { status, body: answer } = await resilin.request('POST', `${path}/_analyze?explain=true`, body);
  expect(status).toBe(400);
  return (answer as { error: string }).error;
}

const terms = ({ tokens }: { tokens: Token[] }) => tokens.map(({ token }) => token);
const stages = ({ charfilters, tokenizer, tokenfilters }: Detail) => [
  ...charfilters.map(({ name }) => name),
  tokenizer.name,
  ...tokenfilters.map(({ name }) => name),
];

beforeAll(async () => {
  resilin = await createEngine();
  await resilin.request('PUT', '/i', {
    settings: {
      number_of_shards: 1,
      analysis: {
        char_filter: {
          sharp: { type: 'mapping', mappings: ['ß=>ss'] },
          dashes: { type: 'pattern_replace', pattern: '-', replacement: ' ' },
        },
        filter: {
          places: { type: 'synonym', synonyms: ['nyc, new york'] },
          keep: { type: 'keyword_marker', keywords: ['running'] },
        },
        analyzer: {
          whole: {
            type: 'custom',
            char_filter: ['html_strip', 'sharp', 'dashes'],
            tokenizer: 'standard',
            filter: ['lowercase', 'keep', 'places', 'porter_stem', 'standard'],
          },
          stopping: { type: 'standard', stopwords: ['the'] },
        },
      },
    },
    mappings: { t: { properties: { a: { type: 'string', analyzer: 'whole' }, n: { type: 'long' } } } },
  });
});
afterAll(() => resilin.close());

describe('an analyzer of an index', () => {
  const text = '<b>Straße</b> in NYC: running-jumping';

  it('is told part by part', async () => {
    const found = await detail('/i', { analyzer: 'whole', text });
    expect(found).toMatchObject({ custom_analyzer: true, analyzer_type: 'custom' });
    expect(found.charfilters).toEqual([
      { name: 'html_strip', type: 'html_strip', filtered_text: ['Straße in NYC: running-jumping'] },
      { name: 'sharp', type: 'mapping', filtered_text: ['Strasse in NYC: running-jumping'] },
      { name: 'dashes', type: 'pattern_replace', filtered_text: ['Strasse in NYC: running jumping'] },
    ]);
    expect(terms(found.tokenizer)).toEqual(['Strasse', 'in', 'NYC', 'running', 'jumping']);
    // In the text as it was given.
    expect(found.tokenizer.tokens[0]).toMatchObject({ start_offset: 3, position: 1 });
    expect(found.tokenfilters.map(({ name, type }) => [name, type])).toEqual([
      ['lowercase', 'lowercase'],
      ['keep', 'keyword_marker'],
      ['places', 'synonym'],
      ['porter_stem', 'porter_stem'],
      ['standard', 'standard'],
    ]);
    const [lower, keep, places, stem, none] = found.tokenfilters as [
      Detail['tokenizer'],
      ...Detail['tokenfilters'][number][],
    ] &
      Detail['tokenfilters'];
    expect(terms(lower!)).toEqual(['strasse', 'in', 'nyc', 'running', 'jumping']);
    expect(keep!.tokens.filter(({ keyword }) => keyword).map(({ token }) => token)).toEqual(['running']);
    expect(terms(places!)).toContain('york');
    expect(terms(stem!)).toEqual(expect.arrayContaining(['strass', 'running', 'jump']));
    expect(terms(none!)).toEqual(terms(stem!));
  });

  it('ends with what the index has', async () => {
    const found = await detail('/i', { field: 'a', text });
    const { body } = await resilin.request('POST', '/i/_analyze?field=a', text);
    const plain = (body as { tokens: Token[] }).tokens;
    expect(found.tokenfilters.at(-1)!.tokens.map(({ keyword, ...token }) => token)).toEqual(plain);
  });

  it('with a type has the parts of that type', async () => {
    const found = await detail('/i', { analyzer: 'stopping', text: 'The mill' });
    expect(found).toMatchObject({ custom_analyzer: false, analyzer_type: 'standard' });
    expect(stages(found)).toEqual(['standard', 'lowercase', 'stop']);
    expect(terms(found.tokenfilters[1]!)).toEqual(['mill']);
  });
});

describe('built-in analyzers', () => {
  it.each([
    ['standard', ['standard', 'lowercase']],
    ['whitespace', ['whitespace']],
    ['keyword', ['keyword']],
    ['simple', ['lowercase']],
    ['stop', ['lowercase', 'stop']],
    ['english', ['standard', 'stemmer', 'lowercase', 'stop', 'porter_stem']],
    [
      'persian',
      ['mapping', 'standard', 'lowercase', 'arabic_normalization', 'persian_normalization', 'stop'],
    ],
    ['snowball', ['standard', 'stemmer', 'lowercase', 'stop', 'snowball']],
  ])('%s is told part by part', async (analyzer, parts) => {
    const found = await detail('', { analyzer, text: 'The mills of the town' });
    expect(found.analyzer_type).toBe('built-in');
    // The letters that a tokenizer keeps, and whether it lower-cases them, is one part of the core.
    expect(stages(found).map((name) => (name === 'letter' ? 'lowercase' : name))).toEqual(parts);
    const { body } = await resilin.request('POST', `/_analyze?analyzer=${analyzer}`, 'The mills of the town');
    const last = found.tokenfilters.at(-1) ?? found.tokenizer;
    expect(terms(last)).toEqual((body as { tokens: Token[] }).tokens.map(({ token }) => token));
  });
});

describe('a chain that is tried', () => {
  it('may have definitions in it', async () => {
    const found = await detail('', {
      char_filter: [{ type: 'mapping', mappings: ['& => and'] }],
      tokenizer: { type: 'pattern', pattern: ',' },
      filter: ['lowercase', { type: 'length', min: 3 }, { type: 'synonym', synonyms: ['a and b => both'] }],
      text: 'A & B,no,Mill',
    });
    expect(stages(found)).toEqual(['mapping', 'pattern', 'lowercase', 'length', 'synonym']);
    expect(found.charfilters[0]!.filtered_text).toEqual(['A and B,no,Mill']);
    expect(terms(found.tokenfilters.at(-1)!)).toEqual(['a and b', 'mill']);
  });

  it('may name parts of an index, and stand in the address', async () => {
    const { body } = await resilin.request(
      'GET',
      '/i/_analyze?explain=true&tokenizer=standard&filters=lowercase,places&text=NYC',
    );
    expect(terms((body as { detail: Detail }).detail.tokenfilters[1]!)).toContain('york');
  });

  it('is refused where a part is none', async () => {
    expect(await refused('', { text: 'a', tokenizer: 'standard', filter: ['places'] })).toContain(
      'failed to find token filter under [places]',
    );
    expect(await refused('', { text: 'a', tokenizer: { pattern: ',' } })).toContain('must have a type');
    expect(await refused('', { text: 'a', tokenizer: 'standard', filter: [3] })).toContain(
      'a name, or an object',
    );
    expect(await refused('', { text: 'a', filter: ['lowercase'] })).toContain('filters need a tokenizer');
    expect(
      await refused('', { text: 'a', tokenizer: 'standard', filter: Array(65).fill('lowercase') }),
    ).toContain('at most 64');
    expect(await refused('', { text: 'a', analyzer: 'none' })).toContain('failed to find analyzer [none]');
    expect(await refused('/i', { text: 'a', field: 'n' })).toContain('not supported on numeric fields');
    expect(await refused('', { analyzer: 'standard' })).toContain('text is missing');
    expect(await refused('', { analyzer: 'standard', text: 'a'.repeat(131_073) })).toContain(
      'at most 131072 characters',
    );
  });
});

it('offsets are those of UTF-16', async () => {
  const found = await detail('', { tokenizer: 'whitespace', text: '😀 e\u0301 שלום' });
  expect(found.tokenizer.tokens.map(({ start_offset, end_offset }) => [start_offset, end_offset])).toEqual([
    [0, 2],
    [3, 5],
    [6, 10],
  ]);
});
