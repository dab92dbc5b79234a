/** The parts that an analyzer is made of: stages of the core, or functions of the host where a part is rare or needs regular expressions. */
import type { TokenList } from '../core/result.js';
import type { Turns } from '../workLimit.js';
import { Args } from './args.js';

/** A stage that the core runs: its kind and its arguments, as `assembly/analysis/README.md` draws them. */
export interface CorePart {
  kind: number;
  args: Uint8Array;
}

/** What a char filter on the host makes of a text. */
export interface FilteredText {
  text: string;
  /** For each offset in it the offset in the text that was given. */
  correct(offset: number): number;
}

// Parts on the host stop after every few thousand steps: their patterns may take long for long texts.

/** A char filter on the host. */
export interface HostCharFilter {
  /** How many steps it may take for a character; 1 if that isn't told. */
  readonly stepsOfCharacter?: number;
  filterText(text: string): Turns<FilteredText>;
}

/** A tokenizer on the host; positions start at 1. */
export interface HostTokenizer {
  /** How many steps it may take for a character; 1 if that isn't told. */
  readonly stepsOfCharacter?: number;
  tokenize(text: string): Turns<TokenList>;
}

/** A token filter on the host; it may change the tokens it is given. */
export interface HostTokenFilter {
  /** How many steps it may take for a character; 1 if that isn't told. */
  readonly stepsOfCharacter?: number;
  filterTokens(list: TokenList): Turns<TokenList>;
}

export type CharFilterPart = CorePart | HostCharFilter;
export type TokenizerPart = CorePart | HostTokenizer;
export type TokenFilterPart = CorePart | HostTokenFilter;

/** A part of the core without arguments, or with those that `write` writes. */
export function corePart(kind: number, write?: (args: Args) => void): CorePart {
  const args = new Args();
  write?.(args);
  return { kind, args: args.bytes() };
}
