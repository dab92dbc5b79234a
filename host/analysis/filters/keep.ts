import { TOKEN_TYPES } from '../../core/result.js';
import { illegalArgument } from '../../errors.js';
import { StageKind } from '../../core/abi/stages.js';
import { type CorePart, corePart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { refuseFile, wordListPart } from './words.js';

/** The stop stage's flag that turns its list round. */
const KEEPS = 2;

/** The filter `keep`: `keep_words`, and `keep_words_case`, which ignores the case. */
export function keep(settings: DefinitionSettings): CorePart {
  const words = settings.list('keep_words');
  if ((words === undefined) !== settings.has('keep_words_path')) {
    throw illegalArgument('keep requires either `keep_words` or `keep_words_path` to be configured');
  }
  refusePositionIncrements(settings);
  refuseFile(settings, 'keep_words_path');
  return wordListPart(StageKind.stop, words ?? [], settings.flag('keep_words_case', false), KEEPS);
}

/** The filter `keep_types`: `types`, of which unknown ones keep nothing. */
export function keepTypes(settings: DefinitionSettings): CorePart {
  const types = settings.list('types');
  if (types === undefined) throw illegalArgument('keep_types requires `types` to be configured');
  const bits = types
    .map((type) => TOKEN_TYPES.indexOf(type))
    .filter((number) => number >= 0)
    .reduce((set, number) => set | (1 << number), 0);
  return corePart(StageKind.keepTypes, (args) => args.u32(bits >>> 0));
}

/** `enable_position_increments` is gone from the filters that drop terms by what they are. */
export function refusePositionIncrements(settings: DefinitionSettings): void {
  refuseOutdated(settings, 'enable_position_increments');
}

/** Refuses a setting that Lucene 4.4 has taken away. */
export function refuseOutdated(settings: DefinitionSettings, key: string): void {
  if (!settings.has(key)) return;
  throw illegalArgument(
    `${key} is not supported anymore. Please fix your analysis chain or use an older compatibility version (<=4.3) but beware that it might cause highlighting bugs.`,
  );
}
