/** The analyzers that fields have without being told, and those that are as simple: each as it is where nothing defines it. */
import { StageKind } from '../core/abi/stages.js';
import type { AnalyzerParts } from './compile.js';
import { corePart, type TokenFilterPart, type TokenizerPart } from './part.js';

const LOWER_CASE = 1;

const parts = (tokenizer: TokenizerPart, filters: TokenFilterPart[] = []): AnalyzerParts => ({
  charFilters: [],
  tokenizer,
  filters,
});

/** By name. */
export const frequentAnalyzers: ReadonlyMap<string, () => AnalyzerParts> = new Map([
  ['standard', () => parts(corePart(StageKind.standard), [corePart(StageKind.lowercase)])],
  ['keyword', () => parts(corePart(StageKind.keyword))],
  ['simple', () => parts(corePart(StageKind.letter, (args) => args.u8(LOWER_CASE)))],
  ['whitespace', () => parts(corePart(StageKind.whitespace, (args) => args.u8(0)))],
]);
