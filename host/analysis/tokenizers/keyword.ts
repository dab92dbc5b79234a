import { StageKind } from '../../core/abi/stages.js';
import { corePart, type TokenizerPart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { failing } from './failing.js';

export function keywordTokenizer(settings: DefinitionSettings): TokenizerPart {
  return settings.int('buffer_size', 256) > 0
    ? corePart(StageKind.keyword)
    : failing('bufferSize must be > 0');
}
