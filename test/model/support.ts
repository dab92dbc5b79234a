/** What tests of the host share: a naive tokenizer, a model from mappings, plans from queries. */

import type { Token } from '../../host/analysis/analyzer.js';
import { AnalyzerRegistry } from '../../host/analysis/registry.js';
import { compileQuery } from '../../host/query/compileQuery.js';
import type { SearchContext } from '../../host/query/searchContext.js';
import { MappingModel } from '../../host/mapping/model.js';
import { render } from './planReader.js';

const utf8 = new TextDecoder();

/** Words of ASCII letters and digits, lower-cased: enough for the texts of tests. */
export function tokenize(text: string): Token[] {
  return [...text.matchAll(/[A-Za-z0-9]+/g)].map((found, i) => ({
    term: found[0].toLowerCase(),
    startOffset: found.index,
    endOffset: found.index + found[0].length,
    position: i + 1,
    type: '<ALPHANUM>',
  }));
}

/** A registry whose analyzers all do what {@link tokenize} does. */
export function naiveRegistry(flat: Record<string, string> = {}): AnalyzerRegistry {
  return new AnalyzerRegistry((_, input) => ({ tokens: tokenize(utf8.decode(input)), rest: 0 }), flat);
}

/** A model with one type per key of `mappings`. */
export function modelOf(mappings: Record<string, unknown>, registry = naiveRegistry()): MappingModel {
  const model = new MappingModel(registry);
  for (const [type, definition] of Object.entries(mappings)) model.putMapping(type, { [type]: definition });
  return model;
}

/** What queries on a model are compiled for. */
export function contextOf(model: MappingModel, more: Partial<SearchContext> = {}): SearchContext {
  return {
    index: 'i',
    model,
    registry: model.registry,
    now: () => Date.UTC(2015, 5, 10, 12, 30, 45, 678),
    ...more,
  };
}

/** The plan of a query, as text. */
export function planText(query: unknown, context: SearchContext): string {
  const names = context.model.fieldDefinitions().map((definition) => definition.name);
  const plan = compileQuery(query, context);
  return `${render(plan.root, names)}${plan.inOrder ? ' in order' : ''}`;
}
