import { illegalArgument } from '../errors.js';
import type { DefinitionSettings } from './settings.js';

/** More sizes of grams or shingles than this would make of one long token more than anybody can index. */
const MAX_SIZES = 1024;
const MAX_SHINGLE = 256;

/** The sizes of grams; 400 where they can't be, when the part is defined. */
export function readGramSizes(
  settings: DefinitionSettings,
  fallback: { min: number; max: number },
  isEdge: boolean,
): { min: number; max: number } {
  const min = settings.int('min_gram', fallback.min);
  const max = settings.int('max_gram', fallback.max);
  const where = `of [${settings.name}]`;
  if (min < 1) throw illegalArgument(`[min_gram] ${where} is [${min}] and must be greater than zero`);
  if (min > max) {
    throw illegalArgument(
      `[min_gram] ${where} is [${min}] and must not be greater than [max_gram], [${max}]`,
    );
  }
  if (!isEdge && max - min >= MAX_SIZES) {
    throw illegalArgument(`[max_gram] ${where} is [${max}], more than ${MAX_SIZES - 1} above [min_gram]`);
  }
  return { min, max };
}

/** The sizes of shingles; 400 where they can't be, when the filter is defined. */
export function readShingleSizes(settings: DefinitionSettings): { min: number; max: number } {
  const max = settings.int('max_shingle_size', 2);
  const min = settings.int('min_shingle_size', 2);
  const where = `of [${settings.name}]`;
  if (max < 2) throw illegalArgument(`[max_shingle_size] ${where} is [${max}] and must be at least 2`);
  if (min < 2) throw illegalArgument(`[min_shingle_size] ${where} is [${min}] and must be at least 2`);
  if (min > max) {
    throw illegalArgument(
      `[min_shingle_size] ${where} is [${min}] and must not be greater than [max_shingle_size], [${max}]`,
    );
  }
  if (max > MAX_SHINGLE) {
    throw illegalArgument(`[max_shingle_size] ${where} is [${max}] and can be at most ${MAX_SHINGLE}`);
  }
  return { min, max };
}
