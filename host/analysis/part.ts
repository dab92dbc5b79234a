/** The parts that an analyzer is made of: stages of the core, or functions of the host where a part is rare or needs regular expressions. */
import type { TokenList } from '../core/result.js';
import { Args } from './args.js';

/** A stage that the core runs: its kind and its arguments, as `assembly/analysis/README.md` draws them. */
export interface CorePart {
  kind: number;
  args: Uint8Array;
}

/** A char filter on the host. */
export interface HostCharFilter {
  /** The filtered text, and for each offset in it the offset in the text that was given. */
  filterText(text: string): { text: string; correct(offset: number): number };
}

/** A tokenizer on the host; positions start at 1. */
export interface HostTokenizer {
  tokenize(text: string): TokenList;
}

/** A token filter on the host; it may change the tokens it is given. */
export interface HostTokenFilter {
  filterTokens(list: TokenList): TokenList;
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
