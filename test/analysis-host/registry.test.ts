import { expect, test } from 'vitest';
import { AnalyzerRegistry, CORE_STANDARD, NO_ANALYZER } from '../../host/analysis/registry.js';
import type { ElasticsearchError } from '../../host/errors.js';
import { flatSettings } from '../../host/settings/indexSettings.js';
import { AnalysisCore } from '../analysis/core.js';

const core = new AnalysisCore('debug');

function registry(analysis: unknown = {}): AnalyzerRegistry {
  return new AnalyzerRegistry(core.run, flatSettings({ analysis }));
}

function terms(from: AnalyzerRegistry, name: string, text: string): string[] | undefined {
  return from
    .analyzer(name)
    ?.analyze(text)
    .map(({ term }) => term);
}

function refusal(analysis: unknown): string {
  try {
    registry(analysis);
  } catch (e) {
    return (e as ElasticsearchError).render();
  }
  throw new Error('not refused');
}

test('an index has the analyzers of 1.7', () => {
  const built = registry();
  expect(terms(built, 'standard', 'The A b')).toEqual(['the', 'a', 'b']);
  expect(terms(built, 'default', 'A b')).toEqual(['a', 'b']);
  expect(terms(built, 'keyword', 'A b')).toEqual(['A b']);
  expect(built.analyzer('nosuch')).toBeUndefined();
});

test('settings define analyzers anew and further ones, as objects or by flat keys', () => {
  const built = registry({
    analyzer: {
      default: { type: 'keyword' },
      standard: { type: 'standard', stopwords: 'a,the' },
      my_own: { tokenizer: 'keyword', filter: 'lowercase', alias: ['other'] },
    },
    'analyzer.flat.tokenizer': 'standard',
    'analyzer.flat.filter': ['lowercase', 'no_case'],
    'filter.no_case.type': 'lowercase',
    'filter.no_case.language.0': 'ignored',
  });
  expect(terms(built, 'default', 'A b')).toEqual(['A b']);
  expect(terms(built, 'standard', 'The A b')).toEqual(['b']);
  for (const name of ['my_own', 'myOwn', 'other']) expect(terms(built, name, 'A b')).toEqual(['a b']);
  expect(terms(built, 'flat', 'A b c')).toEqual(['a', 'b', 'c']);
});

test('the core has a shorter way for the standard analyzer', () => {
  const built = registry({ analyzer: { mine: { tokenizer: 'standard', filter: ['lowercase'] } } });
  expect(built.core('mine')).toBe(CORE_STANDARD);
  expect(built.core('standard')).toBe(CORE_STANDARD);
  expect(built.core(NO_ANALYZER)).toBe(0);
  expect(built.core('keyword')).toBeInstanceOf(Uint8Array);
});

test('what is wrong with a definition is said by name', () => {
  expect(refusal({ analyzer: { a: { type: 'nosuch' } } })).toBe(
    'ElasticsearchIllegalArgumentException[failed to find analyzer type [nosuch] or tokenizer for [a]]',
  );
  expect(refusal({ analyzer: { a: { tokenizer: 'nosuch' } } })).toBe(
    'IllegalArgumentException[Custom Analyzer [a] failed to find tokenizer under name [nosuch]]',
  );
  expect(refusal({ analyzer: { a: { type: 'custom' } } })).toBe(
    'IllegalArgumentException[Custom Analyzer [a] must be configured with a tokenizer]',
  );
  expect(refusal({ analyzer: { a: { tokenizer: 'keyword', filter: ['nosuch'] } } })).toBe(
    'IllegalArgumentException[Custom Analyzer [a] failed to find filter under name [nosuch]]',
  );
  expect(refusal({ filter: { f: { stopwords: 'a' } } })).toBe(
    'ElasticsearchIllegalArgumentException[token filter [f] must have a type associated with it]',
  );
});

test('a field takes the gap of its analyzer', () => {
  const built = registry({ analyzer: { gap: { tokenizer: 'keyword', position_offset_gap: 7 } } });
  expect(built.positionGap('gap')).toBe(7);
  expect(built.positionGap('standard')).toBe(0);
});
