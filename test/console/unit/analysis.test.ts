/** Analysis: what a stage changed, chains as settings, pieces of long texts; every part that the console offers is one of the engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../console/src/api/json';
import { analyzerParams, type Chain, readAnalyzer } from '../../../console/src/views/analysis/analysisState';
import { chainOf, chainSettings, definitionsOf } from '../../../console/src/views/analysis/chainSettings';
import { ANALYZERS, PART_KINDS, PART_TYPES } from '../../../console/src/views/analysis/partTypes';
import { changes, readAnalysis, type Token } from '../../../console/src/views/analysis/stages';
import { PIECE, pieceStarts } from '../../../console/src/views/analysis/textPieces';
import { analyzers } from '../../../host/analysis/analyzers.js';
import { charFilters } from '../../../host/analysis/charFilters.js';
import { filters } from '../../../host/analysis/filters.js';
import { tokenizers } from '../../../host/analysis/tokenizers.js';
import { createEngine, type Resilin } from '../../../host/index.js';

const token = (term: string, position: number, start = position * 10, end = start + term.length): Token => ({
  term,
  start,
  end,
  position,
  type: 'word',
  isKeyword: false,
});

describe('what a stage changed', () => {
  const kinds = (before: Token[], after: Token[]) =>
    changes(before, after).map(({ term, kind, before: was }) => [term, kind, was]);

  it('are other terms at the same place', () => {
    expect(kinds([token('Foxes', 1)], [token('foxes', 1)])).toEqual([['foxes', 'changed', 'Foxes']]);
  });

  it('are tokens more and less', () => {
    const [a, b] = [token('the', 1), token('tv', 2)];
    expect(kinds([a, b], [b, { ...b, term: 'television' }])).toEqual([
      ['the', 'removed', 'the'],
      ['tv', 'same', 'tv'],
      ['television', 'added', undefined],
    ]);
  });

  it('is nothing where only the end of a token counts otherwise', () => {
    expect(kinds([token('quick', 1, 5, 10)], [token('quick', 1, 5, 14)])).toEqual([
      ['quick', 'same', 'quick'],
    ]);
  });

  it('is said in words', () => {
    const detail = {
      analyzer_type: 'custom',
      charfilters: [{ name: 'strip', type: 'html_strip', filtered_text: ['The Fox'] }],
      tokenizer: {
        name: 'standard',
        type: 'standard',
        tokens: [
          { token: 'The', start_offset: 3, end_offset: 6, position: 1, type: 'w' },
          { token: 'Fox', start_offset: 7, end_offset: 10, position: 2, type: 'w' },
        ],
      },
      tokenfilters: [
        {
          name: 'mark',
          type: 'keyword_marker',
          tokens: [
            { token: 'The', start_offset: 3, end_offset: 6, position: 1, type: 'w' },
            { token: 'Fox', start_offset: 7, end_offset: 10, position: 2, type: 'w', keyword: true },
          ],
        },
        {
          name: 'stop',
          type: 'stop',
          tokens: [{ token: 'Fox', start_offset: 7, end_offset: 10, position: 2, type: 'w', keyword: true }],
        },
        {
          name: 'trim',
          type: 'trim',
          tokens: [{ token: 'Fox', start_offset: 7, end_offset: 10, position: 2, type: 'w', keyword: true }],
        },
      ],
    };
    const { stages } = readAnalysis({ detail }, '<b>The Fox');
    expect(stages.map(({ summary }) => summary)).toEqual([
      '3 characters less',
      '2 tokens',
      '1 kept from stemmers; 2 tokens',
      '1 removed; 1 token',
      'changes nothing',
    ]);
  });
});

describe('a chain', () => {
  const chain: Chain = {
    char_filter: ['html_strip'],
    tokenizer: { type: 'pattern', pattern: ',' },
    filter: ['places', { type: 'length', min: 2 }, { type: 'length', min: 3 }],
  };
  const definitions = definitionsOf({
    i: {
      settings: {
        index: {
          analysis: {
            filter: { places: { type: 'synonym', synonyms: ['a, b'] } },
            analyzer: { mine: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'places'] } },
          },
        },
      },
    },
  });

  it('becomes settings, with what it names of an index', () => {
    expect(chainSettings('mine', chain, definitions)).toEqual({
      settings: {
        analysis: {
          tokenizer: { mine_pattern: { type: 'pattern', pattern: ',' } },
          filter: {
            places: { type: 'synonym', synonyms: ['a, b'] },
            mine_length: { type: 'length', min: 2 },
            mine_length_2: { type: 'length', min: 3 },
          },
          analyzer: {
            mine: {
              type: 'custom',
              char_filter: ['html_strip'],
              tokenizer: 'mine_pattern',
              filter: ['places', 'mine_length', 'mine_length_2'],
            },
          },
        },
      },
    });
  });

  it('is that of an analyzer of the index', () => {
    expect(chainOf(definitions, 'mine')).toEqual({
      char_filter: [],
      tokenizer: 'standard',
      filter: ['lowercase', 'places'],
    });
    expect(chainOf(definitions, 'english')).toBeUndefined();
  });

  it('stands in the address', () => {
    const state = { by: 'chain', analyzer: 'english', field: 'title', chain } as const;
    expect(readAnalyzer(new URLSearchParams(analyzerParams(state, '2')), '2')).toEqual(state);
    expect(readAnalyzer(new URLSearchParams('chain=[1')).chain.tokenizer).toBe('standard');
  });
});

describe('pieces of a text', () => {
  it('are cut at white space', () => {
    expect(pieceStarts('short')).toEqual([0]);
    const text = 'word '.repeat(3000);
    const starts = pieceStarts(text);
    expect(starts.length).toBeGreaterThan(2);
    for (const start of starts.slice(1)) expect(text[start - 1]).toBe(' ');
  });

  it('are never cut within a surrogate pair', () => {
    const text = `x${'😀'.repeat(PIECE)}`;
    for (const start of pieceStarts(text)) expect(text.charCodeAt(start) & 0xfc00).not.toBe(0xdc00);
  });
});

describe('what the console offers', () => {
  let resilin: Resilin;
  beforeAll(async () => {
    resilin = await createEngine();
  });
  afterAll(() => resilin.close());

  /** Other names of the same, and what can't be had: a dictionary is missing, or a file. */
  const LEFT_OUT = [
    'nGram',
    'edgeNGram',
    'PathHierarchy',
    'thai',
    'hunspell',
    'hyphenation_decompounder',
    'default',
    'standard_html_strip',
  ];
  const offered = (names: Iterable<string>) => [...names].filter((name) => !LEFT_OUT.includes(name)).sort();

  it('are all parts and analyzers that there are', () => {
    expect(Object.keys(PART_TYPES.char_filter).sort()).toEqual(offered(charFilters.keys()));
    expect(Object.keys(PART_TYPES.tokenizer).sort()).toEqual(offered(tokenizers.keys()));
    expect(Object.keys(PART_TYPES.filter).sort()).toEqual(offered(filters.keys()));
    expect([...ANALYZERS].sort()).toEqual(offered(analyzers.keys()));
  });

  it.each(
    PART_KINDS.flatMap(({ kind }) => Object.keys(PART_TYPES[kind]).map((type) => [kind, type] as const)),
  )('%s %s works as it is offered', async (kind, type) => {
    const settings: JsonObject = PART_TYPES[kind][type]!;
    const part = Object.keys(settings).length === 0 ? type : { type, ...settings };
    const body = {
      tokenizer: 'standard',
      text: 'The Running windmill',
      [kind]: kind === 'tokenizer' ? part : [part],
    };
    const { status, body: answer } = await resilin.request('POST', '/_analyze?explain=true', body);
    expect(answer).toHaveProperty('detail');
    expect(status).toBe(200);
  });
});
