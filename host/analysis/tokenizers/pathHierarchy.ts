import { ElasticsearchError } from '../../errors.js';
import { StageKind } from '../../core/abi/stages.js';
import { corePart, type TokenizerPart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { failing } from './failing.js';

export function pathHierarchyTokenizer(settings: DefinitionSettings): TokenizerPart {
  const delimiter = character(settings, 'delimiter', '/');
  const replacement = character(settings, 'replacement', delimiter);
  const skip = settings.int('skip', 0);
  const reverse = settings.flag('reverse', false);
  if (settings.int('buffer_size', 1024) < 0) return failing('bufferSize cannot be negative');
  if (skip < 0) return failing('skip cannot be negative');
  return corePart(StageKind.pathHierarchy, (args) =>
    args
      .u8(reverse ? 1 : 0)
      .u32(delimiter.charCodeAt(0))
      .u32(replacement.charCodeAt(0))
      .u32(skip),
  );
}

/** One UTF-16 unit. */
function character(settings: DefinitionSettings, key: string, fallback: string): string {
  const text = settings.text(key, fallback);
  if (text === '') {
    throw new ElasticsearchError('StringIndexOutOfBoundsException', 'String index out of range: 0');
  }
  if (text.length > 1) {
    throw new ElasticsearchError(
      'ElasticsearchIllegalArgumentException',
      `${key} can only be a one char value`,
    );
  }
  return text;
}
