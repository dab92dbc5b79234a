/** Term vectors: the terms of one document, made of its source, with what the shards know of them. */
import type { Analyzer } from '../analysis/analyzer.js';
import type { Payloads } from '../analysis/payloads.js';
import type { LeafField } from '../mapping/field.js';
import { parseJson } from '../json/jsonText.js';
import { keptValues } from '../mapping/keptValues.js';
import { storedAll } from '../mapping/storedAll.js';
import { StringField } from '../mapping/strings.js';
import { textTerm } from '../mapping/terms.js';
import { isObject, type JsonObject } from '../json/values.js';
import { FieldValues } from '../json/fieldValues.js';
import { parseInTurns, parseLax } from '../json/laxJson.js';
import { wildcard } from '../text/wildcard.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { searchedShards } from './chosenShards.js';
import type { SearchedShard } from '../shard/searchedShard.js';
import { type FieldStatistics, type FieldTerm, type Frequency, TermReader } from '../shard/termReader.js';
import { putOwn } from '../ownNames.js';
import { Passes } from '../passes.js';
import { inTurns, type Turns, type WorkLimit } from '../workLimit.js';

/** Steps of a work limit: of a field, and of a word of it. */
const FIELD_STEPS = 64;
const TERM_STEPS = 8;

/** What is wanted. */
export interface VectorOptions {
  /** Names and patterns; undefined: the fields whose mappings keep term vectors. */
  fields: readonly string[] | undefined;
  offsets: boolean;
  positions: boolean;
  payloads: boolean;
  fieldStatistics: boolean;
  termStatistics: boolean;
  /** Whether all shards' statistics count together. */
  dfs: boolean;
  /** Analyzers in place of those of the mapping. */
  analyzers: Readonly<Record<string, string>>;
}

/** Where a term stands. */
export interface VectorToken {
  position?: number;
  start_offset?: number;
  end_offset?: number;
  /** In Base64. */
  payload?: string;
}

/** One term. */
export interface VectorTerm {
  doc_freq?: number;
  ttf?: number;
  term_freq: number;
  tokens?: VectorToken[];
}

/** One field. */
export interface FieldVector {
  field_statistics?: { sum_doc_freq: number; doc_count: number; sum_ttf: number };
  terms: Record<string, VectorTerm>;
}

/** What of each token is shown. */
interface Shown {
  positions: boolean;
  offsets: boolean;
  payloads?: Payloads | undefined;
}

/** A field with the terms that the document has in it. */
interface Part {
  name: string;
  field: LeafField;
  shows: Shown;
  terms: Map<string, VectorToken[]>;
}

/** A document whose vectors are asked for. */
export interface VectorDocument {
  type: string;
  source: Uint8Array;
  /**
   * `given`: it might be in the shard, and all its texts are shown where nothing is chosen. `refreshed`: searches find it, and what the
   * mapping keeps of it is there. What is written and not refreshed yet is analyzed as if it were given.
   */
  kind: 'given' | 'written' | 'refreshed';
}

/** The vectors of a document. */
export async function termVectors(
  index: OpenIndex,
  shard: SearchedShard,
  document: VectorDocument,
  options: VectorOptions,
  limit: WorkLimit,
): Promise<Record<string, FieldVector>> {
  const parts = await inTurns(partsOf(index, document, options, limit), limit);
  const shards = options.dfs ? searchedShards(index) : [shard];
  const fields = parts.map(({ field }) => field.number);
  const terms = options.termStatistics ? parts.flatMap(termsOf) : [];
  const [statistics, frequencies] = await Promise.all([
    options.fieldStatistics ? fieldSums(shards, fields, limit) : [],
    termSums(shards, terms, limit),
  ]);
  return inTurns(vectorsOf(parts, options, statistics, frequencies, limit), limit);
}

/** What is shown of the fields. */
function* vectorsOf(
  parts: readonly Part[],
  options: VectorOptions,
  statistics: readonly FieldSums[],
  frequencies: readonly Frequency[],
  limit: WorkLimit,
): Turns<Record<string, FieldVector>> {
  const out: Record<string, FieldVector> = {};
  let at = 0;
  for (const [i, part] of parts.entries()) {
    const vector: FieldVector = {
      ...(options.fieldStatistics ? { field_statistics: shown(statistics[i]!, part) } : {}),
      terms: {},
    };
    for (const [text, tokens] of [...part.terms].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (limit.isDue(TERM_STEPS)) yield;
      const known = options.termStatistics ? frequencies[at++] : undefined;
      const there = known !== undefined && known.documents > 0;
      putOwn(vector.terms, text, {
        ...(there
          ? { doc_freq: known.documents, ttf: hasFrequencies(part.field) ? known.occurrences : -1 }
          : {}),
        term_freq: tokens.length,
        ...(showsTokens(part.shows) ? { tokens } : {}),
      });
    }
    putOwn(out, part.name, vector);
  }
  return out;
}

function showsTokens({ positions, offsets, payloads }: Shown): boolean {
  return positions || offsets || payloads !== undefined;
}

/** What shards know of a field. */
type FieldSums = Pick<FieldStatistics, 'postings' | 'documents' | 'occurrences' | 'segments'>;

/** What is known of a field; where no shard has it, what the document makes of it. */
function shown(known: FieldSums, { terms }: Part) {
  if (known.segments > 0)
    return { sum_doc_freq: known.postings, doc_count: known.documents, sum_ttf: known.occurrences };
  const occurrences = [...terms.values()].reduce((sum, tokens) => sum + tokens.length, 0);
  return { sum_doc_freq: terms.size, doc_count: 1, sum_ttf: occurrences };
}

function hasFrequencies(field: LeafField): boolean {
  return ((field.core?.flags ?? 0) & 1) !== 0;
}

function termsOf({ field, terms }: Part): FieldTerm[] {
  return [...terms.keys()].sort().map((text) => ({ field: field.number, term: textTerm(text) }));
}

async function fieldSums(shards: readonly SearchedShard[], fields: readonly number[], limit: WorkLimit) {
  const all = await Promise.all(
    shards.map((shard) => new TermReader(shard.searches, limit).statistics(fields)),
  );
  return fields.map((_, i) =>
    all.reduce(
      (sum, each) => {
        const { postings, documents, occurrences, segments } = each.fields[i]!;
        return {
          postings: sum.postings + postings,
          documents: sum.documents + documents,
          occurrences: occurrences < 0 || sum.occurrences < 0 ? -1 : sum.occurrences + occurrences,
          segments: sum.segments + segments,
        };
      },
      { postings: 0, documents: 0, occurrences: 0, segments: 0 },
    ),
  );
}

async function termSums(
  shards: readonly SearchedShard[],
  terms: readonly FieldTerm[],
  limit: WorkLimit,
): Promise<Frequency[]> {
  if (terms.length === 0) return [];
  const all = await Promise.all(
    shards.map((shard) => new TermReader(shard.searches, limit).frequencies(terms)),
  );
  return terms.map((_, i) => ({
    documents: all.reduce((sum, each) => sum + each[i]!.documents, 0),
    occurrences: all.reduce((sum, each) => sum + each[i]!.occurrences, 0),
  }));
}

/** The fields that are shown, with their terms; those that the document has nothing in are left out. */
function* partsOf(
  { model }: OpenIndex,
  document: VectorDocument,
  options: VectorOptions,
  limit: WorkLimit,
): Turns<Part[]> {
  const type = model.type(document.type);
  if (type === undefined) return [];
  const values = yield* FieldValues.inTurns(document.source, limit);
  const source = yield* parseObject(document.source, limit);
  const isAnalyzed = document.kind !== 'refreshed';
  const parts: Part[] = [];
  function* add(
    field: LeafField,
    texts: readonly string[],
    own: string | undefined,
    isKept: boolean,
  ): Turns<void> {
    // One that there isn't is that of fields that name none.
    const analyzer =
      model.registry.analyzer(own ?? field.indexAnalyzer()) ??
      model.registry.analyzer('default_index') ??
      model.registry.analyzer('default');
    if (texts.length === 0 || analyzer === undefined) return;
    // What is made for this request has all of it; what the mapping keeps, what that says.
    const { vectorPositions, vectorOffsets, vectorPayloads } = field.traits;
    const shows = {
      positions: options.positions && (!isKept || vectorPositions),
      offsets: options.offsets && (!isKept || vectorOffsets),
      payloads:
        options.payloads && isKept && vectorPayloads
          ? model.registry.payloads(field.indexAnalyzer())
          : undefined,
    };
    const terms = yield* tokensOf(texts, analyzer, gapOf(field, model.registry), shows, limit);
    if (terms.size > 0) parts.push({ name: field.fullName, field, shows, terms });
  }
  for (const field of type.root.leaves()) {
    if (limit.isDue(FIELD_STEPS)) yield;
    if (!(field instanceof StringField) || field.number < 0 || !field.isIndexed) continue;
    const { vectors } = field.traits;
    const own = Object.hasOwn(options.analyzers, field.fullName)
      ? options.analyzers[field.fullName]
      : undefined;
    const isShown =
      options.fields === undefined
        ? vectors || document.kind === 'given' || (own !== undefined && document.kind === 'refreshed')
        : isWanted(field, options.fields);
    if (!isShown) continue;
    const isKept = !isAnalyzed && vectors && own === undefined;
    const isOwn = isAnalyzed || isKept || field.stored;
    // Parts of nested objects have their vectors to themselves.
    if (isOwn && !model.reaches(field.fullName, undefined)) continue;
    const texts = isOwn
      ? keptValues(type.root, field, source).map(String)
      : values.leaves(field.sourcePath).map((text) => (text.startsWith('"') ? JSON.parse(text) : text));
    yield* add(field, texts, own, isKept);
  }
  const { all } = type;
  if (all?.traits.vectors === true && !isAnalyzed && isWanted(all, options.fields ?? ['_all']))
    yield* add(all, [storedAll(type, source)], undefined, true);
  // By their names, as Lucene keeps the vectors of a document.
  return parts.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Characters of a source that is parsed in turns. */
const LONG_SOURCE = 64 * 1024;

function* parseObject(bytes: Uint8Array, limit: WorkLimit): Turns<JsonObject> {
  const text = new TextDecoder().decode(bytes);
  let value: unknown;
  try {
    value = text.length > LONG_SOURCE ? yield* parseInTurns(text, limit) : parseJson(text);
  } catch {
    value = parseLax(text);
  }
  return isObject(value) ? value : {};
}

function isWanted({ fullName, shortName }: LeafField, patterns: readonly string[]): boolean {
  return patterns.map(wildcard).some((fits) => fits(fullName) || fits(shortName));
}

function gapOf(field: LeafField, registry: { positionGap(name: string): number }): number {
  const gap = field.core?.positionGap ?? 0;
  return gap > 0 ? gap : registry.positionGap(field.indexAnalyzer());
}

/** The terms of the values of a field, one value behind the other. */
function* tokensOf(
  texts: readonly string[],
  analyzer: Analyzer,
  gap: number,
  shows: Shown,
  limit: WorkLimit,
): Turns<Map<string, VectorToken[]>> {
  const terms = new Map<string, VectorToken[]>();
  let position = -1;
  let offset = 0;
  for (const text of texts) {
    let last = 0;
    const passes = new Passes(limit);
    const payloadAt = yield* passes.inTurns(() => shows.payloads?.read(text));
    for (const token of yield* passes.inTurns(() => analyzer.analyze(text))) {
      if (limit.isDue(TERM_STEPS)) yield;
      last = token.position;
      const shown: VectorToken = {};
      if (shows.positions) shown.position = position + token.position;
      if (shows.offsets) {
        shown.start_offset = offset + token.startOffset;
        shown.end_offset = offset + token.endOffset;
      }
      const payload = payloadAt?.(token.startOffset, token.endOffset);
      if (payload !== undefined) shown.payload = btoa(String.fromCharCode(...payload));
      const known = terms.get(token.term);
      if (known === undefined) terms.set(token.term, [shown]);
      else known.push(shown);
    }
    position += last + gap;
    offset += text.length + 1;
  }
  return terms;
}
