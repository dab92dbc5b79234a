/** The highlights of hits: which fields have some, and by which highlighter. */

import type { Highlight, HighlightOptions } from './request.js';
import type { PlanNode } from '../plan/nodes.js';
import { ElasticsearchError, illegalArgument } from '../errors.js';
import { keywordAnalyzer } from '../analysis/analyzer.js';
import { wildcard } from '../text/wildcard.js';
import { outOfBounds } from '../compat17/javaCasts.js';
import { hashOrder } from '../compat17/javaHash.js';
import type { LeafField } from '../mapping/field.js';
import type { MappingModel } from '../mapping/model.js';
import { leastSize, type VectorCutting, vectorBeginning, vectorFragments } from './fastVector.js';
import { analyzerOf, FieldTexts, type HighlightedDocument } from './fieldTexts.js';
import { flatQueries } from './flatQueries.js';
import type { Waiting } from './fragments.js';
import { mergedPhrases, phrasesOf } from './phraseList.js';
import { placedTokens, positionsOf } from './placedTokens.js';
import { type PlainOptions, plainHighlight } from './plain.js';
import { postingsHighlight } from './postings.js';
import { putOwn } from '../ownNames.js';
import { Passes } from '../passes.js';
import type { Turns, WorkLimit } from '../workLimit.js';

/** The names of highlighters, each with what it is called. */
const TYPES = new Map([
  ['plain', 'plain'],
  ['highlighter', 'plain'],
  ['fvh', 'fvh'],
  ['fast-vector-highlighter', 'fvh'],
  ['postings', 'postings'],
  ['postings-highlighter', 'postings'],
]);

/** So many steps of a work limit that the clock is looked at: for each field, and between the parts of the work on it. */
const PART_STEPS = 1024;

/**
 * The highlights of a hit by field; undefined if there is none. Throws where a field can't be highlighted as is asked.
 * @param work counts the steps
 * @param shared what the hits of one shard have in common
 */
export function* highlightsOf(
  hit: HighlightedDocument,
  { query, fields }: Highlight,
  work: WorkLimit,
  shared = new Highlighters(query),
): Turns<Record<string, string[]> | undefined> {
  const { model, document } = hit;
  const found: Record<string, string[]> = {};
  const texts = new FieldTexts(hit);
  for (const { pattern, options } of fields) {
    for (const [name, field] of fieldsOf(model, document.type, pattern)) {
      if (work.isDue(PART_STEPS)) yield;
      const passes = new Passes(work);
      try {
        const fragments = yield* highlightField(name, field, texts, model, options, shared, work, passes);
        if (fragments.length > 0) putOwn(found, name, fragments);
      } finally {
        passes.forget();
      }
    }
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

/**
 * What the highlighters of 1.7 make once: the plain one is made for a field, with the options it has the first time; the others take
 * the query of the first field.
 */
export class Highlighters {
  readonly #query: PlanNode;
  readonly #plain = new Map<LeafField, { made: HighlightOptions; waiting: Waiting }>();
  readonly #queries = new Map<string, PlanNode>();

  constructor(query: PlanNode) {
    this.#query = query;
  }

  plain(field: LeafField, own: HighlightOptions): PlainOptions & { query: PlanNode } {
    const known = this.#plain.get(field) ?? { made: own, waiting: { until: -1 } };
    this.#plain.set(field, known);
    const { made, waiting } = known;
    return { made, waiting, own, query: made.query ?? this.#query };
  }

  query(type: 'fvh' | 'postings', { query = this.#query, requireFieldMatch }: HighlightOptions): PlanNode {
    const key = type === 'fvh' ? `${type} ${requireFieldMatch}` : type;
    const first = this.#queries.get(key) ?? query;
    this.#queries.set(key, first);
    return first;
  }
}

/**
 * The fields of a type that a name or a pattern means, by the names that the answer gives them. Those of a pattern come in the
 * order of a `HashSet` of their names, whatever the mapping's.
 */
function fieldsOf(model: MappingModel, type: string, pattern: string): [string, LeafField][] {
  const leaves = [...(model.type(type)?.root.leaves() ?? [])];
  if (pattern.includes('*')) {
    const test = wildcard(pattern);
    const meant = new Map(leaves.map((field) => [field.fullName, field] as const));
    for (const name of meant.keys()) if (!test(name)) meant.delete(name);
    return hashOrder([...meant.keys()].sort()).map((name) => [name, meant.get(name)!]);
  }
  const field =
    leaves.find(({ fullName }) => fullName === pattern) ??
    leaves.find(({ fullName }) => fullName.endsWith(`.${pattern}`)) ??
    (pattern.startsWith('_') ? model.find(pattern)?.field : undefined);
  return field === undefined ? [] : [[pattern, field]];
}

function* highlightField(
  name: string,
  field: LeafField,
  texts: FieldTexts,
  model: MappingModel,
  options: HighlightOptions,
  shared: Highlighters,
  work: WorkLimit,
  passes: Passes,
): Turns<string[]> {
  const encode = options.html ? encodeHtml : (text: string) => text;
  const only = options.requireFieldMatch ? field.number : undefined;
  const type = typeOf(field, options);
  if (type === undefined)
    throw illegalArgument(`unknown highlighter type [${options.type}] for the field [${name}]`);
  const values = () => texts.of(field, options.forceSource, work);
  const isElsewhere = !texts.has(field);
  if (type === 'fvh') {
    if (!hasVectors(field)) {
      throw illegalArgument(
        `the field [${name}] should be indexed with term vector with position offsets to be used with fast vector highlighter`,
      );
    }
    checkVectorOptions(name, options);
    const found = isElsewhere ? undefined : shared.query(type, options);
    return yield* fastVectorHighlight(yield* values(), field, model, found, options, encode, work, passes);
  }
  if (type === 'postings') {
    if (!hasOffsets(field)) {
      throw illegalArgument(
        `the field [${name}] should be indexed with positions and offsets in the postings list to be used with postings highlighter`,
      );
    }
    checkTags(options);
    const analyzer = analyzerOf(field, model);
    if (analyzer === undefined) return [];
    const text = { values: yield* values(), analyzer, gap: field.core?.positionGap ?? 0, isElsewhere };
    return yield* postingsHighlight(text, shared.query(type, options), only, options, encode, work, passes);
  }
  const { query, ...plain } = shared.plain(field, options);
  checkPlainOptions(name, plain.made);
  const analyzer = analyzerOf(field, model);
  const all = analyzer === undefined ? [] : yield* values();
  return yield* plainHighlight(all, analyzer ?? keywordAnalyzer, query, only, plain, encode, work, passes);
}

function checkTags({ before, after }: HighlightOptions): void {
  if (before.length > 0 && after.length > 0) return;
  throw outOfBounds(0, 0);
}

function checkPlainOptions(name: string, options: HighlightOptions): void {
  const { fragmenter, fragments } = options;
  if (fragments !== 0 && fragmenter !== undefined && fragmenter !== 'simple' && fragmenter !== 'span')
    throw illegalArgument(`unknown fragmenter option [${fragmenter}] for the field [${name}]`);
  checkTags(options);
}

function checkVectorOptions(name: string, options: HighlightOptions): void {
  const { fragments, fragmentSize } = options;
  const margin = marginOf(options);
  const least = leastSize(margin);
  if (fragments !== 0 && margin < 0)
    throw fetchFailure(name, `margin(${margin}) is too small. It must be 0 or higher.`);
  if (fragments !== 0 && fragmentSize < least)
    throw fetchFailure(name, `fragCharSize(${fragmentSize}) is too small. It must be ${least} or higher.`);
  if (fragments < 0) throw fetchFailure(name, `maxNumFragments(${fragments}) must be positive number.`);
}

/** 500: what goes wrong as a field is highlighted; whoever reads the hits says in what search. */
function fetchFailure(name: string, detail: string): ElasticsearchError {
  return new ElasticsearchError(
    'FetchPhaseExecutionException',
    `Fetch Failed [Failed to highlight field [${name}]]`,
    { status: 500, nested: new ElasticsearchError('IllegalArgumentException', detail) },
  );
}

/** The highlighter of a field: the one that was asked for, else the best that its mapping has something for. */
function typeOf(field: LeafField, { type }: HighlightOptions): string | undefined {
  if (type !== undefined) return TYPES.get(type);
  if (hasVectors(field)) return 'fvh';
  return hasOffsets(field) ? 'postings' : 'plain';
}

function hasOffsets(field: LeafField): boolean {
  return field.toJSON().index_options === 'offsets';
}

function hasVectors(field: LeafField): boolean {
  const { term_vector: vectors } = field.toJSON();
  return typeof vectors === 'string' && vectors.startsWith('with_positions_offsets');
}

function* fastVectorHighlight(
  values: readonly string[],
  field: LeafField,
  model: MappingModel,
  query: PlanNode | undefined,
  options: HighlightOptions,
  encode: (text: string) => string,
  work: WorkLimit,
  passes: Passes,
): Turns<string[]> {
  const fields =
    options.matchedFields.length === 0
      ? [field]
      : options.matchedFields.flatMap((name) => model.find(name)?.field ?? []);
  const lists: ReturnType<typeof phrasesOf>[] = [];
  for (const each of fields.filter(hasVectors)) {
    const analyzer = model.registry.analyzer(each.indexAnalyzer());
    if (analyzer === undefined || query === undefined) {
      lists.push([]);
      continue;
    }
    const tokens = yield* placedTokens({ values, analyzer, gap: each.core?.positionGap ?? 0 }, work, passes);
    if (work.isDue(PART_STEPS)) yield;
    const positions = positionsOf(tokens);
    if (work.isDue(PART_STEPS)) yield;
    const flat = flatQueries(query, positions, { filters: options.filters });
    const wanted = options.requireFieldMatch ? flat.filter((one) => one.field === each.number) : flat;
    lists.push(phrasesOf(tokens, wanted, options.phraseLimit));
    if (work.isDue(PART_STEPS)) yield;
  }
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
