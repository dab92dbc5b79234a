/** Parts of an analyzer → runs of core stages and host functions, and the analysis of a text with them. */
import type { Token, TokenList } from '../core/result.js';
import {
  decodeTokens,
  decodeTokensInTurns,
  encodeTokens,
  TOKENS_AT_ONCE as TOKEN_BYTES_AT_ONCE,
  tokensSize,
} from '../core/result.js';
import { encodeUtf8 } from '../text/utf8.js';
import { longPart, weighPart } from '../passes.js';
import { atOnce, type Turns } from '../workLimit.js';
import { encodeChain } from './args.js';
import { StageKind } from '../core/abi/stages.js';
import { MAX_TOKEN_BYTES, tooManyTokens } from './tokenLimit.js';
import {
  type CharFilterPart,
  type CorePart,
  corePart,
  type FilteredText,
  type TokenFilterPart,
  type TokenizerPart,
} from './part.js';

/** Runs a chain of the core, given as its definition, over UTF-8 or encoded tokens; many tokens are read in turns. */
export type RunChain = (chain: Uint8Array, input: Uint8Array) => TokenList | Turns<TokenList>;

/** Characters of a text whose tokens are worth remembering where work is begun anew. */
const LONG_TEXT = 1024;
/** Steps of an analysis on the host, of some 30 ns each, that are taken in turns. */
const LONG_STEPS = 64 * 1024;
/** Tokens whose places are corrected at a time. */
const TOKENS_AT_ONCE = 2048;

/** What an analyzer does, in order. */
export interface AnalyzerParts {
  charFilters: readonly CharFilterPart[];
  tokenizer: TokenizerPart;
  filters: readonly TokenFilterPart[];
}

/** Something that the host does on the way from a text to the tokens that the last chain takes. */
type Step = (tokens: TokenList, run: RunChain) => Turns<TokenList>;

/**
 * An analyzer, compiled. Most are one chain of the core (`chain`), fed with texts. Where the host has a part in it,
 * `prepare` does everything up to the last such part, and `chain` goes on from its tokens.
 */
export class CompiledAnalyzer {
  /** The chain's definition, or that of the rest of it. */
  readonly chain: Uint8Array;
  readonly #first: ((text: string, run: RunChain) => Turns<TokenList>) | undefined;
  readonly #steps: readonly Step[];
  /** Whether no stage of the core follows those of the host. */
  readonly #endsOnHost: boolean = false;

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
      this.longFrom = Number.POSITIVE_INFINITY;
      return;
    }
    const all = [...parts.charFilters, parts.tokenizer, ...parts.filters];
    const steps = all.reduce((sum, part) => sum + (isCore(part) ? 1 : (part.stepsOfCharacter ?? 1)), 0);
    this.longFrom = Math.ceil(LONG_STEPS / steps);
    this.#first = tokenSource(parts, hostText >= 0 || hostTokenizer);
    this.#steps = filterSteps(parts.filters.slice(0, hostFilter + 1));
    const rest = parts.filters.slice(hostFilter + 1) as CorePart[];
    this.chain = encodeChain([given(), ...rest]);
    this.#endsOnHost = rest.length === 0;
  }

  /** Bytes of a text from which on analyzing it is a long part. */
  readonly longFrom: number;

  /** Whether texts have to go through {@link prepare} before the chain takes them. */
  get onHost(): boolean {
    return this.#first !== undefined;
  }

  /** What the chain takes for a text: a long part (passes.ts) where the host has one in it. */
  prepare(text: string, run: RunChain): Uint8Array<ArrayBuffer> {
    if (this.#first === undefined) return encodeUtf8(text);
    return longPart(this, text, () => this.#prepared(text, run));
  }

  *#prepared(text: string, run: RunChain): Turns<Uint8Array<ArrayBuffer>> {
    let tokens = yield* this.#first!(text, run);
    for (const step of this.#steps) tokens = yield* step(tokens, run);
    return yield* encodeTokens(tokens);
  }

  /** The tokens of a text. */
  analyze(text: string, run: RunChain): Token[] {
    return this.list(text, run).tokens;
  }

  /** The same with what is behind the last one: a long part where the text is long, or the host has a part in it. */
  list(text: string, run: RunChain): TokenList {
    if (this.#first !== undefined || text.length > LONG_TEXT)
      return longPart(this.chain, text, () => this.#analyzed(text, run));
    const tokens = run(this.chain, encodeUtf8(text));
    return 'tokens' in tokens ? tokens : atOnce(tokens);
  }

  *#analyzed(text: string, run: RunChain): Turns<TokenList> {
    if (this.#first === undefined) return yield* listOf(run(this.chain, encodeUtf8(text)));
    const input = yield* this.#prepared(text, run);
    // Without stages the core gives back what it is given, a million tokens in one turn.
    return this.#endsOnHost ? yield* givenTokens(input) : yield* listOf(run(this.chain, input));
  }
}

/** Encoded tokens as the core would give them back. */
function* givenTokens(bytes: Uint8Array): Turns<TokenList> {
  if (bytes.length > MAX_TOKEN_BYTES) throw tooManyTokens();
  if (bytes.length <= TOKEN_BYTES_AT_ONCE) return decodeTokens(bytes);
  weighPart(tokensSize(bytes));
  return yield* decodeTokensInTurns(bytes);
}

/** Tokens that may have to be read still. */
function* listOf(tokens: TokenList | Turns<TokenList>): Turns<TokenList> {
  return 'tokens' in tokens ? tokens : yield* tokens;
}

function isCore(part: object): part is CorePart {
  return 'kind' in part;
}

/** The tokenizer that takes tokens made on the host. */
function given(): CorePart {
  return corePart(StageKind.given);
}

/** From a text to the tokenizer's tokens, in the offsets of that text. */
function tokenSource(
  parts: AnalyzerParts,
  onHost: boolean,
): (text: string, run: RunChain) => Turns<TokenList> {
  const { charFilters, tokenizer } = parts;
  if (!onHost) {
    const chain = encodeChain([...(charFilters as CorePart[]), tokenizer as CorePart]);
    return (text, run) => listOf(run(chain, encodeUtf8(text)));
  }
  // The char filters are run one by one, each with its map of offsets.
  const texts = charFilters.map(textFilter);
  const tokenize = isCore(tokenizer)
    ? coreTokenizer(encodeChain([tokenizer]))
    : (text: string, _run: RunChain) => tokenizer.tokenize(text);
  return function* (text, run) {
    const corrections: ((offset: number) => number)[] = [];
    let filtered = text;
    for (const filter of texts) {
      const result = yield* filter(filtered, run);
      filtered = result.text;
      corrections.push(result.correct);
    }
    const list = yield* tokenize(filtered, run);
    let steps = 0;
    for (const token of list.tokens) {
      if (++steps % TOKENS_AT_ONCE === 0) yield;
      for (let i = corrections.length; i-- > 0; ) {
        token.startOffset = corrections[i]!(token.startOffset);
        token.endOffset = corrections[i]!(token.endOffset);
      }
    }
    return list;
  };
}

function coreTokenizer(chain: Uint8Array): (text: string, run: RunChain) => Turns<TokenList> {
  return (text, run) => listOf(run(chain, encodeUtf8(text)));
}

type TextFilter = (text: string, run: RunChain) => Turns<FilteredText>;

/** A char filter as a function. */
function textFilter(part: CharFilterPart): TextFilter {
  if (!isCore(part)) return (text) => part.filterText(text);
  const chain = encodeChain([part, corePart(StageKind.filteredText)]);
  return function* (text, run) {
    const { tokens: places } = yield* listOf(run(chain, encodeUtf8(text)));
    return {
      text: places[0]?.term ?? '',
      correct(offset) {
        // The first token is the text itself.
        let low = 1;
        let high = places.length;
        while (low < high) {
          const middle = (low + high) >>> 1;
          if (places[middle]!.startOffset <= offset) low = middle + 1;
          else high = middle;
        }
        const place = places[low - 1];
        return low <= 1 || place === undefined ? offset : place.endOffset + offset - place.startOffset;
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
    steps.push(function* (tokens, run) {
      return yield* listOf(run(chain, yield* encodeTokens(tokens)));
    });
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
