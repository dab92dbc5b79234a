import { StageKind } from '../../core/abi/stages.js';
import { type CorePart, corePart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';

const SCRIPTS = ['han', 'hiragana', 'katakana', 'hangul'];
const UNIGRAMS = 16;

/** The filter `cjk_bigram`: `ignored_scripts`, `output_unigrams`. */
export function cjkBigram(settings: DefinitionSettings): CorePart {
  const ignored = new Set(settings.list('ignored_scripts'));
  let flags = settings.flag('output_unigrams', false) ? UNIGRAMS : 0;
  SCRIPTS.forEach((script, i) => {
    if (!ignored.has(script)) flags |= 1 << i;
  });
  return corePart(StageKind.cjkBigram, (args) => args.u8(flags));
}
