/** The highlights of hits: which fields have some, and by which highlighter. */

import type { Highlight, HighlightOptions } from '../dsl/highlight.js';
import type { PlanNode } from '../dsl/plan.js';
import { ElasticsearchError, illegalArgument } from '../errors.js';
import { FieldValues } from '../index/fieldValues.js';
import { wildcard } from '../index/names.js';
import type { VisibleDocument } from '../index/sourcePaths.js';
import type { LeafField } from '../mapping/field.js';
import type { MappingModel } from '../mapping/model.js';
import { storedAll } from '../mapping/storedAll.js';
import { StringField } from '../mapping/strings.js';
import type { JsonObject } from '../mapping/values.js';
import { leastSize, type VectorCutting, vectorBeginning, vectorFragments } from './fastVector.js';
import { flatQueries } from './flatQueries.js';
import { mergedPhrases, phrasesOf } from './phraseList.js';
import { placedTokens, positionsOf } from './placedTokens.js';
import { plainHighlight } from './plain.js';
import { postingsHighlight } from './postings.js';

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
    if (options.type === undefined && options.fragmenter === undefined && options.fragmentSize >= 18)
      continue;
    for (const type of model.typeNames()) {
      for (const [name, field] of fieldsOf(model, type, pattern)) {
        const problem = problemOf(name, field, options);
        if (problem !== undefined) return illegalArgument(problem);
        const least = leastSize(marginOf(options));
        if (typeOf(field, options) === 'fvh' && options.fragments !== 0 && options.fragmentSize < least) {
          return fetchFailure(
            name,
            `fragCharSize(${options.fragmentSize}) is too small. It must be ${least} or higher.`,
          );
        }
      }
    }
  }
  return undefined;
}

function fetchFailure(name: string, detail: string): ElasticsearchError {
  return new ElasticsearchError(
    'FetchPhaseExecutionException',
    `Fetch Failed [Failed to highlight field [${name}]]`,
    {
      status: 500,
      nested: new ElasticsearchError('IllegalArgumentException', detail),
    },
  );
}

function problemOf(name: string, field: LeafField, options: HighlightOptions): string | undefined {
  const { fragmenter } = options;
  switch (typeOf(field, options)) {
    case undefined:
      return `unknown highlighter type [${options.type}] for the field [${name}]`;
    case 'fvh':
      if (hasVectors(field)) return undefined;
      return `the field [${name}] should be indexed with term vector with position offsets to be used with fast vector highlighter`;
    case 'postings':
      if (field.toJSON().index_options === 'offsets') return undefined;
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
      const kept = allKept(document, model, field, options);
      const texts =
        kept ??
        values
          .leaves(field.sourcePath)
          .map((text) => (text.startsWith('"') ? (JSON.parse(text) as string) : text));
      const fragments = highlightField(texts, field, model, options.query ?? query, options);
      if (fragments.length > 0) found[name] = fragments;
    }
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

const decoder = new TextDecoder();

/** The text of `_all` if that is what is wanted and it is kept. */
function allKept(
  { type, whole, source }: VisibleDocument,
  model: MappingModel,
  field: LeafField,
  { forceSource }: HighlightOptions,
): string[] | undefined {
  const mapping = model.type(type);
  if (field.fullName !== '_all' || forceSource || mapping?.all?.stored !== true) return undefined;
  const bytes = whole ?? source;
  return bytes.length === 0 ? [] : [storedAll(mapping, JSON.parse(decoder.decode(bytes)) as JsonObject)];
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
  const encode = options.html ? encodeHtml : (text: string) => text;
  const only = options.requireFieldMatch ? field.number : undefined;
  switch (typeOf(field, options)) {
    case 'fvh':
      return fastVectorHighlight(texts, field, model, query, options, encode);
    case 'postings': {
      const text = { values: texts, analyzer, gap: field.core?.positionGap ?? 0 };
      return postingsHighlight(text, query, only, options, encode);
    }
    default:
      return plainHighlight(texts, analyzer, query, only, options, encode);
  }
}

/** The highlighter of a field: the one that was asked for, else the best that its mapping has something for. */
function typeOf(field: LeafField, { type }: HighlightOptions): string | undefined {
  if (type !== undefined) return TYPES.get(type);
  if (hasVectors(field)) return 'fvh';
  return field.toJSON().index_options === 'offsets' ? 'postings' : 'plain';
}

function hasVectors(field: LeafField): boolean {
  const { term_vector: vectors } = field.toJSON();
  return typeof vectors === 'string' && vectors.startsWith('with_positions_offsets');
}

function fastVectorHighlight(
  values: readonly string[],
  field: LeafField,
  model: MappingModel,
  query: PlanNode,
  options: HighlightOptions,
  encode: (text: string) => string,
): string[] {
  const fields =
    options.matchedFields.length === 0
      ? [field]
      : options.matchedFields.flatMap((name) => model.find(name)?.field ?? []);
  const lists = fields.filter(hasVectors).map((each) => {
    const analyzer = model.registry.analyzer(each.indexAnalyzer());
    if (analyzer === undefined) return [];
    const tokens = placedTokens({ values, analyzer, gap: each.core?.positionGap ?? 0 });
    const flat = flatQueries(query, positionsOf(tokens), options.filters);
    const wanted = options.requireFieldMatch ? flat.filter((one) => one.field === each.number) : flat;
    return phrasesOf(tokens, wanted, options.phraseLimit);
  });
  const cutting: VectorCutting = {
    size: options.fragments === 0 ? undefined : options.fragmentSize,
    count: options.fragments === 0 ? Number.MAX_SAFE_INTEGER : options.fragments,
    margin: marginOf(options),
    scoreOrdered: options.scoreOrdered && options.fragments !== 0,
    boundaries: new Set(options.boundaryChars),
    maxScan: options.boundaryMaxScan,
    before: options.before,
    after: options.after,
    encode,
  };
  const phrases = options.matchedFields.length === 0 ? lists.flat() : mergedPhrases(lists);
  const found = vectorFragments(values, phrases, cutting);
  if (found.length > 0 || options.noMatchSize <= 0) return found;
  return vectorBeginning(values, options.noMatchSize, cutting);
}

/** Room before the first term of a fragment of the fast vector highlighter. */
function marginOf({ fragmentOffset }: HighlightOptions): number {
  return fragmentOffset === undefined || fragmentOffset === -1 ? 6 : fragmentOffset;
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
