/** The tokenizers by type. One that can be had without settings can also be named in an analyzer by that type. */
import { Kind } from './kinds.js';
import { corePart, type TokenizerPart } from './part.js';
import type { DefinitionSettings } from './settings.js';

/** Makes a tokenizer of its settings; throws an {@link ElasticsearchError} that says what is wrong with them. */
export type TokenizerFactory = (settings: DefinitionSettings) => TokenizerPart;

export const tokenizers: ReadonlyMap<string, TokenizerFactory> = new Map<string, TokenizerFactory>([
  ['standard', () => corePart(Kind.standard)],
  ['keyword', () => corePart(Kind.keyword)],
]);
