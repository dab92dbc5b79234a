/** `more_like_this`: the words of texts or documents that say most of them. */

import { Occur } from '../../core/abi/plan.js';
import { illegalArgument, queryParsing, toElasticsearchError } from '../../errors.js';
import { floatOf, isObject, type JsonObject, strictIntOf, textOf } from '../../json/values.js';
import type { LeafField } from '../../mapping/field.js';
import { keptValues } from '../../mapping/keptValues.js';
import { StringField } from '../../mapping/strings.js';
import { textTerm } from '../../mapping/terms.js';
import { ownValue } from '../../ownNames.js';
import type { Clause } from '../../plan/nodes/boolean.js';
import type { MoreLikeThisNode } from '../../plan/nodes/moreLikeThis.js';
import type { PlanNode } from '../../plan/nodes.js';
import {
  constant,
  type Dsl,
  Options,
  type QueryCompiler,
  type QueryKind,
  type ResolvedField,
  resolve,
} from '../context.js';
import { analyzed } from './analyzed.js';
import { minimumsOf } from './minimumShouldMatch.js';

const MAX_INT = 0x7fff_ffff;

/** Which words count. */
interface Selection {
  analyzer: string | undefined;
  minTermFreq: number;
  minDocFreq: number;
  maxDocFreq: number;
  maxQueryTerms: number;
  minLength: number;
  maxLength: number;
  stopWords: ReadonlySet<string>;
  boostTerms: number;
  minimum: string;
}

/** A document that others are to be like. */
interface Item {
  index: string;
  type: string;
  id: string | undefined;
  source: unknown;
  /** Whether it stands in the query itself: it is indexed as documents are. */
  isGiven?: boolean;
  fields: string[] | undefined;
}

/** `more_like_this`. */
const moreLikeThis: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'mlt', body, 'query', { knowsLists: true });
  const { texts, selection, boost } = readOptions(options, dsl);
  const fields = readFields(options);
  const items = readItems(options, dsl);
  const include = options.flag(false, 'include');
  const failing = options.flag(true, 'fail_on_unsupported_field', 'failOnUnsupportedField');
  options.end();
  if (texts === undefined && items.length === 0) {
    const detail = "more_like_this requires at least 'like_text' or 'ids/docs' to be specified";
    throw queryParsing(dsl.index, detail);
  }
  if (fields?.length === 0) {
    throw queryParsing(dsl.index, "more_like_this requires 'fields' to be non-empty");
  }
  const resolved = supported(
    fields ?? (items.length > 0 && texts === undefined ? [] : [dsl.defaultField]),
    failing,
    dsl,
  );
  if (resolved.length === 0 && (fields !== undefined || texts !== undefined)) return undefined;
  const queries: PlanNode[] = [];
  if (items.length > 0) {
    const groups = documentGroups(items, fields === undefined ? undefined : resolved, selection, dsl);
    if (groups.length > 0) queries.push(likeNode(groups, selection, boost));
  }
  if (texts !== undefined)
    queries.push(likeNode([textGroup(texts, resolved, selection, dsl)], selection, boost));
  const like = together(queries, boost, texts);
  if (items.length === 0) return like;
  const clauses: Clause[] = [{ occur: Occur.Should, node: like }];
  // Those of other indices too.
  const uids = items.flatMap(({ type, id }) => (id === undefined ? [] : [`${type}#${id}`]));
  if (!include && uids.length > 0) {
    clauses.push({ occur: Occur.MustNot, node: constant({ kind: 'uids', uids }, 1) });
  }
  return { kind: 'boolean', noCoord: false, boost: 1, minimum: 0, clauses };
};

/** What documents are to be like may be documents. */
export const moreLikeThisQuery: QueryKind = {
  names: ['more_like_this', 'moreLikeThis', 'mlt'],
  read: moreLikeThis,
  reach: 'named',
};

/** `more_like_this_field`: the same on one field. */
const moreLikeThisField: QueryCompiler = (body, dsl) => {
  const [entry] = new Options(dsl, 'mlt_field', body).rest();
  if (entry === undefined || !isObject(entry[1])) {
    throw queryParsing(dsl.index, '[mlt_field] query malformed, no field');
  }
  const options = new Options(dsl, 'mlt_field', entry[1]);
  const { texts, selection, boost } = readOptions(options, dsl);
  const failing = options.flag(true, 'fail_on_unsupported_field', 'failOnUnsupportedField');
  options.end();
  if (texts === undefined) {
    throw queryParsing(dsl.index, "more_like_this_field requires 'like_text' to be specified");
  }
  const resolved = supported([entry[0]], failing, dsl);
  if (resolved.length === 0) return undefined;
  return together([likeNode([textGroup(texts, resolved, selection, dsl)], selection, boost)], boost, texts);
};

export const moreLikeThisFieldQuery: QueryKind = {
  names: ['more_like_this_field', 'moreLikeThisField', 'mlt_field'],
  read: moreLikeThisField,
  reach: 'found',
};

function readOptions(
  options: Options,
  dsl: Dsl,
): { texts: string[] | undefined; selection: Selection; boost: number } {
  const given = options.text('like_text', 'likeText');
  const texts = given === undefined ? undefined : [given];
  const int = (fallback: number, ...names: string[]) => {
    const value = options.scalar(...names);
    return value === undefined ? fallback : Math.max(0, strictIntOf(value));
  };
  const analyzer = options.text('analyzer');
  if (analyzer !== undefined && dsl.analyzer(analyzer) === undefined) {
    throw queryParsing(dsl.index, `[mlt] analyzer [${analyzer}] not found`);
  }
  const percent = options.scalar('percent_terms_to_match', 'percentTermsToMatch');
  const boostTerms = options.number(0, 'boost_terms', 'boostTerms');
  const stopWords = options.take('stop_words', 'stopWords');
  const minimum = options.text('minimum_should_match', 'minimumShouldMatch');
  const selection: Selection = {
    analyzer,
    minTermFreq: int(2, 'min_term_freq', 'minTermFreq'),
    minDocFreq: int(5, 'min_doc_freq', 'minDocFreq'),
    maxDocFreq: int(MAX_INT, 'max_doc_freq', 'maxDocFreq'),
    maxQueryTerms: int(25, 'max_query_terms', 'maxQueryTerms'),
    minLength: int(0, 'min_word_length', 'minWordLength', 'min_word_len', 'minWordLen'),
    maxLength: int(0, 'max_word_length', 'maxWordLength', 'max_word_len', 'maxWordLen'),
    stopWords: new Set(Array.isArray(stopWords) ? stopWords.flatMap((word) => textOf(word) ?? []) : []),
    boostTerms,
    minimum: minimum ?? (percent === undefined ? '30%' : `${Math.round(floatOf(percent) * 100)}%`),
  };
  return { texts, selection, boost: options.boost() };
}

function readFields(options: Options): string[] | undefined {
  const given = options.take('fields');
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) throw options.unsupported('fields');
  return given.flatMap((each) => textOf(each) ?? []);
}

function readItems(options: Options, dsl: Dsl): Item[] {
  const ids = options.take('ids');
  const docs = options.take('docs');
  const items: Item[] = [];
  const typeOf = (index: string, id: string | undefined) => {
    const [only = '', second] = dsl.types;
    if (second === undefined) return only;
    throw queryParsing(dsl.index, `ambiguous type for item with id: ${id ?? ''} and index: ${index}`);
  };
  for (const each of Array.isArray(ids) ? ids : ids === undefined ? [] : [ids]) {
    const id = textOf(each);
    if (id === undefined) throw illegalArgument('ids array element should only contain ids');
    const { index } = dsl;
    items.push(stored({ index, type: typeOf(index, id), id, source: undefined, fields: undefined }, dsl));
  }
  for (const each of Array.isArray(docs) ? docs : docs === undefined ? [] : [docs]) {
    if (!isObject(each)) throw illegalArgument('docs array element should include an object');
    const fields = each.fields ?? each._fields;
    const [index, id] = [textOf(each._index) ?? dsl.index, textOf(each._id)];
    const item: Item = {
      index,
      type: textOf(each._type) ?? typeOf(index, id),
      id,
      source: each.doc,
      fields: Array.isArray(fields) ? fields.flatMap((field) => textOf(field) ?? []) : undefined,
    };
    items.push(item.source === undefined ? stored(item, dsl) : { ...item, isGiven: true });
  }
  return items;
}

/** With the source of the document, if there is one: what can't be read says nothing, as in 1.7. */
function stored(item: Item, dsl: Dsl): Item {
  const { index, type, id } = item;
  if (id === undefined) return item;
  try {
    return { ...item, source: dsl.source(index, type, id) };
  } catch (e) {
    if (toElasticsearchError(e).exception === 'AuthorizationException') throw e;
    return item;
  }
}

/** The fields that hold words. */
function supported(names: readonly string[], failing: boolean, dsl: Dsl): ResolvedField[] {
  const kept: ResolvedField[] = [];
  for (const name of names) {
    const resolved = resolve(dsl, name);
    if (resolved.field === undefined || !resolved.field.isExact) kept.push(resolved);
    else if (failing) {
      throw illegalArgument(`more_like_this doesn't support binary/numeric fields: [${name}]`);
    }
  }
  return kept;
}

type Group = MoreLikeThisNode['groups'][number];

/** The words of texts, as the first field's analyzer makes them, looked for in all fields. */
function textGroup(
  texts: readonly string[],
  fields: readonly ResolvedField[],
  selection: Selection,
  dsl: Dsl,
): Group {
  const [first] = fields;
  const words = texts.flatMap((text) =>
    analyzed(text, first!, selection.analyzer, dsl).map(({ term }) => term),
  );
  return { fields: fields.map(({ number }) => number), terms: termsOf(words, selection) };
}

/** The words of documents, field by field: by their names, since a mapping that was read again has them in another order than one that grew. */
function documentGroups(
  items: readonly Item[],
  wanted: readonly ResolvedField[] | undefined,
  selection: Selection,
  dsl: Dsl,
): Group[] {
  const words = new Map<string, { number: number; list: string[] }>();
  for (const { source, type, fields, isGiven = false } of items) {
    const root = dsl.model.type(type)?.root;
    if (!isObject(source) || root === undefined) continue;
    const mapped = root.leaves();
    // Of one that stands in the query all fields count, whichever are searched otherwise.
    const own = fields?.map((name) => resolve(dsl, name)) ?? (isGiven ? undefined : wanted);
    for (const field of mapped) {
      if (!(field instanceof StringField) || field.number < 0 || !field.isIndexed) continue;
      if (own !== undefined && !own.some(({ number }) => number === field.number)) continue;
      const list = words.get(field.fullName)?.list ?? [];
      words.set(field.fullName, { number: field.number, list });
      const texts = isGiven ? keptValues(root, field, source).map(String) : textsOf(source, field);
      for (const text of texts) {
        for (const { term } of dsl.analyzer(field.indexAnalyzer())?.analyze(text) ?? []) list.push(term);
      }
    }
  }
  return [...words]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { number, list }]) => ({ fields: [number], terms: termsOf(list, selection) }));
}

/** The texts of a field in a source; a multi-field has those of the field around it. */
function textsOf(source: JsonObject, field: LeafField): string[] {
  const found = valuesAt(source, field.fullName.split('.'));
  const dot = field.fullName.lastIndexOf('.');
  if (found.length > 0 || dot < 0) return found;
  return valuesAt(source, field.fullName.slice(0, dot).split('.'));
}

function valuesAt(value: unknown, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, path));
  const [name, ...rest] = path;
  if (name === undefined) return textOf(value) === undefined ? [] : [textOf(value)!];
  return isObject(value) ? valuesAt(ownValue(value, name), rest) : [];
}

/** Words with how often they occur, in the order in which they came. */
function termsOf(words: readonly string[], selection: Selection): Group['terms'] {
  const { minTermFreq, minLength, maxLength, stopWords } = selection;
  const frequencies = new Map<string, number>();
  for (const word of words) {
    if (minLength > 0 && word.length < minLength) continue;
    if (maxLength > 0 && word.length > maxLength) continue;
    if (stopWords.has(word)) continue;
    frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  }
  const terms: Group['terms'] = [];
  for (const [word, frequency] of frequencies) {
    if (minTermFreq <= 0 || frequency >= minTermFreq) terms.push({ frequency, term: textTerm(word) });
  }
  return terms;
}

function likeNode(groups: Group[], selection: Selection, boost: number): MoreLikeThisNode {
  const { minDocFreq, maxDocFreq, maxQueryTerms, boostTerms, minimum } = selection;
  const most = groups.reduce((sum, { terms }) => sum + terms.length, 0);
  return {
    kind: 'moreLikeThis',
    boost,
    minDocFreq,
    maxDocFreq,
    maxQueryTerms,
    boostTerms,
    groups,
    minimums: minimumsOf(most, minimum),
  };
}

function together(queries: PlanNode[], boost: number, texts: string[] | undefined): PlanNode {
  const text = () => `like:${texts === undefined ? 'null' : `[${texts.join(', ')}]`}`;
  const [only] = queries;
  if (only === undefined) return { kind: 'none', text };
  if (queries.length === 1) return { ...only, text };
  const clauses = queries.map((node) => ({ occur: Occur.Should, node }));
  return { kind: 'boolean', noCoord: false, boost, minimum: 0, clauses, text };
}
