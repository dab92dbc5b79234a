/** How probable a word is behind those before it: the smoothing models of the phrase suggester. */

/** A word that may stand at one place of a phrase. */
export interface Candidate {
  term: string;
  /** How often it occurs where candidates come from. */
  frequency: number;
  /** How alike it is to what was written; 1 for what was. */
  distance: number;
  score: number;
  userInput: boolean;
}

/** A model and its parameters. */
export type Smoothing =
  | { kind: 'stupidBackoff'; discount: number }
  | { kind: 'laplace'; alpha: number }
  | { kind: 'linear'; trigram: number; bigram: number; unigram: number };

/** What is known of the field with the words and shingles. */
export interface Vocabulary {
  /** All occurrences of all terms. */
  size: number;
  /** How many terms there are; -1 where that is not known. */
  terms: number;
  /** How often a term occurs. */
  frequency(term: string): number;
}

/** Keeps a division from being one by zero. */
const TINY = 0.00000000001;

/** Scores the words of phrases. */
export class WordScorer {
  readonly #words: Vocabulary;
  readonly #model: Smoothing;
  readonly #realWord: number;
  readonly #separator: string;

  /** @param realWord how probable it is that a word that is as it was written is right */
  constructor(words: Vocabulary, model: Smoothing, realWord: number, separator: string) {
    this.#words = words;
    this.#model = model;
    this.#realWord = realWord;
    this.#separator = separator;
  }

  /** The logarithm of the probability of the word at a place, given those before it. */
  score(path: readonly Candidate[], at: number, gramSize: number): number {
    const word = path[at]!;
    const channel = word.distance === 1 ? this.#realWord : word.distance;
    return Math.log10(channel * this.#probability(path, at, gramSize));
  }

  #probability(path: readonly Candidate[], at: number, gramSize: number): number {
    if (at === 0 || gramSize === 1) return this.#unigram(path[at]!);
    if (at === 1 || gramSize === 2) return this.#bigram(path[at]!, path[at - 1]!);
    return this.#trigram(path[at]!, path[at - 1]!, path[at - 2]!);
  }

  #count(...words: Candidate[]): number {
    return this.#words.frequency(words.map(({ term }) => term).join(this.#separator));
  }

  #unigram(word: Candidate): number {
    return (1 + this.#words.frequency(word.term)) / (this.#words.size + this.#words.terms);
  }

  #bigram(word: Candidate, before: Candidate): number {
    const count = this.#count(before, word);
    switch (this.#model.kind) {
      case 'stupidBackoff':
        if (count < 1) return this.#model.discount * this.#unigram(word);
        return count / (before.frequency + TINY);
      case 'laplace': {
        const { alpha } = this.#model;
        return (alpha + count) / (alpha + before.frequency + this.#words.size);
      }
      case 'linear': {
        const { bigram, unigram } = this.#model;
        if (count < 1) return unigram * this.#unigram(word);
        return bigram * (count / (0.5 + before.frequency)) + unigram * this.#unigram(word);
      }
    }
  }

  #trigram(word: Candidate, before: Candidate, first: Candidate): number {
    switch (this.#model.kind) {
      case 'stupidBackoff': {
        const { discount } = this.#model;
        const pair = this.#count(before, word);
        if (pair < 1) return discount * this.#unigram(word);
        const count = this.#count(first, before, word);
        if (count < 1) return discount * (pair / (before.frequency + TINY));
        return count / (pair + TINY);
      }
      case 'laplace': {
        const { alpha } = this.#model;
        const count = this.#count(first, before, word);
        return (alpha + count) / (alpha + this.#count(before, word) + this.#words.size);
      }
      case 'linear': {
        // 1.7 looks these up backwards.
        const count = this.#count(word, before, first);
        if (count < 1) return this.#bigram(word, before);
        const pair = this.#count(word, before);
        return this.#model.trigram * (count / (1 + pair)) + this.#bigram(word, before);
      }
    }
  }
}
