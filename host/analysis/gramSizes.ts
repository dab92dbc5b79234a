import { illegalArgument } from '../errors.js';
import type { DefinitionSettings } from './settings.js';

/** More sizes of grams or shingles than this would make of one long token more than anybody can index. */
const MAX_SIZES = 1024;
const MAX_SHINGLE = 256;

/** The least and the greatest size; `wrong` is what Lucene says of sizes that can't be, once a text comes. */
export interface Sizes {
  min: number;
  max: number;
  wrong?: string;
}

/** The sizes of grams; 400 where they are too many. */
export function readGramSizes(
  settings: DefinitionSettings,
  fallback: { min: number; max: number },
  isEdge: boolean,
): Sizes {
  const min = settings.int('min_gram', fallback.min);
  const max = settings.int('max_gram', fallback.max);
  if (min < 1) return { min, max, wrong: 'minGram must be greater than zero' };
  if (min > max) return { min, max, wrong: 'minGram must not be greater than maxGram' };
  if (!isEdge && max - min >= MAX_SIZES) {
    throw illegalArgument(
      `[max_gram] of [${settings.name}] is [${max}], more than ${MAX_SIZES - 1} above [min_gram]`,
    );
  }
  return { min, max };
}

/** The sizes of shingles; 400 where they are too many. */
export function readShingleSizes(settings: DefinitionSettings): Sizes {
  const max = settings.int('max_shingle_size', 2);
  const min = settings.int('min_shingle_size', 2);
  if (max < 2) return { min, max, wrong: 'Max shingle size must be >= 2' };
  if (min < 2) return { min, max, wrong: 'Min shingle size must be >= 2' };
  if (min > max) return { min, max, wrong: 'Min shingle size must be <= max shingle size' };
  if (max > MAX_SHINGLE) {
    throw illegalArgument(
      `[max_shingle_size] of [${settings.name}] is [${max}] and can be at most ${MAX_SHINGLE}`,
    );
  }
  return { min, max };
}
