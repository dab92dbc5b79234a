import { expect, test } from 'vitest';
import { AnalyzerRegistry } from '../../host/analysis/registry.js';

test('standard and keyword are there, others are not', () => {
  const registry = new AnalyzerRegistry();
  expect(['standard', 'keyword', 'default', 'english'].map((name) => registry.id(name))).toEqual([
    1,
    0,
    1,
    undefined,
  ]);
});

test('settings name them anew; what they define with options is not offered', () => {
  const registry = new AnalyzerRegistry({
    analyzer: {
      default: { type: 'keyword' },
      mine: { type: 'standard' },
      standard: { type: 'standard', stopwords: 'a' },
    },
  });
  expect(['default', 'mine', 'standard', 'keyword'].map((name) => registry.id(name))).toEqual([
    0,
    1,
    undefined,
    0,
  ]);
});

test('keyword takes a text as one token; others ask the core', () => {
  const registry = new AnalyzerRegistry();
  const asked: unknown[] = [];
  const analyze = (id: number, text: string) => {
    asked.push([id, text]);
    return [];
  };
  expect(registry.analyzer('keyword', analyze)?.analyze('A b')).toEqual([
    { term: 'A b', startOffset: 0, endOffset: 3, position: 1, type: 'word' },
  ]);
  registry.analyzer('standard', analyze)?.analyze('A b');
  expect(asked).toEqual([[1, 'A b']]);
  expect(registry.analyzer('nosuch', analyze)).toBeUndefined();
});
