import { illegalArgument } from '../../errors.js';
import { StageKind } from '../../core/abi/stages.js';
import type { CorePart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { STOP_WORDS } from '../stopwords.js';
import { wordList } from '../wordLists.js';
import { refuseFile, wordListPart } from './words.js';

/** The filter `stop`: `stopwords`, `ignore_case`, `remove_trailing`. The case is not ignored for the default words. */
export function stop(settings: DefinitionSettings): CorePart {
  if (!settings.flag('enable_position_increments', true)) {
    throw illegalArgument(
      '[enable_position_increments: false] is not supported anymore as of Lucene 4.4 as it can create broken token streams.' +
        ' Please fix your analysis chain or use an older compatibility version (<=4.3) but beware that it might cause unexpected behavior.',
    );
  }
  refuseFile(settings, 'stopwords_path');
  const words = wordList(settings, 'stopwords', STOP_WORDS.english);
  const ignoreCase = words !== STOP_WORDS.english && settings.flag('ignore_case', false);
  const kind = settings.flag('remove_trailing', true) ? StageKind.stop : StageKind.suggestStop;
  return wordListPart(kind, words, ignoreCase);
}
