/** Words of a field that are like a given one: Lucene's DirectSpellChecker, which finds them in the dictionary itself. */
import type { TermMatcher } from '../plan/termMatcher.js';
import { fuzzyMatcher } from '../query/term/termMatchers.js';
import { ElasticsearchError, illegalArgument } from '../errors.js';
import { textTerm } from '../mapping/terms.js';
import { strictFloatOf, strictIntOf, textOf } from '../json/values.js';
import { type SuggestShard, underscored } from './context.js';
import { type DistanceName, measureOf } from './distances.js';

/** When words are suggested. */
export type SuggestMode = 'missing' | 'popular' | 'always';

/** So many automata are kept. */
const MAX_MATCHERS = 200;

/** The automata of one request: all shards run the same. */
export class FuzzyMatchers {
  readonly #made = new Map<string, TermMatcher>();

  of(word: string, edits: number, prefixLength: number): TermMatcher {
    const key = `${edits}.${prefixLength}.${word}`;
    let matcher = this.#made.get(key);
    if (matcher === undefined) {
      matcher = fuzzyMatcher(word, edits, prefixLength);
      if (this.#made.size >= MAX_MATCHERS) this.#made.clear();
      this.#made.set(key, matcher);
    }
    return matcher;
  }
}

/** Which words are candidates, and in what order. */
export interface SpellcheckerSettings {
  mode: SuggestMode;
  accuracy: number;
  sort: 'score' | 'frequency';
  distance: DistanceName;
  maxEdits: number;
  maxInspections: number;
  /** A word in more documents (below 1: more of all) is right as it is. */
  maxTermFreq: number;
  prefixLength: number;
  minWordLength: number;
  /** A candidate is in more documents than this (below 1: more of all). */
  minDocFreq: number;
  matchers: FuzzyMatchers;
}

export function defaultSettings(): SpellcheckerSettings {
  return {
    mode: 'missing',
    accuracy: 0.5,
    sort: 'score',
    distance: 'internal',
    maxEdits: 2,
    maxInspections: 5,
    maxTermFreq: Math.fround(0.01),
    prefixLength: 1,
    minWordLength: 4,
    minDocFreq: 0,
    matchers: new FuzzyMatchers(),
  };
}

const MODES: readonly string[] = ['missing', 'popular', 'always'];
const SORTS: readonly string[] = ['score', 'frequency'];
const DISTANCES: readonly string[] = [
  'internal',
  'damerau_levenshtein',
  'levenstein',
  'jarowinkler',
  'ngram',
];

/** Reads one option; false if it is none of these. */
export function readSetting(settings: SpellcheckerSettings, given: string, value: unknown): boolean {
  const text = textOf(value) ?? '';
  switch (underscored(given)) {
    case 'accuracy':
      settings.accuracy = Math.fround(strictFloatOf(value));
      return true;
    case 'suggest_mode': {
      const mode = text.toLowerCase();
      if (!MODES.includes(mode)) throw illegalArgument(`Illegal suggest mode ${mode}`);
      settings.mode = mode as SuggestMode;
      return true;
    }
    case 'sort':
      if (!SORTS.includes(text)) throw illegalArgument(`Illegal suggest sort ${text}`);
      settings.sort = text as SpellcheckerSettings['sort'];
      return true;
    case 'string_distance': {
      const name = text === 'damerauLevenshtein' ? 'damerau_levenshtein' : text;
      if (!DISTANCES.includes(name)) throw illegalArgument(`Illegal distance option ${text}`);
      settings.distance = name as DistanceName;
      return true;
    }
    case 'max_edits':
      settings.maxEdits = strictIntOf(value);
      if (settings.maxEdits < 1 || settings.maxEdits > 2)
        throw illegalArgument(`Illegal max_edits value ${settings.maxEdits}`);
      return true;
    case 'max_inspections':
      settings.maxInspections = strictIntOf(value);
      return true;
    case 'max_term_freq':
      settings.maxTermFreq = Math.fround(strictFloatOf(value));
      return true;
    case 'prefix_length':
    case 'prefix_len':
      settings.prefixLength = strictIntOf(value);
      return true;
    case 'min_word_length':
    case 'min_word_len':
      settings.minWordLength = strictIntOf(value);
      return true;
    case 'min_doc_freq':
      settings.minDocFreq = Math.fround(strictFloatOf(value));
      return true;
    default:
      return false;
  }
}

/** A word that is suggested. */
export interface SimilarWord {
  word: string;
  /** How alike it is, 32 bits. */
  score: number;
  /** Documents that have it. */
  freq: number;
}

/** The word that is looked at. */
export interface Misspelled {
  field: number;
  word: string;
  /** Documents that have it, and documents in all. */
  documents: number;
  maxDoc: number;
}

/** Characters of a word that others are looked for: its automaton has some states for each. */
const MAX_WORD = 2000;
const FRACTIONAL = 'Fractional absolute document frequencies are not allowed';
/** Where the words in reach of the edits are measured anew, no more of them than this are looked at. */
const MAX_MEASURED = 50_000;
const MAX_KEPT = 100_000;

/** Up to `wanted` words like the given one, the best first. `minDocFreq` takes the place of that of the settings. */
export async function similarWords(
  shard: SuggestShard,
  { field, word, documents, maxDoc }: Misspelled,
  settings: SpellcheckerSettings,
  wanted: number,
  minDocFreq = settings.minDocFreq,
): Promise<SimilarWord[]> {
  const { mode, maxTermFreq, maxEdits } = settings;
  if (!isFrequency(maxTermFreq) || !isFrequency(minDocFreq))
    throw new ElasticsearchError('IllegalArgumentException', FRACTIONAL);
  const length = Array.from(word).length;
  if (length > MAX_WORD || (settings.minWordLength > 0 && length < settings.minWordLength)) return [];
  if (mode === 'missing' && documents > 0) return [];
  if (maxTermFreq >= 1 && documents > maxTermFreq) return [];
  if (documents > Math.ceil(Math.fround(maxTermFreq * maxDoc))) return [];
  let above = mode === 'popular' ? documents : 0;
  if (minDocFreq >= 1) above = Math.max(above, Math.trunc(minDocFreq));
  else if (minDocFreq > 0) above = Math.max(above, Math.trunc(Math.fround(minDocFreq * maxDoc)) - 1);
  const inspected = Math.min(MAX_KEPT, wanted * Math.max(0, settings.maxInspections));
  const draw = (edits: number) => candidates(shard, field, word, edits, above, inspected, settings);
  // One edit often is enough.
  let found = await draw(1);
  if (maxEdits > 1 && found.length < inspected) {
    const known = new Set(found.map((each) => each.word));
    found = [...found, ...(await draw(maxEdits)).filter((each) => !known.has(each.word))];
  }
  const order = settings.sort === 'frequency' ? byFrequency : byScore;
  return found.sort(order).slice(0, wanted);
}

function isFrequency(value: number): boolean {
  return value < 1 || Number.isInteger(value);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function byScore(a: SimilarWord, b: SimilarWord): number {
  return b.score - a.score || b.freq - a.freq || byText(a.word, b.word);
}

function byFrequency(a: SimilarWord, b: SimilarWord): number {
  return b.freq - a.freq || b.score - a.score || byText(a.word, b.word);
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

async function candidates(
  shard: SuggestShard,
  field: number,
  word: string,
  edits: number,
  above: number,
  kept: number,
  { distance, prefixLength, accuracy, matchers }: SpellcheckerSettings,
): Promise<SimilarWord[]> {
  const matcher = matchers.of(word, edits, Math.max(prefixLength, edits - 1));
  const measure = measureOf(distance);
  if (measure === undefined) {
    // One more than is wanted: the word itself may be among them.
    const found = await shard.alike(field, matcher, { above, least: accuracy, limit: kept + 1 });
    return found
      .map(({ term, documents, worth }) => ({ word: utf8.decode(term), score: worth, freq: documents }))
      .filter((each) => each.word !== word)
      .slice(0, kept);
  }
  const found = await shard.alike(field, matcher, { above, least: 0, limit: MAX_MEASURED });
  found.sort((a, b) => compare(a.term, b.term));
  const best: SimilarWord[] = [];
  for (const { term, documents, worth } of found) {
    const worst = best.at(-1);
    if (kept === 0 || (best.length >= kept && worst !== undefined && worth <= worst.score)) continue;
    const text = utf8.decode(term);
    const score = measure(word, text);
    if (text === word || score < accuracy) continue;
    let at = best.length;
    while (at > 0 && best[at - 1]!.score < score) at--;
    best.splice(at, 0, { word: text, score, freq: documents });
    if (best.length > kept) best.pop();
  }
  return best;
}

function compare(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

/** A term as the shard is asked for it. */
export function termOf(field: number, word: string): { field: number; term: Uint8Array } {
  return { field, term: textTerm(word) };
}
