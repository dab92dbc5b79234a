/** The parts of an analyzer one by one, each with its name: what `_analyze` shows of each. */
import { StageKind } from '../core/abi/stages.js';
import type { AnalyzerParts } from './compile.js';
import type { CharFilterPart, TokenFilterPart, TokenizerPart } from './part.js';

/** A char filter, a tokenizer or a token filter; none to several parts stand behind one name. */
export interface StagedPart<Parts extends readonly unknown[]> {
  /** As the analyzer names it. */
  name: string;
  /** As its definition, or 1.7, names what it is. */
  type: string;
  parts: Parts;
}

/** All parts of an analyzer. */
export interface StagedParts {
  /** `custom`, the type of its definition, or `built-in`. */
  type: string;
  charFilters: readonly StagedPart<readonly [CharFilterPart]>[];
  tokenizer: StagedPart<readonly [TokenizerPart]>;
  filters: readonly StagedPart<readonly TokenFilterPart[]>[];
}

/** A chain as settings define one: names, or the definitions themselves. */
export interface ChainDefinition {
  charFilters: readonly (string | Readonly<Record<string, unknown>>)[];
  tokenizer: string | Readonly<Record<string, unknown>>;
  filters: readonly (string | Readonly<Record<string, unknown>>)[];
}

/** The types of parts that were made by them. */
const types = new WeakMap<object, string>();

/** Parts that analyzers make of stages of the core directly, by their kind. */
const TYPES_OF_KINDS: Readonly<Record<number, string>> = {
  [StageKind.mapping]: 'mapping',
  [StageKind.standard]: 'standard',
  [StageKind.keyword]: 'keyword',
  [StageKind.whitespace]: 'whitespace',
  [StageKind.letter]: 'letter',
  [StageKind.chinese]: 'chinese',
  [StageKind.lowercase]: 'lowercase',
  [StageKind.stop]: 'stop',
  [StageKind.stem]: 'stemmer',
  [StageKind.keywordMarker]: 'keyword_marker',
};

/** Remembers which type a part, or each of a list of parts, was made by. */
export function rememberType(made: unknown, type: string): void {
  for (const part of Array.isArray(made) ? made : [made])
    if (typeof part === 'object' && part !== null) types.set(part, type);
}

/** The parts of an analyzer that is no custom chain, by their types. */
export function stagedParts({ charFilters, tokenizer, filters }: AnalyzerParts, type: string): StagedParts {
  return {
    type,
    charFilters: charFilters.map((part) => ({ ...source(part, 'char filter'), parts: [part] as const })),
    tokenizer: { ...source(tokenizer, 'tokenizer'), parts: [tokenizer] as const },
    filters: filters.map((part) => ({ ...source(part, 'token filter'), parts: [part] as const })),
  };
}

/** @param otherwise what a part of the host is called that has no type of its own */
function source(
  part: CharFilterPart | TokenizerPart | TokenFilterPart,
  otherwise: string,
): { name: string; type: string } {
  const type = types.get(part) ?? ('kind' in part ? TYPES_OF_KINDS[part.kind] : undefined) ?? otherwise;
  return { name: type, type };
}
