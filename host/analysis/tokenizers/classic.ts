import { StageKind } from '../../core/abi/stages.js';
import { corePart, type TokenizerPart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { maxTokenLength, tooShort } from './standard.js';

export function classicTokenizer(settings: DefinitionSettings): TokenizerPart {
  const length = maxTokenLength(settings);
  return length > 0 ? corePart(StageKind.classic, (args) => args.u32(length)) : tooShort();
}
