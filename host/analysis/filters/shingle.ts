import { javaIllegalArgument } from '../../errors.js';
import { readShingleSizes } from '../gramSizes.js';
import { StageKind } from '../../core/abi/stages.js';
import { corePart, type TokenFilterPart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { failing } from './failing.js';

const UNIGRAMS = 1;
const UNIGRAMS_IF_NONE = 2;

/** The filter `shingle`: sizes, `output_unigrams`, `output_unigrams_if_no_shingles`, `token_separator`, `filler_token`. */
export function shingle(settings: DefinitionSettings): TokenFilterPart {
  const { min, max, wrong } = readShingleSizes(settings);
  if (wrong !== undefined) return failing(javaIllegalArgument(wrong));
  const flags =
    (settings.flag('output_unigrams', true) ? UNIGRAMS : 0) |
    (settings.flag('output_unigrams_if_no_shingles', false) ? UNIGRAMS_IF_NONE : 0);
  const separator = settings.text('token_separator', ' ');
  const filler = settings.text('filler_token', '_');
  return corePart(StageKind.shingle, (args) => args.u32(min).u32(max).u8(flags).text(separator).text(filler));
}
