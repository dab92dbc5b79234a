import { StageKind } from '../../core/abi/stages.js';
import { corePart, type TokenizerPart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { MAX_LENGTH, maxTokenLength, tooShort } from './standard.js';

export function uaxUrlEmailTokenizer(settings: DefinitionSettings): TokenizerPart {
  const length = maxTokenLength(settings);
  if (length <= 0) return tooShort();
  return corePart(StageKind.uaxUrlEmail, (args) => args.u32(Math.min(length, MAX_LENGTH)));
}
