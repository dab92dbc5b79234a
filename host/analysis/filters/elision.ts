import { StageKind } from '../../core/abi/stages.js';
import type { CorePart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { ARTICLES } from '../stopwords.js';
import { refuseFile, wordListPart } from './words.js';

/** The filter `elision`: `articles`, and `articles_case`, which ignores the case. Without any, French ones. */
export function elision(settings: DefinitionSettings): CorePart {
  refuseFile(settings, 'articles_path');
  if (settings.text('articles') === '_none_') return wordListPart(StageKind.elision, [], false);
  const articles = settings.list('articles');
  if (articles === undefined) return wordListPart(StageKind.elision, ARTICLES.french, true);
  return wordListPart(StageKind.elision, articles, settings.flag('articles_case', false));
}
