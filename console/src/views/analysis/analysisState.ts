/** What is analyzed and how, as it stands in the address of the page. */
import { isObject, type Json, type JsonObject, parseJson, writeJson } from '../../api/json';
import type { PartKind } from './partTypes';

/** How the analyzer is chosen. */
export type ChosenBy = 'analyzer' | 'field' | 'chain';

/** A part of a chain: its name, or a type with settings. */
export type ChainPart = string | JsonObject;

/** A chain that is tried. */
export interface Chain {
  char_filter: readonly ChainPart[];
  tokenizer: ChainPart;
  filter: readonly ChainPart[];
}

export interface AnalyzerState {
  by: ChosenBy;
  analyzer: string;
  field: string;
  chain: Chain;
}

export const FIRST_CHAIN: Chain = { char_filter: [], tokenizer: 'standard', filter: ['lowercase'] };

/** Longer texts are kept in the page alone: an address holds no more. */
export const LINKED_TEXT = 8000;

/** @param suffix `2` for the analyzer that the first one is compared with */
export function readAnalyzer(params: URLSearchParams, suffix: '' | '2' = ''): AnalyzerState {
  const get = (name: string) => params.get(name + suffix) ?? '';
  const by = get('by');
  return {
    by: by === 'field' || by === 'chain' ? by : 'analyzer',
    analyzer: get('analyzer') === '' ? 'standard' : get('analyzer'),
    field: get('field'),
    chain: readChain(get('chain')),
  };
}

/** Parameters for {@link readAnalyzer}; what is as by default is left out. */
export function analyzerParams(state: AnalyzerState, suffix: '' | '2' = ''): Record<string, string> {
  const chain = writeJson(state.chain);
  return {
    [`by${suffix}`]: state.by === 'analyzer' ? '' : state.by,
    [`analyzer${suffix}`]: state.analyzer === 'standard' ? '' : state.analyzer,
    [`field${suffix}`]: state.field,
    [`chain${suffix}`]: chain === writeJson(FIRST_CHAIN) ? '' : chain,
  };
}

/** What is asked of the server for it; undefined where something is missing still. */
export function analyzeBody({ by, analyzer, field, chain }: AnalyzerState): JsonObject | undefined {
  if (by === 'chain') return { ...chain } as unknown as JsonObject;
  if (by === 'field') return field === '' ? undefined : { field };
  return { analyzer };
}

/** What it is called for people. */
export function analyzerName({ by, analyzer, field }: AnalyzerState): string {
  return by === 'chain' ? 'the custom chain' : by === 'field' ? `field ${field}` : analyzer;
}

function readChain(text: string): Chain {
  if (text === '') return FIRST_CHAIN;
  try {
    const json = parseJson(text);
    if (!isObject(json)) return FIRST_CHAIN;
    const { tokenizer } = json;
    return {
      char_filter: readParts(json.char_filter),
      tokenizer: isPart(tokenizer) ? tokenizer : 'standard',
      filter: readParts(json.filter),
    };
  } catch {
    return FIRST_CHAIN;
  }
}

function readParts(json: Json | undefined): ChainPart[] {
  return Array.isArray(json) ? json.filter(isPart) : [];
}

function isPart(value: Json | undefined): value is ChainPart {
  return typeof value === 'string' || isObject(value);
}

/** The parts of a kind, as a list. */
export function partsOf(chain: Chain, kind: PartKind): readonly ChainPart[] {
  return kind === 'tokenizer' ? [chain.tokenizer] : chain[kind];
}

/** The chain with other parts of a kind. */
export function withParts(chain: Chain, kind: PartKind, parts: readonly ChainPart[]): Chain {
  return kind === 'tokenizer' ? { ...chain, tokenizer: parts[0] ?? 'standard' } : { ...chain, [kind]: parts };
}
