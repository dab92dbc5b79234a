/** `fuzzy_like_this`: the terms that are most like the words of a text. */

import { illegalArgument, ofLimit, queryParsing } from '../../errors.js';
import { floatOf, isObject, strictIntOf, textOf } from '../../json/values.js';
import { textTerm } from '../../mapping/terms.js';
import type { FuzzyLikeThisNode } from '../../plan/nodes/fuzzyLikeThis.js';
import { type MultiTermNode, Rewrite } from '../../plan/nodes/multiTerm.js';
import type { PlanNode } from '../../plan/nodes.js';
import {
  type Dsl,
  Options,
  ofType,
  type QueryCompiler,
  type QueryKind,
  type ResolvedField,
  resolve,
} from '../context.js';
import { readFuzziness, similarityOf } from '../term/fuzziness.js';
import { fuzzyMatcher } from '../term/termMatchers.js';
import { analyzed } from './analyzed.js';

/** Most edits that an automaton is made for. */
const MAX_EDITS = 2;
/** Words that variants are looked for of: each takes an automaton of tens of kilobytes. */
const MAX_WORDS = 1024;

interface Given {
  text: string;
  maxQueryTerms: number;
  ignoreFrequency: boolean;
  /** Below 1: how alike a variant must at least be; from 1 on: how many edits it may have. */
  fuzziness: number;
  prefixLength: number;
  analyzer: string | undefined;
  failing: boolean;
  boost: number;
}

/** `fuzzy_like_this`. */
const fuzzyLikeThis: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'flt', body, 'query', { knowsLists: true });
  const fields = options.take('fields') ?? undefined;
  const missing = "fuzzy_like_this requires 'like_text' to be specified";
  const given = readOptions(options, missing, (fuzziness = 2) => amount(fuzziness), dsl);
  options.end();
  if (fields !== undefined && !Array.isArray(fields)) throw options.unsupported('fields');
  if (fields?.length === 0) {
    throw queryParsing(dsl.index, "fuzzy_like_this requires 'fields' to be non-empty");
  }
  const names = fields?.flatMap((each) => textOf(each) ?? []) ?? [dsl.defaultField];
  const resolved = names.flatMap((name) => supported(name, 'fuzzy_like_this', given, dsl) ?? []);
  return resolved.length === 0 ? undefined : likeNode(resolved, given, dsl);
};

export const fuzzyLikeThisQuery: QueryKind = {
  names: ['fuzzy_like_this', 'fuzzyLikeThis', 'flt'],
  read: fuzzyLikeThis,
  reach: 'found',
};

/** `fuzzy_like_this_field`: the same on one field. */
const fuzzyLikeThisField: QueryCompiler = (body, dsl) => {
  const [entry] = new Options(dsl, 'flt_field', body).rest();
  if (entry === undefined) throw queryParsing(dsl.index, '[flt_field] query malformed, no field');
  if (!isObject(entry[1])) throw queryParsing(dsl.index, '[flt_field] query malformed, no start_object');
  const options = new Options(dsl, 'flt_field', entry[1]);
  const given = readOptions(
    options,
    "fuzzy_like_This_field requires 'like_text' to be specified",
    (fuzziness) => (fuzziness === undefined ? 0.5 : similarityOf(readFuzziness(fuzziness))),
    dsl,
  );
  options.end();
  const resolved = supported(entry[0], 'fuzzy_like_this_field', given, dsl);
  return resolved === undefined ? undefined : ofType(resolved, likeNode([resolved], given, dsl));
};

export const fuzzyLikeThisFieldQuery: QueryKind = {
  names: ['fuzzy_like_this_field', 'fuzzyLikeThisField', 'flt_field', 'fltField'],
  read: fuzzyLikeThisField,
  reach: 'found',
};

function readOptions(
  options: Options,
  missing: string,
  read: (fuzziness?: unknown) => number,
  dsl: Dsl,
): Given {
  const text = options.text('like_text', 'likeText');
  const int = (fallback: number, ...names: string[]) => {
    const value = options.scalar(...names);
    return value === undefined ? fallback : Math.max(0, strictIntOf(value));
  };
  const maxQueryTerms = int(25, 'max_query_terms', 'maxQueryTerms');
  const ignoreFrequency = options.flag(false, 'ignore_tf', 'ignoreTF');
  const fuzziness = read(options.scalar('fuzziness', 'min_similarity', 'minSimilarity'));
  const prefixLength = int(0, 'prefix_length', 'prefixLength');
  const analyzer = options.text('analyzer');
  const failing = options.flag(true, 'fail_on_unsupported_field', 'failOnUnsupportedField');
  const boost = options.boost();
  const [unknown] = options.rest();
  if (text === undefined && unknown === undefined) throw queryParsing(dsl.index, missing);
  if (analyzer !== undefined && dsl.analyzer(analyzer) === undefined) {
    throw queryParsing(dsl.index, `[flt] analyzer [${analyzer}] not found`);
  }
  return {
    text: text ?? '',
    maxQueryTerms,
    ignoreFrequency,
    fuzziness,
    prefixLength,
    analyzer,
    failing,
    boost,
  };
}

/** A fuzziness as `fuzzy_like_this` takes it. */
function amount(fuzziness: unknown): number {
  if (String(fuzziness).toUpperCase() === 'AUTO') return 1;
  const value = Math.fround(floatOf(fuzziness));
  if (value >= 1 && value !== Math.trunc(value))
    throw illegalArgument('fractional edit distances are not allowed');
  if (value < 0) throw illegalArgument('minimumSimilarity cannot be less than 0');
  return value;
}

/** A field that holds words. */
function supported(name: string, query: string, { failing }: Given, dsl: Dsl): ResolvedField | undefined {
  const resolved = resolve(dsl, name);
  if (resolved.field === undefined || !resolved.field.isExact) return resolved;
  if (!failing) return undefined;
  // The text names the wrong query in 1.7 too.
  const shown = query === 'fuzzy_like_this' ? 'more_like_this' : query;
  throw illegalArgument(`${shown} doesn't support binary/numeric fields: [${name}]`);
}

function likeNode(fields: readonly ResolvedField[], given: Given, dsl: Dsl): PlanNode {
  const { maxQueryTerms, ignoreFrequency, fuzziness, boost } = given;
  const minSimilarity = fuzziness < 1 ? fuzziness : 0;
  const words: FuzzyLikeThisNode['words'] = [];
  for (const field of fields) {
    const { number } = field;
    const terms = new Set(analyzed(given.text, field, given.analyzer, dsl).map(({ term }) => term));
    checkWords(words.length + terms.size, dsl);
    for (const term of terms) {
      const word = { kind: 'term' as const, field: number, boost: 1, term: textTerm(term) };
      words.push({ word, variants: variantsOf(term, number, given) });
    }
  }
  const maxEdits = fuzziness < 1 ? 0xffff : fuzziness;
  return { kind: 'fuzzyLikeThis', boost, maxQueryTerms, ignoreFrequency, maxEdits, minSimilarity, words };
}

/** 400: more words than variants may be looked for of. */
function checkWords(count: number, dsl: Dsl): void {
  if (count <= MAX_WORDS) return;
  const detail = `the texts of a fuzzy_like_this may have at most ${MAX_WORDS} words, these have ${count}`;
  throw ofLimit(queryParsing(dsl.index, detail));
}

/** What may be a word's variants: no more edits than leave it as alike as it must be. */
function variantsOf(word: string, field: number, { fuzziness, prefixLength }: Given): MultiTermNode {
  const points = [...word];
  const edits = fuzziness < 1 ? Math.trunc((1 - fuzziness) * points.length) : fuzziness;
  const prefix = points.slice(0, prefixLength).join('');
  const matcher =
    edits <= MAX_EDITS
      ? fuzzyMatcher(word, edits, prefixLength, false)
      : { type: 'prefix' as const, prefix: textTerm(prefix) };
  return { kind: 'multiTerm', field, boost: 1, rewrite: Rewrite.scoringBoolean, size: 0, matcher };
}
