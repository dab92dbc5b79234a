/** `match`, `match_phrase` and `match_phrase_prefix`. */

import { queryParsing } from '../../errors.js';
import { fieldOptions, onlyField, type QueryCompiler, type QueryKind, withBoost } from '../context.js';
import { fieldQuery, type Matching, readMatching } from './matching.js';

const TYPES: ReadonlyMap<string, Matching['type']> = new Map([
  ['match', 'boolean'],
  ['boolean', 'boolean'],
  ['match_phrase', 'phrase'],
  ['matchPhrase', 'phrase'],
  ['phrase', 'phrase'],
  ['match_phrase_prefix', 'phrasePrefix'],
  ['matchPhrasePrefix', 'phrasePrefix'],
  ['phrase_prefix', 'phrasePrefix'],
  ['phrasePrefix', 'phrasePrefix'],
]);

/** All of the family: the name is the type unless the options say another. */
const match: QueryCompiler = (body, dsl, name) => {
  const [field, value] = onlyField(dsl, 'match', body, '[match] query malformed, no field');
  const options = fieldOptions(dsl, 'match', value, 'query');
  const text = options.scalar('query');
  const matching = readMatching(options, dsl);
  const given = options.text('type');
  const type = given === undefined ? (TYPES.get(name) ?? 'boolean') : TYPES.get(given);
  if (type === undefined) throw queryParsing(dsl.index, `[match] query does not support type ${given}`);
  const boost = options.boost();
  options.end();
  if (text === undefined) throw queryParsing(dsl.index, 'No text specified for text query');
  const query = fieldQuery(field, text, { ...matching, type }, dsl);
  return query === undefined ? undefined : withBoost(query, boost);
};

export const matchQuery: QueryKind = {
  names: [
    'match',
    'match_phrase',
    'matchPhrase',
    'match_phrase_prefix',
    'matchPhrasePrefix',
    'match_fuzzy',
    'matchFuzzy',
    'fuzzy_match',
  ],
  read: match,
  reach: 'found',
  byField: true,
};
