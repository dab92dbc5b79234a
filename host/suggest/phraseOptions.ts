/** The options of the phrase suggester. */
import type { Analyzer } from '../analysis/analyzer.js';
import { Mustache } from '../query/compound/mustache.js';
import { illegalArgument } from '../errors.js';
import { jsonText } from '../json/jsonText.js';
import {
  booleanOf,
  strictFloatOf,
  isCompound,
  isObject,
  type JsonObject,
  strictIntOf,
  textOf,
} from '../json/values.js';
import { type Common, noneTold, readCommon, type SuggestContext, underscored } from './context.js';
import { defaultSettings, readSetting, type SpellcheckerSettings } from './spellchecker.js';
import type { Smoothing } from './wordScorers.js';

/** Where candidates come from. */
export interface Generator {
  field: string;
  /** Candidates that it gives for a word. */
  size: number;
  settings: SpellcheckerSettings;
  /** What words, and what candidates, go through. */
  preFilter: Analyzer | undefined;
  postFilter: Analyzer | undefined;
}

/** A query that each suggestion is tried with. */
export interface Collate {
  template: Mustache;
  isFilter: boolean;
  params: JsonObject;
  /** Whether suggestions that find nothing are marked, and not left out. */
  prune: boolean;
}

/** All of them. */
export interface PhraseOptions extends Common {
  field: string;
  realWord: number;
  confidence: number;
  maxErrors: number;
  separator: string;
  gramSize: number;
  needsUnigram: boolean;
  tokenLimit: number;
  smoothing: Smoothing;
  generators: Generator[];
  /** What stands before and behind words that are replaced. */
  tags: { before: string; after: string | undefined } | undefined;
  collate: Collate | undefined;
}

/** A word beside others that were given. */
interface Reading {
  smoothing?: Smoothing;
  gramSize?: number;
}

const WHO = 'suggester[phrase]';

/** Reads them, and fills in what the analyzer of the field says. */
export function readPhraseOptions(body: JsonObject, context: SuggestContext): PhraseOptions {
  const options: PhraseOptions = {
    ...noneTold(),
    field: '',
    realWord: Math.fround(0.95),
    confidence: 1,
    maxErrors: 0.5,
    separator: ' ',
    gramSize: 1,
    needsUnigram: true,
    tokenLimit: 10,
    smoothing: { kind: 'stupidBackoff', discount: Math.fround(0.4) },
    generators: [],
    tags: undefined,
    collate: undefined,
  };
  const common = noneTold();
  const reading: Reading = {};
  for (const [name, value] of Object.entries(body)) {
    if (Array.isArray(value)) {
      if (underscored(name) !== 'direct_generator')
        throw illegalArgument(`${WHO}  doesn't support array field [${name}]`);
      options.generators.push(...readGenerators(value, context));
    } else if (isObject(value)) readObject(name, value, options, reading);
    else if (value === null) throw illegalArgument(`${WHO} doesn't support field [${name}]`);
    else if (!readCommon(common, name, value, context)) readValue(name, value, options, reading);
  }
  const { field } = common;
  if (field === undefined) throw illegalArgument('The required field option is missing');
  const mapped = context.model.find(field)?.field;
  if (mapped === undefined) throw illegalArgument(`No mapping found for field [${field}]`);
  if (reading.smoothing !== undefined) options.smoothing = reading.smoothing;
  const shingles = context.registry.shingles(common.analyzerName ?? mapped.searchAnalyzer());
  if (reading.gramSize !== undefined) options.gramSize = reading.gramSize;
  else if (shingles !== undefined) {
    options.gramSize = shingles.most;
    if (common.analyzerName === undefined && shingles.least > 1 && !shingles.unigrams)
      throw illegalArgument(
        `The default analyzer for field: [${field}] doesn't emit unigrams. If this is intentional try to set the analyzer explicitly`,
      );
  }
  if (options.generators.length === 0) {
    if (shingles !== undefined && shingles.least > 1 && !shingles.unigrams && options.needsUnigram)
      throw illegalArgument(
        `The default candidate generator for phrase suggest can't operate on field: [${field}] since it doesn't emit unigrams. If this is intentional try to set the candidate generator field explicitly`,
      );
    options.generators.push(newGenerator(field));
  }
  return { ...options, ...common, field };
}

function readValue(name: string, value: unknown, options: PhraseOptions, reading: Reading): void {
  switch (underscored(name)) {
    case 'real_word_error_likelihood':
    case 'real_world_error_likelihood':
      options.realWord = Math.fround(strictFloatOf(value));
      if (options.realWord <= 0) throw illegalArgument('real_word_error_likelihood must be > 0.0');
      break;
    case 'confidence':
      options.confidence = Math.fround(strictFloatOf(value));
      if (options.confidence < 0) throw illegalArgument('confidence must be >= 0.0');
      break;
    case 'separator':
      options.separator = textOf(value) ?? '';
      break;
    case 'max_errors':
      options.maxErrors = Math.fround(strictFloatOf(value));
      if (options.maxErrors <= 0) throw illegalArgument('max_error must be > 0.0');
      break;
    case 'gram_size':
      reading.gramSize = strictIntOf(value);
      if (reading.gramSize < 1) throw illegalArgument('gram_size must be >= 1');
      break;
    case 'force_unigrams':
      options.needsUnigram = booleanOf(value);
      break;
    case 'token_limit':
      options.tokenLimit = strictIntOf(value);
      if (options.tokenLimit <= 0) throw illegalArgument('token_limit must be >= 1');
      break;
    default:
      throw illegalArgument(`${WHO} doesn't support field [${name}]`);
  }
}

function readObject(name: string, value: JsonObject, options: PhraseOptions, reading: Reading): void {
  switch (name) {
    case 'smoothing':
      readSmoothing(value, reading);
      break;
    case 'highlight':
      options.tags = readTags(value);
      break;
    case 'collate':
      options.collate = readCollate(value);
      break;
    default:
      // The words that 1.7 has for lists.
      throw illegalArgument(`${WHO}  doesn't support array field [${name}]`);
  }
}

/** Undefined where there is no tag to put before words. */
function readTags(body: JsonObject): PhraseOptions['tags'] {
  let before: string | undefined;
  let after: string | undefined;
  for (const [name, value] of Object.entries(body)) {
    if (value === null || isCompound(value)) continue;
    if (name === 'pre_tag' || name === 'preTag') before = textOf(value);
    else if (name === 'post_tag' || name === 'postTag') after = textOf(value);
    else throw illegalArgument(`${WHO}[highlight] doesn't support field [${name}]`);
  }
  return before === undefined ? undefined : { before, after };
}

function readSmoothing(body: JsonObject, reading: Reading): void {
  for (const [name, model] of Object.entries(body)) {
    if (reading.smoothing !== undefined) throw illegalArgument('only one smoothing model supported');
    const given = isObject(model) ? model : {};
    const number = (key: string, fallback: number) =>
      given[key] === undefined ? fallback : strictFloatOf(given[key]);
    switch (underscored(name)) {
      case 'stupid_backoff':
        reading.smoothing = { kind: 'stupidBackoff', discount: number('discount', 0.4) };
        break;
      case 'laplace':
        reading.smoothing = { kind: 'laplace', alpha: number('alpha', 0.5) };
        break;
      case 'linear':
        reading.smoothing = readLinear(given);
        break;
      default:
        throw illegalArgument(`${WHO} doesn't support object field [${name}]`);
    }
  }
}

function readLinear(body: JsonObject): Smoothing {
  const lambdas = new Map([
    ['trigram_lambda', 0],
    ['bigram_lambda', 0],
    ['unigram_lambda', 0],
  ]);
  for (const [given, value] of Object.entries(body)) {
    const name = underscored(given);
    if (!lambdas.has(name))
      throw illegalArgument(`${WHO}[smoothing][linear] doesn't support field [${given}]`);
    const lambda = strictFloatOf(value);
    if (lambda < 0) throw illegalArgument(`${name} must be positive`);
    lambdas.set(name, lambda);
  }
  const [trigram = 0, bigram = 0, unigram = 0] = lambdas.values();
  const sum = trigram + bigram + unigram;
  if (Math.abs(sum - 1) > 0.001) throw illegalArgument('linear smoothing lambdas must sum to 1');
  return { kind: 'linear', trigram: trigram / sum, bigram: bigram / sum, unigram: unigram / sum };
}

function newGenerator(field: string): Generator {
  return { field, size: 5, settings: defaultSettings(), preFilter: undefined, postFilter: undefined };
}

function readGenerators(list: readonly unknown[], context: SuggestContext): Generator[] {
  return list.filter(isObject).map((body) => {
    const generator = newGenerator('');
    let field: string | undefined;
    for (const [name, value] of Object.entries(body)) {
      if (value === null || isCompound(value)) continue;
      if (readSetting(generator.settings, name, value)) continue;
      switch (underscored(name)) {
        case 'field':
          field = textOf(value) ?? '';
          if (context.model.find(field) === undefined)
            throw illegalArgument(`No mapping found for field [${field}]`);
          break;
        case 'size':
          generator.size = strictIntOf(value);
          if (generator.size < 1) throw illegalArgument('Size must be positive');
          break;
        case 'pre_filter':
          generator.preFilter = analyzerOf(value, context);
          break;
        case 'post_filter':
          generator.postFilter = analyzerOf(value, context);
          break;
        default:
          throw illegalArgument(`CandidateGenerator doesn't support [${name}]`);
      }
    }
    if (field === undefined) throw illegalArgument('The required field option is missing');
    return { ...generator, field };
  });
}

function analyzerOf(value: unknown, { registry }: SuggestContext): Analyzer {
  const analyzer = registry.analyzer(textOf(value) ?? '');
  if (analyzer === undefined) throw illegalArgument(`Analyzer [${textOf(value)}] doesn't exists`);
  return analyzer;
}

function readCollate(body: JsonObject): Collate {
  const who = `${WHO}[collate]`;
  let kind: 'query' | 'filter' | undefined;
  let template = '';
  const collate = { params: {} as JsonObject, prune: false };
  for (const [name, value] of Object.entries(body)) {
    switch (name) {
      case 'query':
      case 'filter':
        if (kind !== undefined)
          throw illegalArgument(`${who} ${kind} already set, doesn't support additional [${name}]`);
        kind = name;
        template = isObject(value) ? jsonText(value) : (textOf(value) ?? '');
        break;
      case 'params':
        collate.params = isObject(value) ? value : {};
        break;
      case 'prune':
        if (!isFlag(value)) throw illegalArgument(`${who} prune must be either 'true' or 'false'`);
        collate.prune = booleanOf(value);
        break;
      default:
        throw illegalArgument(`${who} doesn't support field [${name}]`);
    }
  }
  return { ...collate, template: new Mustache(template), isFilter: kind === 'filter' };
}

const FLAGS: readonly string[] = ['true', 'false', 'on', 'off', 'yes', 'no', '0', '1'];

/** Whether 1.7 takes a value for a flag: booleans, whole numbers, and words that say yes or no. */
function isFlag(value: unknown): boolean {
  if (typeof value === 'string') return FLAGS.includes(value);
  return typeof value === 'boolean' || /^-?\d+$/.test(textOf(value) ?? '');
}
