/** The phrase suggester: what a whole text is likely to mean, by a noisy channel of words that are like those written. */
import { illegalArgument } from '../errors.js';
import { TYPE } from '../mapping/field.js';
import { parseJson } from '../json/jsonText.js';
import { isObject, type JsonObject } from '../json/values.js';
import { CandidateGenerator } from './candidates.js';
import {
  type Compiled,
  type Entry,
  numberNamed,
  type Option,
  shardSizeOf,
  type SuggestContext,
  type SuggestShard,
  tokensOf,
} from './context.js';
import { bestCorrections, type CandidateSet, type Correction, joined, phraseScore } from './corrections.js';
import { type PhraseOptions, readPhraseOptions } from './phraseOptions.js';
import { termOf } from './spellchecker.js';
import { WordScorer } from './wordScorers.js';

/** The smallest double above zero, over which everything scores. */
const LEAST = Number.MIN_VALUE;

export function phraseSuggester(body: JsonObject, context: SuggestContext): Compiled {
  const options = readPhraseOptions(body, context);
  const of = (text: string) => ({
    size: options.size,
    order: 'score' as const,
    run: async (shard: SuggestShard) => [await suggest(text, options, context, shard)],
  });
  return { field: options.field, of };
}

async function suggest(
  text: string,
  options: PhraseOptions,
  context: SuggestContext,
  shard: SuggestShard,
): Promise<Entry> {
  const entry: Entry = { text, offset: 0, length: text.length, options: [], cutoff: LEAST };
  const opened = await Promise.all(
    options.generators.map((each) => CandidateGenerator.open(shard, each, options.realWord, context)),
  );
  const generators = opened.filter((each) => each !== undefined);
  const words = await FrequencyCache.open(shard, options.field, context);
  if (generators.length === 0 || words === undefined) return entry;
  const sets = await candidateSets(text, options, generators, context);
  if (sets.length === 0 || sets.length >= options.tokenLimit) return entry;
  const scorer = new WordScorer(words, options.smoothing, options.realWord, options.separator);
  const { gramSize, maxErrors, confidence } = options;
  const corrections = await words.settled((): Correction[] => {
    if (confidence > 0) {
      const own = phraseScore(
        sets.map(({ original }) => original),
        scorer,
        gramSize,
      );
      entry.cutoff = own * confidence;
    }
    const cutoff = entry.cutoff ?? LEAST;
    return bestCorrections(sets, scorer, { wanted: shardSizeOf(options), maxErrors, cutoff, gramSize });
  });
  entry.options = await collated(corrections, options, shard);
  return entry;
}

/** What may stand at each place of the text. */
async function candidateSets(
  text: string,
  { field, analyzer, needsUnigram, realWord, tokenLimit, shardSize, size }: PhraseOptions,
  generators: readonly CandidateGenerator[],
  context: SuggestContext,
): Promise<CandidateSet[]> {
  const [main] = generators;
  const tokens = tokensOf(text, context.model.find(field)?.field, analyzer, context);
  const used = tokens.filter(({ type }) => !needsUnigram || type !== 'shingle');
  if (used.length === 0 && tokens.length > 0) {
    throw illegalArgument('At least one unigram is required but all tokens were ngrams');
  }
  if (used.length > 8 * tokenLimit) return new Array(tokenLimit);
  const frequencies = await main!.frequencies(used.map(({ term }) => term));
  const sets: CandidateSet[] = [];
  let position = 0;
  for (const [i, { term, position: at, type }] of used.entries()) {
    const set = sets.at(-1);
    const frequency = frequencies[i]!;
    if (at === position && type === 'SYNONYM' && set !== undefined) {
      if (frequency > 0) set.candidates.push(main!.candidate(term, frequency, realWord, false));
    } else sets.push({ original: main!.candidate(term, frequency, 1, true), candidates: [] });
    position = at;
  }
  if (sets.length >= tokenLimit) return sets;
  const kept = shardSizeOf({ size, shardSize });
  await Promise.all(
    sets.map(async (set) => {
      for (const generator of generators) await generator.draw(set);
      if (set.candidates.length > kept)
        set.candidates = set.candidates.sort((a, b) => b.score - a.score).slice(0, kept);
    }),
  );
  return sets;
}

/** The corrections as options; those that a query finds nothing with are left out or marked. */
async function collated(
  corrections: readonly Correction[],
  { tags, collate }: PhraseOptions,
  shard: SuggestShard,
): Promise<Option[]> {
  const found: Option[] = [];
  for (const { score, words } of corrections) {
    const text = joined(words);
    const option: Option = { text, score: Math.fround(score) };
    if (tags !== undefined) option.highlighted = joined(words, tags);
    if (collate !== undefined) {
      const matches = await shard.finds(collateQuery(collate, text));
      if (!matches && !collate.prune) continue;
      if (collate.prune) option.collateMatch = matches;
    }
    found.push(option);
  }
  return found;
}

function collateQuery({ template, params, isFilter }: NonNullable<PhraseOptions['collate']>, text: string) {
  const query: unknown = parseJson(template.render({ ...params, suggestion: text }));
  if (!isObject(query)) throw illegalArgument('suggester[phrase][collate] the template makes no query');
  return isFilter ? { constant_score: { filter: query } } : query;
}

/** How often terms of a field occur, asked for many at once: what isn't known yet counts as never, and all is done again. */
class FrequencyCache {
  readonly #shard: SuggestShard;
  readonly #field: number;
  readonly #hasFrequencies: boolean;
  readonly #known = new Map<string, number>();
  #missing = new Set<string>();
  readonly size: number;
  readonly terms: number;

  private constructor(
    shard: SuggestShard,
    field: number,
    { maxDoc, occurrences, terms }: { maxDoc: number; occurrences: number; terms: number },
  ) {
    this.#shard = shard;
    this.#field = field;
    this.#hasFrequencies = occurrences >= 0;
    this.size = this.#hasFrequencies ? occurrences : maxDoc;
    this.terms = terms;
  }

  static async open(
    shard: SuggestShard,
    name: string,
    context: SuggestContext,
  ): Promise<FrequencyCache | undefined> {
    const field = numberNamed(name, context);
    // Every document has a type.
    const { documents, fields } = await shard.statistics([field, TYPE]);
    const { segments, occurrences, terms } = fields[0]!;
    if (segments === 0) return undefined;
    // As in Lucene, the terms of a shard of several segments are not counted, even if one alone has the field.
    const counted = fields[1]!.segments === 1 ? terms : -1;
    return new FrequencyCache(shard, field, { maxDoc: documents, occurrences, terms: counted });
  }

  frequency(term: string): number {
    const known = this.#known.get(term);
    if (known === undefined) this.#missing.add(term);
    return known ?? 0;
  }

  /** Works something out, again and again until all that it asks for is known. */
  async settled<T>(work: () => T): Promise<T> {
    for (;;) {
      const result = work();
      if (this.#missing.size === 0) return result;
      const terms = [...this.#missing];
      this.#missing = new Set();
      const found = await this.#shard.frequencies(terms.map((term) => termOf(this.#field, term)));
      found.forEach(({ documents, occurrences }, i) => {
        this.#known.set(terms[i]!, this.#hasFrequencies ? occurrences : documents);
      });
    }
  }
}
