/** What may stand in place of a word: words of a field that are like it, as often as the field has them. */
import { numberNamed, type SuggestContext, type SuggestShard } from './context.js';
import type { CandidateSet } from './corrections.js';
import type { Generator } from './phraseOptions.js';
import { similarWords, termOf } from './spellchecker.js';
import type { Candidate } from './wordScorers.js';

const LOG_BASE = 5;

/** Draws candidates from one field of one shard. */
export class CandidateGenerator {
  readonly #shard: SuggestShard;
  readonly #options: Generator;
  readonly #field: number;
  readonly #maxDoc: number;
  /** All occurrences of all words, or the documents where the field has no frequencies. */
  readonly #size: number;
  readonly #hasFrequencies: boolean;
  readonly #realWord: number;

  private constructor(
    shard: SuggestShard,
    options: Generator,
    realWord: number,
    field: number,
    { maxDoc, occurrences }: { maxDoc: number; occurrences: number },
  ) {
    this.#shard = shard;
    this.#options = options;
    this.#realWord = realWord;
    this.#field = field;
    this.#maxDoc = maxDoc;
    this.#hasFrequencies = occurrences >= 0;
    this.#size = this.#hasFrequencies ? occurrences : maxDoc;
  }

  /** Undefined where the shard has no term of the field. */
  static async open(
    shard: SuggestShard,
    options: Generator,
    realWord: number,
    context: SuggestContext,
  ): Promise<CandidateGenerator | undefined> {
    const field = numberNamed(options.field, context);
    const { documents, fields } = await shard.statistics([field]);
    const { segments, occurrences } = fields[0]!;
    if (segments === 0) return undefined;
    return new CandidateGenerator(shard, options, realWord, field, { maxDoc: documents, occurrences });
  }

  /** How often words occur. */
  async frequencies(words: readonly string[]): Promise<number[]> {
    return this.#frequencies(words.map((word) => this.#filtered(word)));
  }

  async #frequencies(words: readonly string[]): Promise<number[]> {
    const found = await this.#shard.frequencies(words.map((word) => termOf(this.#field, word)));
    return found.map(({ documents, occurrences }) => (this.#hasFrequencies ? occurrences : documents));
  }

  /** A candidate of a word that occurs so often. */
  candidate(term: string, frequency: number, distance: number, userInput: boolean): Candidate {
    return { term, frequency, distance, score: this.#score(frequency, distance), userInput };
  }

  /** Adds what is like the word that was written. */
  async draw(set: CandidateSet): Promise<void> {
    const { settings, size, postFilter } = this.#options;
    const { term, frequency } = set.original;
    const word = this.#filtered(term);
    const [own] = await this.#shard.frequencies([termOf(this.#field, word)]);
    const misspelled = { field: this.#field, word, documents: own!.documents, maxDoc: this.#maxDoc };
    const least = settings.mode === 'always' ? 0 : this.#threshold(frequency);
    const similar = await similarWords(this.#shard, misspelled, settings, size, least);
    const frequencies = await this.#frequencies(similar.map((each) => each.word));
    const drawn: Candidate[] = [];
    for (const [i, { word: found, score, freq }] of similar.entries()) {
      const candidate = {
        term: found,
        frequency: frequencies[i]!,
        distance: score,
        score: this.#score(freq, score),
        userInput: false,
      };
      if (postFilter === undefined) drawn.push(candidate);
      else drawn.push(...(await this.#postFiltered(candidate)));
    }
    const terms = new Set<string>();
    set.candidates = [...drawn, ...set.candidates].filter((each) => {
      if (terms.has(each.term)) return false;
      terms.add(each.term);
      return true;
    });
  }

  async #postFiltered(candidate: Candidate): Promise<Candidate[]> {
    const tokens = this.#options.postFilter!.analyze(candidate.term);
    const score = this.#score(candidate.frequency, candidate.distance);
    const found: Candidate[] = [];
    let position = 0;
    for (const token of tokens) {
      const same = token.position > position && token.term === candidate.term;
      position = token.position;
      if (same) {
        const [frequency = 0] = await this.frequencies([token.term]);
        found.push({ ...candidate, frequency, score });
      } else found.push({ ...candidate, term: token.term, distance: this.#realWord, score });
    }
    return found;
  }

  /** A word behind the analyzer that words go through: the last of its tokens. */
  #filtered(word: string): string {
    const { preFilter } = this.#options;
    return preFilter === undefined ? word : (preFilter.analyze(word).at(-1)?.term ?? word);
  }

  #score(frequency: number, distance: number): number {
    return distance * ((frequency + 1) / (this.#size + 1));
  }

  /** How often a candidate must occur: more often than what was written, the more so the more often that does. */
  #threshold(frequency: number): number {
    if (frequency <= 0) return 0;
    const { minDocFreq } = this.#options.settings;
    const plateau = minDocFreq >= 1 ? Math.trunc(minDocFreq) : Math.trunc(this.#size * minDocFreq);
    const times = Math.log10(frequency - plateau) * (1 / Math.log10(LOG_BASE));
    const threshold = Math.floor(frequency * times + 1 + 0.5);
    return Number.isNaN(threshold) ? 0 : Math.fround(Math.max(0, threshold));
  }
}
