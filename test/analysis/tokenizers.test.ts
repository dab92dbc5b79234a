import { describe, expect, it } from 'vitest';
import { AnalysisCore, BUILDS } from './core.js';
import { compileChain, readChains } from './parts.js';

const recorded = readChains('tokenizers.jsonl');

describe.each(BUILDS)('tokenizers, %s build', (build) => {
  const core = new AnalysisCore(build);

  it.each(recorded.map((each) => [JSON.stringify(each.chain), each] as const))(
    '%s cuts as Lucene does',
    (_, { chain, cases }) => {
      const analyzer = compileChain(chain);
      for (const [text, tokens] of cases) {
        const got = analyzer.analyze(text, core.run);
        expect(got.map((t) => [t.term, t.startOffset, t.endOffset, t.type, t.position])).toEqual(tokens);
      }
    },
  );

  it('reads what might become an address once', () => {
    const start = performance.now();
    for (const [tokenizer, text] of [
      ['classic', 'a-'.repeat(1 << 18)],
      ['classic', 'a.b_'.repeat(1 << 17)],
      ['uax_url_email', 'a-'.repeat(1 << 15)],
    ] as const) {
      compileChain({ tokenizer, filter: ['lowercase'] }).analyze(text, core.run);
    }
    if (build === 'release') expect(performance.now() - start).toBeLessThan(5000);
  });

  it('reads a token of a megabyte in one go', () => {
    const text = 'x'.repeat(1 << 20);
    for (const tokenizer of ['whitespace', 'letter', 'path_hierarchy', 'edge_ngram', 'keyword']) {
      const tokens = compileChain({ tokenizer }).analyze(text, core.run);
      expect(tokens[0]?.startOffset).toBe(0);
      expect(tokens.length).toBe({ whitespace: 4113, letter: 4113, edge_ngram: 2 }[tokenizer] ?? 1);
    }
  });
});

describe('settings of tokenizers', () => {
  const refusal = (definition: { type: string } & Record<string, unknown>, text?: string) => {
    const core = new AnalysisCore('release');
    try {
      const analyzer = compileChain({ tokenizer: definition });
      if (text !== undefined) analyzer.analyze(text, core.run);
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  };

  it('are refused where an index is created', () => {
    expect(refusal({ type: 'path_hierarchy', delimiter: '::' })).toBe(
      'ElasticsearchIllegalArgumentException[delimiter can only be a one char value]',
    );
    expect(refusal({ type: 'path_hierarchy', replacement: '😀' })).toBe(
      'ElasticsearchIllegalArgumentException[replacement can only be a one char value]',
    );
    expect(refusal({ type: 'ngram', max_gram: 2000 })).toMatch(/more than 1023 above \[min_gram\]/);
    expect(refusal({ type: 'ngram', token_chars: ['letter', 'runes'] })).toMatch(
      /^ElasticsearchIllegalArgumentException\[Unknown token type: 'runes', must be one of \[letter, digit, .*, final_quote_punctuation\]\]$/,
    );
  });

  it('are refused where a text is analyzed', () => {
    const late = [
      [{ type: 'standard', max_token_length: 0 }, 'maxTokenLength must be greater than zero'],
      [{ type: 'keyword', buffer_size: 0 }, 'bufferSize must be > 0'],
      [{ type: 'path_hierarchy', skip: -1 }, 'skip cannot be negative'],
      [{ type: 'ngram', min_gram: 0 }, 'minGram must be greater than zero'],
      [{ type: 'edgeNGram', min_gram: 3 }, 'minGram must not be greater than maxGram'],
    ] as const;
    for (const [definition, message] of late) {
      expect(refusal(definition)).toBe(undefined);
      expect(refusal(definition, 'a')).toBe(`IllegalArgumentException[${message}]`);
    }
    expect(refusal({ type: 'edge_ngram', side: 'back' }, 'a')).toMatch(/side=back is not supported anymore/);
  });
});
