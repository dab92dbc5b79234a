/** The highlights of hits: the plain highlighter of 1.7. */

import type { Highlight, HighlightOptions } from '../dsl/highlight.js';
import type { PlanNode } from '../dsl/plan.js';
import { type ElasticsearchError, illegalArgument } from '../errors.js';
import { FieldValues } from '../index/fieldValues.js';
import { wildcard } from '../index/names.js';
import type { VisibleDocument } from '../index/sourcePaths.js';
import type { LeafField } from '../mapping/field.js';
import type { MappingModel } from '../mapping/model.js';
import { StringField } from '../mapping/strings.js';
import { bestFragments, type Fragment, fragmentsOf } from './fragments.js';
import { queryTerms } from './queryTerms.js';

/** The names of highlighters, each with what it is called. */
const TYPES = new Map([
  ['plain', 'plain'],
  ['highlighter', 'plain'],
  ['fvh', 'fvh'],
  ['fast-vector-highlighter', 'fvh'],
  ['postings', 'postings'],
  ['postings-highlighter', 'postings'],
]);

/** 400: a highlighter that there isn't, or that the mapping of a field has nothing for. */
export function highlightProblem(model: MappingModel, { fields }: Highlight): ElasticsearchError | undefined {
  for (const { pattern, options } of fields) {
    if (options.type === undefined && options.fragmenter === undefined) continue;
    for (const type of model.typeNames()) {
      for (const [name, field] of fieldsOf(model, type, pattern)) {
        const problem = problemOf(name, field, options);
        if (problem !== undefined) return illegalArgument(problem);
      }
    }
  }
  return undefined;
}

function problemOf(
  name: string,
  field: LeafField,
  { type = 'plain', fragmenter }: HighlightOptions,
): string | undefined {
  const { term_vector: vectors, index_options: indexed } = field.toJSON();
  switch (TYPES.get(type)) {
    case undefined:
      return `unknown highlighter type [${type}] for the field [${name}]`;
    case 'fvh':
      if (typeof vectors === 'string' && vectors.startsWith('with_positions_offsets')) return undefined;
      return `the field [${name}] should be indexed with term vector with position offsets to be used with fast vector highlighter`;
    case 'postings':
      if (indexed === 'offsets') return undefined;
      return `the field [${name}] should be indexed with positions and offsets in the postings list to be used with postings highlighter`;
  }
  return fragmenter === undefined || fragmenter === 'simple' || fragmenter === 'span'
    ? undefined
    : `unknown fragmenter option [${fragmenter}] for the field [${name}]`;
}

/** The fields of a type that a name or a pattern means, by the names that the answer gives them. */
function fieldsOf(model: MappingModel, type: string, pattern: string): [string, LeafField][] {
  const leaves = [...(model.type(type)?.root.leaves() ?? [])];
  if (pattern.includes('*')) {
    const test = wildcard(pattern);
    return leaves.filter(({ fullName }) => test(fullName)).map((field) => [field.fullName, field]);
  }
  const field =
    leaves.find(({ fullName }) => fullName === pattern) ??
    leaves.find(({ fullName }) => fullName.endsWith(`.${pattern}`)) ??
    model.find(pattern)?.field;
  return field === undefined ? [] : [[pattern, field]];
}

/** The highlights of a hit by field; undefined if there is none. */
export function highlightsOf(
  document: VisibleDocument,
  model: MappingModel,
  { query, fields }: Highlight,
): Record<string, string[]> | undefined {
  const found: Record<string, string[]> = {};
  let seen: FieldValues | undefined;
  let whole: FieldValues | undefined;
  for (const { pattern, options } of fields) {
    for (const [name, field] of fieldsOf(model, document.type, pattern)) {
      if (!(field instanceof StringField)) continue;
      let values: FieldValues;
      if (field.stored && !options.forceSource) {
        whole ??= new FieldValues(document.whole ?? document.source);
        values = whole;
      } else {
        seen ??= new FieldValues(document.source);
        values = seen;
      }
      const texts = values
        .leaves(field.sourcePath)
        .map((text) => (text.startsWith('"') ? (JSON.parse(text) as string) : text));
      const fragments = highlightField(texts, field, model, options.query ?? query, options);
      if (fragments.length > 0) found[name] = fragments;
    }
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

function highlightField(
  texts: readonly string[],
  field: LeafField,
  model: MappingModel,
  query: PlanNode,
  options: HighlightOptions,
): string[] {
  const analyzer = model.registry.analyzer(field.indexAnalyzer());
  if (analyzer === undefined) return [];
  const { before, after, noMatchSize } = options;
  const encode = options.html ? encodeHtml : (text: string) => text;
  const size = options.fragments === 0 ? undefined : options.fragmentSize;
  const cutting = { size, spans: options.fragmenter !== 'simple', encode, before, after };
  const wanted = options.fragments === 0 ? 1 : options.fragments;
  const all: Fragment[] = [];
  for (const text of texts) {
    const tokens = analyzer.analyze(text);
    const positions = new Map<string, number[]>();
    for (const { term, position } of tokens) {
      const known = positions.get(term);
      if (known === undefined) positions.set(term, [position]);
      else known.push(position);
    }
    const terms = queryTerms(query, positions, options.requireFieldMatch ? field.number : undefined);
    if (terms.size > 0) all.push(...bestFragments(fragmentsOf(text, tokens, terms, cutting), wanted));
  }
  if (options.scoreOrdered) all.sort((a, b) => Math.round(b.score - a.score));
  const kept = options.fragments === 0 && texts.length > 1 ? all : all.slice(0, Math.max(0, wanted));
  if (kept.length > 0) return kept.map(({ text }) => text);
  const [first] = texts;
  if (noMatchSize <= 0 || first === undefined) return [];
  let end = -1;
  for (const { endOffset } of analyzer.analyze(first)) {
    if (endOffset > noMatchSize) break;
    end = endOffset;
  }
  return end > 0 ? [first.slice(0, end)] : [];
}

const ESCAPES: Record<string, string> = {
  '"': '&quot;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#x27;',
  '/': '&#x2F;',
};

function encodeHtml(text: string): string {
  return text.replace(/["&<>'/]/g, (letter) => ESCAPES[letter]!);
}
