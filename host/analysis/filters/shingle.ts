import { javaIllegalArgument } from '../../errors.js';
import { Kind } from '../kinds.js';
import { corePart, type TokenFilterPart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { failing } from './failing.js';

const UNIGRAMS = 1;
const UNIGRAMS_IF_NONE = 2;

/** The filter `shingle`: sizes, `output_unigrams`, `output_unigrams_if_no_shingles`, `token_separator`, `filler_token`. */
export function shingle(settings: DefinitionSettings): TokenFilterPart {
  const max = settings.int('max_shingle_size', 2);
  const min = settings.int('min_shingle_size', 2);
  const flags =
    (settings.flag('output_unigrams', true) ? UNIGRAMS : 0) |
    (settings.flag('output_unigrams_if_no_shingles', false) ? UNIGRAMS_IF_NONE : 0);
  if (max < 2) return failing(javaIllegalArgument('Max shingle size must be >= 2'));
  if (min < 2) return failing(javaIllegalArgument('Min shingle size must be >= 2'));
  if (min > max) return failing(javaIllegalArgument('Min shingle size must be <= max shingle size'));
  const separator = settings.text('token_separator', ' ');
  const filler = settings.text('filler_token', '_');
  return corePart(Kind.shingle, (args) => args.u32(min).u32(max).u8(flags).text(separator).text(filler));
}
