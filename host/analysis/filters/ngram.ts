import { illegalArgument, javaIllegalArgument } from '../../errors.js';
import { readGramSizes } from '../gramSizes.js';
import { StageKind } from '../../core/abi/stages.js';
import { corePart, type TokenFilterPart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { failing } from './failing.js';

/** The filter `ngram`: `min_gram`, `max_gram`. */
export function ngram(settings: DefinitionSettings): TokenFilterPart {
  const { min, max, wrong } = readGramSizes(settings, { min: 1, max: 2 }, false);
  if (wrong !== undefined) return failing(javaIllegalArgument(wrong));
  return corePart(StageKind.ngram, (args) => args.u32(min).u32(max));
}

/** The filter `edge_ngram`: `min_gram`, `max_gram`, `side`. */
export function edgeNgram(settings: DefinitionSettings): TokenFilterPart {
  return edges(settings, 2);
}

/** `edge_ngram` by its bare name makes grams of one character. */
export function edgeNgramByName(settings: DefinitionSettings): TokenFilterPart {
  return edges(settings, 1);
}

function edges(settings: DefinitionSettings, defaultMax: number): TokenFilterPart {
  const { min, max, wrong } = readGramSizes(settings, { min: 1, max: defaultMax }, true);
  const side = settings.text('side', 'front');
  if (side !== 'front' && side !== 'back') throw illegalArgument(`invalid side: ${side}`);
  if (wrong !== undefined) return failing(javaIllegalArgument(wrong));
  return corePart(StageKind.edgeNgram, (args) =>
    args
      .u32(min)
      .u32(max)
      .u8(side === 'back' ? 1 : 0),
  );
}
