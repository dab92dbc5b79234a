/** Parts of an analyzer → runs of core stages and host functions, and the analysis of a text with them. */
import type { Token, TokenList } from '../core/result.js';
import { encodeTokens } from '../core/result.js';
import { encodeUtf8 } from '../text/utf8.js';
import { encodeChain } from './args.js';
import { StageKind } from '../core/abi/stages.js';
import {
  type CharFilterPart,
  type CorePart,
  corePart,
  type HostCharFilter,
  type TokenFilterPart,
  type TokenizerPart,
} from './part.js';

/** Runs a chain of the core, given as its definition, over UTF-8 or encoded tokens. */
export type RunChain = (chain: Uint8Array, input: Uint8Array) => TokenList;

const utf8 = new TextEncoder();

/** What an analyzer does, in order. */
export interface AnalyzerParts {
  charFilters: readonly CharFilterPart[];
  tokenizer: TokenizerPart;
  filters: readonly TokenFilterPart[];
}

/** Something that the host does on the way from a text to the tokens that the last chain takes. */
type Step = (tokens: TokenList, run: RunChain) => TokenList;

/**
 * An analyzer, compiled. Most are one chain of the core (`chain`), fed with texts. Where the host has a part in it,
 * `prepare` does everything up to the last such part, and `chain` goes on from its tokens.
 */
export class CompiledAnalyzer {
  /** The chain's definition, or that of the rest of it. */
  readonly chain: Uint8Array;
  readonly #first: ((text: string, run: RunChain) => TokenList) | undefined;
  readonly #steps: readonly Step[];

  constructor(parts: AnalyzerParts) {
    const hostText = parts.charFilters.findLastIndex((part) => !isCore(part));
    const hostTokenizer = !isCore(parts.tokenizer);
    const hostFilter = parts.filters.findLastIndex((part) => !isCore(part));
    if (hostText < 0 && !hostTokenizer && hostFilter < 0) {
      this.chain = encodeChain([
        ...(parts.charFilters as CorePart[]),
        parts.tokenizer as CorePart,
        ...(parts.filters as CorePart[]),
      ]);
      this.#first = undefined;
      this.#steps = [];
      return;
    }
    this.#first = tokenSource(parts, hostText >= 0 || hostTokenizer);
    this.#steps = filterSteps(parts.filters.slice(0, hostFilter + 1));
    this.chain = encodeChain([given(), ...(parts.filters.slice(hostFilter + 1) as CorePart[])]);
  }

  /** Whether texts have to go through {@link prepare} before the chain takes them. */
  get onHost(): boolean {
    return this.#first !== undefined;
  }

  /** What the chain takes for a text. */
  prepare(text: string, run: RunChain): Uint8Array<ArrayBuffer> {
    if (this.#first === undefined) return encodeUtf8(text);
    return encodeTokens(this.#steps.reduce((tokens, step) => step(tokens, run), this.#first(text, run)));
  }

  /** The tokens of a text. */
  analyze(text: string, run: RunChain): Token[] {
    return run(this.chain, this.prepare(text, run)).tokens;
  }
}

function isCore(part: object): part is CorePart {
  return 'kind' in part;
}

/** The tokenizer that takes tokens made on the host. */
function given(): CorePart {
  return corePart(StageKind.given);
}

/** From a text to the tokenizer's tokens, in the offsets of that text. */
function tokenSource(parts: AnalyzerParts, onHost: boolean): (text: string, run: RunChain) => TokenList {
  const { charFilters, tokenizer } = parts;
  if (!onHost) {
    const chain = encodeChain([...(charFilters as CorePart[]), tokenizer as CorePart]);
    return (text, run) => run(chain, utf8.encode(text));
  }
  // The char filters are run one by one, each with its map of offsets.
  const texts = charFilters.map(textFilter);
  const tokenize = isCore(tokenizer)
    ? coreTokenizer(encodeChain([tokenizer]))
    : (text: string, _run: RunChain) => tokenizer.tokenize(text);
  return (text, run) => {
    const corrections: ((offset: number) => number)[] = [];
    let filtered = text;
    for (const filter of texts) {
      const result = filter(filtered, run);
      filtered = result.text;
      corrections.push(result.correct);
    }
    const list = tokenize(filtered, run);
    for (const token of list.tokens) {
      for (let i = corrections.length; i-- > 0; ) {
        token.startOffset = corrections[i]!(token.startOffset);
        token.endOffset = corrections[i]!(token.endOffset);
      }
    }
    return list;
  };
}

function coreTokenizer(chain: Uint8Array): (text: string, run: RunChain) => TokenList {
  return (text, run) => run(chain, utf8.encode(text));
}

type TextFilter = (text: string, run: RunChain) => ReturnType<HostCharFilter['filterText']>;

/** A char filter as a function. */
function textFilter(part: CharFilterPart): TextFilter {
  if (!isCore(part)) return (text) => part.filterText(text);
  const chain = encodeChain([part, corePart(StageKind.filteredText)]);
  return (text, run) => {
    const [filtered, ...places] = run(chain, utf8.encode(text)).tokens;
    return {
      text: filtered?.term ?? '',
      correct(offset) {
        let low = 0;
        let high = places.length;
        while (low < high) {
          const middle = (low + high) >>> 1;
          if (places[middle]!.startOffset <= offset) low = middle + 1;
          else high = middle;
        }
        const place = places[low - 1];
        return place === undefined ? offset : place.endOffset + offset - place.startOffset;
      },
    };
  };
}

/** Filters up to the last one of the host, runs of core stages as one step each. */
function filterSteps(filters: readonly TokenFilterPart[]): Step[] {
  const steps: Step[] = [];
  let stages: CorePart[] = [];
  const flush = () => {
    if (stages.length === 0) return;
    const chain = encodeChain([given(), ...stages]);
    steps.push((tokens, run) => run(chain, encodeTokens(tokens)));
    stages = [];
  };
  for (const part of filters) {
    if (isCore(part)) {
      stages.push(part);
      continue;
    }
    flush();
    steps.push((tokens) => part.filterTokens(tokens));
  }
  flush();
  return steps;
}
