import { illegalArgument, javaIllegalArgument } from '../../errors.js';
import { Kind } from '../kinds.js';
import { corePart, type TokenFilterPart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { failing } from './failing.js';

/** The filter `ngram`: `min_gram`, `max_gram`. */
export function ngram(settings: DefinitionSettings): TokenFilterPart {
  const sizes = gramSizes(settings, 1, 2);
  return gramProblem(sizes) ?? corePart(Kind.ngram, (args) => args.u32(sizes.min).u32(sizes.max));
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
  const sizes = gramSizes(settings, 1, defaultMax);
  const side = settings.text('side', 'front');
  if (side !== 'front' && side !== 'back') throw illegalArgument(`invalid side: ${side}`);
  return (
    gramProblem(sizes) ??
    corePart(Kind.edgeNgram, (args) =>
      args
        .u32(sizes.min)
        .u32(sizes.max)
        .u8(side === 'back' ? 1 : 0),
    )
  );
}

interface GramSizes {
  min: number;
  max: number;
}

function gramSizes(settings: DefinitionSettings, min: number, max: number): GramSizes {
  return { min: settings.int('min_gram', min), max: settings.int('max_gram', max) };
}

/** Sizes that Lucene refuses, which it does when a text comes. */
function gramProblem({ min, max }: GramSizes): TokenFilterPart | undefined {
  if (min < 1) return failing(javaIllegalArgument('minGram must be greater than zero'));
  if (min > max) return failing(javaIllegalArgument('minGram must not be greater than maxGram'));
  return undefined;
}
