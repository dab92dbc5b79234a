/** `common`: frequent words only score what the others match. */

import { Occur } from '../../core/abi/plan.js';
import { queryParsing } from '../../errors.js';
import { isObject, textOf } from '../../json/values.js';
import { textTerm } from '../../mapping/terms.js';
import type { CommonTermsNode } from '../../plan/nodes/commonTerms.js';
import {
  checkText,
  fieldOptions,
  type Options,
  ofType,
  onlyField,
  type QueryCompiler,
  type QueryKind,
  resolve,
} from '../context.js';
import { analyzed } from './analyzed.js';
import { minimumsOf } from './minimumShouldMatch.js';

/** Above this part of all documents a word is frequent. */
const CUTOFF = Math.fround(0.01);

/** `common`. */
const common: QueryCompiler = (body, dsl) => {
  const [name, value] = onlyField(dsl, 'common', body, '[common] query malformed, no field');
  const options = fieldOptions(dsl, 'common', value, 'query');
  const text = options.text('query');
  const analyzer = options.text('analyzer');
  if (analyzer !== undefined && dsl.analyzer(analyzer) === undefined) {
    throw queryParsing(dsl.index, `[common] analyzer [${analyzer}] not found`);
  }
  const occurOf = (...names: string[]): Occur => {
    const operator = options.text(...names)?.toLowerCase();
    if (operator === undefined || operator === 'or') return Occur.Should;
    if (operator === 'and') return Occur.Must;
    const detail = `[common] query requires operator to be either 'and' or 'or', not [${operator}]`;
    throw queryParsing(dsl.index, detail);
  };
  const highOccur = occurOf('high_freq_operator', 'highFreqOperator');
  const lowOccur = occurOf('low_freq_operator', 'lowFreqOperator');
  const { low, high } = readMinimums(options);
  const cutoff = options.number(CUTOFF, 'cutoff_frequency');
  const noCoord = options.flag(true, 'disable_coord', 'disableCoord');
  const boost = options.boost();
  options.end();
  if (text === undefined) throw queryParsing(dsl.index, 'No text specified for text query');
  const resolved = resolve(dsl, name);
  checkText(dsl, text);
  const words = analyzed(text, resolved, analyzer, dsl).map(({ term }) => term);
  if (words.length === 0) return undefined;
  const node: CommonTermsNode = {
    kind: 'commonTerms',
    field: resolved.number,
    boost,
    terms: words.map(textTerm),
    cutoff,
    lowOccur,
    highOccur,
    lowMinimums: minimumsOf(words.length, low),
    highMinimums: minimumsOf(words.length, high),
    noCoord,
    text: () => words.map((word) => `${resolved.name}:${word}`).join(', '),
  };
  return ofType(resolved, node);
};

export const commonQuery: QueryKind = { names: ['common'], read: common, reach: 'found', byField: true };

function readMinimums(options: Options): { low: string | undefined; high: string | undefined } {
  const given = options.take('minimum_should_match', 'minimumShouldMatch');
  if (!isObject(given)) return { low: textOf(given), high: undefined };
  const { low_freq, lowFreq, high_freq, highFreq, ...rest } = given;
  const unknown = Object.keys(rest).find((name) => rest[name] !== null);
  if (unknown !== undefined) throw options.unsupported(`${unknown}] for [minimum_should_match`);
  return { low: textOf(low_freq ?? lowFreq), high: textOf(high_freq ?? highFreq) };
}
