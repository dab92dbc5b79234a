/** The filters that keep words from the stemmers. */
import { ElasticsearchError, illegalArgument } from '../../errors.js';
import { Args } from '../args.js';
import { StageKind } from '../../core/abi/stages.js';
import type { CorePart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { inlineList, wordListPart } from './words.js';

/** The filter `keyword_marker`: `keywords`, `ignore_case`. */
export function keywordMarker(settings: DefinitionSettings): CorePart {
  const words = inlineList(settings, 'keywords');
  if (words === undefined) {
    throw illegalArgument('keyword filter requires either `keywords` or `keywords_path` to be configured');
  }
  return wordListPart(StageKind.keywordMarker, words, settings.flag('ignore_case', false));
}

/** The filter `stemmer_override`: `rules`, such as `mice => mouse`. The first rule for a word counts. */
export function stemmerOverride(settings: DefinitionSettings): CorePart {
  const rules = inlineList(settings, 'rules');
  if (rules === undefined) {
    throw illegalArgument('stemmer override filter requires either `rules` or `rules_path` to be configured');
  }
  const stems = new Map<string, string>();
  for (const rule of rules) {
    const [word, stem, ...more] = rule.split('=>').map((side) => side.trim());
    if (!word || !stem || more.length > 0) {
      throw new ElasticsearchError('RuntimeException', `Invalid Keyword override Rule:${rule}`);
    }
    if (!stems.has(word)) stems.set(word, stem);
  }
  return stemDictionary(stems);
}

/** A stage that gives words these stems. */
export function stemDictionary(stems: ReadonlyMap<string, string>): CorePart {
  const utf8 = new TextEncoder();
  const texts = new Args();
  const places = new Map<string, number>();
  let place = 0;
  for (const [word, stem] of stems) {
    places.set(word, place);
    const bytes = utf8.encode(stem);
    texts.u32(bytes.length).raw(bytes);
    place += 4 + bytes.length;
  }
  return { kind: StageKind.stemmerOverride, args: new Args().words(places).raw(texts.bytes()).bytes() };
}
