import { StageKind } from '../../core/abi/stages.js';
import { corePart, type TokenizerPart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { failing } from './failing.js';

const DEFAULT_LENGTH = 255;
/** Lucene's scanner never looks further. */
export const MAX_LENGTH = 1 << 20;

/** The `max_token_length` of a definition, in UTF-16 units. */
export function maxTokenLength(settings: DefinitionSettings): number {
  return settings.int('max_token_length', DEFAULT_LENGTH);
}

/** What the tokenizers with a `max_token_length` say to one that is not positive. */
export function tooShort(): TokenizerPart {
  return failing('maxTokenLength must be greater than zero');
}

export function standardTokenizer(settings: DefinitionSettings): TokenizerPart {
  const length = maxTokenLength(settings);
  if (length <= 0) return tooShort();
  if (length === DEFAULT_LENGTH) return corePart(StageKind.standard);
  return corePart(StageKind.standardLimited, (args) => args.u32(Math.min(length, MAX_LENGTH)));
}
