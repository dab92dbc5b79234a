/** What suggesters share: where they are compiled for, what they read of a shard, and what they find. */
import type { Analyzer, Token } from '../analysis/analyzer.js';
import type { AnalyzerRegistry } from '../analysis/registry.js';
import { illegalArgument } from '../errors.js';
import type { Confined } from '../query/reach.js';
import type { TermMatcher } from '../plan/termMatcher.js';
import { type LeafField, UNKNOWN_FIELD } from '../mapping/field.js';
import type { MappingModel } from '../mapping/model.js';
import { strictIntOf, textOf } from '../json/values.js';

/** What suggestions are compiled for. */
export interface SuggestContext {
  index: string;
  model: MappingModel;
  registry: AnalyzerRegistry;
  confined?: Confined;
}

/** What a suggester asks of one shard. */
export interface SuggestShard {
  statistics(fields: readonly number[]): Promise<{
    documents: number;
    live: number;
    fields: readonly { segments: number; terms: number; occurrences: number }[];
  }>;
  frequencies(
    terms: readonly { field: number; term: Uint8Array }[],
  ): Promise<{ documents: number; occurrences: number }[]>;
  alike(
    field: number,
    matcher: TermMatcher,
    bounds: { above: number; least: number; limit: number },
  ): Promise<{ term: Uint8Array; documents: number; worth: number }[]>;
  heaviest(
    field: number,
    matcher: TermMatcher,
    limit: number,
  ): Promise<{
    segments: number;
    entries: { term: Uint8Array; segment: number; document: number; weight: number }[];
  }>;
  /** Whether the whole index has a match for a query. */
  finds(query: unknown): Promise<boolean>;
}

/** Something suggested. */
export interface Option {
  text: string;
  /** 32 bits. */
  score: number;
  highlighted?: string | undefined;
  /** Of a term: how many documents have it. */
  freq?: number | undefined;
  /** Of a completion: JSON, as it was indexed. */
  payload?: string | undefined;
  collateMatch?: boolean | undefined;
}

/** A part of the text with what is suggested for it. */
export interface Entry {
  text: string;
  offset: number;
  length: number;
  options: Option[];
  /** Options must score more than this. */
  cutoff?: number;
}

/** A suggester's options, read; the text comes later. */
export interface Compiled {
  field: string | undefined;
  of(text: string): Suggestion;
}

/** How the answers of shards become one, and in what order. */
export type Order = 'score' | 'termScore' | 'termFrequency';

/** A suggestion, ready to run on shards. */
export interface Suggestion {
  size: number;
  order: Order;
  /** What a shard suggests. */
  run(shard: SuggestShard): Promise<Entry[]>;
}

/** What all suggesters are told, while it is read. */
export interface Common {
  field: string | undefined;
  analyzer: Analyzer | undefined;
  /** Its name. */
  analyzerName: string | undefined;
  size: number;
  shardSize: number | undefined;
}

const DEFAULT_SIZE = 5;

/** Reads one of the options that all suggesters have; false if it is none. */
export function readCommon(common: Common, name: string, value: unknown, context: SuggestContext): boolean {
  switch (name) {
    case 'analyzer': {
      const analyzer = context.registry.analyzer(textOf(value) ?? '');
      if (analyzer === undefined) throw illegalArgument(`Analyzer [${textOf(value)}] doesn't exists`);
      common.analyzer = analyzer;
      common.analyzerName = textOf(value);
      return true;
    }
    case 'field':
      common.field = textOf(value);
      return true;
    case 'size':
      common.size = positive('Size', value);
      return true;
    case 'shard_size':
    case 'shardSize':
      common.shardSize = positive('ShardSize', value);
      return true;
    default:
      return false;
  }
}

function positive(what: string, value: unknown): number {
  const number = strictIntOf(value);
  if (number <= 0) throw illegalArgument(`${what} must be positive but was: ${number}`);
  return number;
}

/** Nothing told yet. */
export function noneTold(): Common {
  return {
    field: undefined,
    analyzer: undefined,
    analyzerName: undefined,
    size: DEFAULT_SIZE,
    shardSize: undefined,
  };
}

/** How many options each shard gives. */
export function shardSizeOf({ size, shardSize }: Pick<Common, 'size' | 'shardSize'>): number {
  return shardSize ?? Math.max(size, DEFAULT_SIZE);
}

/** `minWordLength` becomes `min_word_length`. */
export function underscored(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The field that is indexed under a name: its whole name, since what is indexed knows of no types and no shorter names. */
export function fieldNamed(name: string, { model }: SuggestContext): LeafField | undefined {
  const found = model.find(name);
  if (found === undefined || found.type !== undefined) return undefined;
  const { field } = found;
  return field.fullName === name || field.indexName === name ? field : undefined;
}

/** The number of its terms. */
export function numberNamed(name: string, context: SuggestContext): number {
  const number = fieldNamed(name, context)?.number ?? -1;
  return number < 0 ? UNKNOWN_FIELD : number;
}

/** The tokens of a text by the given analyzer, else by the one that the field is searched with, else by the default. */
export function tokensOf(
  text: string,
  field: LeafField | undefined,
  given: Analyzer | undefined,
  { registry }: SuggestContext,
): Token[] {
  const analyzer =
    given ??
    (field === undefined
      ? (registry.analyzer('default_search') ?? registry.analyzer('default'))
      : registry.analyzer(field.searchAnalyzer()));
  return analyzer?.analyze(text) ?? [];
}
