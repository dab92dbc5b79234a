/** `multi_match`: one text matched against several fields. */

import { hashOrder } from '../../compat17/javaHash.js';
import { Occur } from '../../core/abi/plan.js';
import { parseFailure, queryParsing } from '../../errors.js';
import { booleanOf, floatOf, isObject, type JsonObject, strictFloatOf, textOf } from '../../json/values.js';
import { stage } from '../../passes.js';
import type { BlendedNode } from '../../plan/nodes/blended.js';
import type { PlanNode } from '../../plan/nodes.js';
import {
  checkFields,
  type Dsl,
  Options,
  type QueryCompiler,
  type QueryKind,
  type ResolvedField,
  resolve,
  withBoost,
} from '../context.js';
import { fieldQuery, type Matching, readMatching } from './matching.js';
import { booleanOf as joined } from './text.js';

type Kind = 'best' | 'most' | 'cross' | 'phrase' | 'phrasePrefix';

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['best_fields', 'best'],
  ['bestFields', 'best'],
  ['boolean', 'best'],
  ['most_fields', 'most'],
  ['mostFields', 'most'],
  ['cross_fields', 'cross'],
  ['crossFields', 'cross'],
  ['phrase', 'phrase'],
  ['phrase_prefix', 'phrasePrefix'],
  ['phrasePrefix', 'phrasePrefix'],
]);

/** Names with their boosts, undefined where none is given. */
export type FieldBoosts = Map<string, number | undefined>;

/** `multi_match`. */
const multiMatch: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'match', body);
  const value = options.scalar('query');
  const given = options.take('fields');
  if (given === null || isObject(given))
    throw queryParsing(dsl.index, '[multi_match] query does not support [fields]');
  const fields = readFields(given, dsl);
  const typeName = options.text('type') ?? 'best_fields';
  const kind = KINDS.get(typeName);
  if (kind === undefined) throw parseFailure(`No type found for value: ${typeName}`);
  const matching = readMatching(options, dsl);
  matching.type = kind === 'phrase' || kind === 'phrasePrefix' ? kind : 'boolean';
  const tie = options.scalar('tie_breaker', 'tieBreaker');
  const useDisMax = options.scalar('use_dis_max', 'useDisMax');
  let tieBreaker = tie === undefined ? (kind === 'most' ? 1 : 0) : strictFloatOf(tie);
  // The option of old goes before the type.
  if (useDisMax !== undefined && booleanOf(useDisMax) !== (kind !== 'most')) {
    tieBreaker = kind === 'most' && tie === undefined ? 0 : 1;
  }
  const boost = options.boost();
  options.end();
  if (value === undefined) throw queryParsing(dsl.index, 'No text specified for multi_match query');
  if (fields.size === 0) throw queryParsing(dsl.index, 'No fields specified for multi_match query');
  const names = hashOrder([...fields.keys()]);
  const queries =
    kind === 'cross' && names.length > 1
      ? crossFields(names, fields, value, matching, tieBreaker, dsl)
      : names.flatMap((name) => {
          const query = queryOf(name, names.length, body, value, matching, dsl);
          return query === undefined ? [] : [boosted(query, fields.get(name))];
        });
  const [only] = queries;
  if (only === undefined) return undefined;
  // With a single field the boost of the query replaces that of the field, as in 1.7.
  if (queries.length === 1) return withBoost(only, boost);
  if (kind !== 'cross' && tieBreaker !== 1) return { kind: 'disMax', boost, tieBreaker, nodes: queries };
  return joined(queries, Occur.Should, false, boost);
};

export const multiMatchQuery: QueryKind = {
  names: ['multi_match', 'multiMatch'],
  read: multiMatch,
  reach: 'found',
};

/** From so many fields on, others may have a turn between them: 300 words on 270 fields took 400 ms. */
const MANY_FIELDS = 16;

function queryOf(
  name: string,
  names: number,
  body: JsonObject,
  value: unknown,
  matching: Matching,
  dsl: Dsl,
): PlanNode | undefined {
  if (names < MANY_FIELDS) return fieldQuery(name, value, matching, dsl);
  let isNew = false;
  // The same query may be read for several types, or within several objects.
  const node = stage(body, `${dsl.nestedPath ?? ''}#${dsl.searchedTypes.join()}#${name}`, () => {
    isNew = true;
    return fieldQuery(name, value, matching, dsl);
  });
  if (!isNew && node?.kind === 'boolean') dsl.count(node.clauses.length);
  return node;
}

function boosted(query: PlanNode, boost: number | undefined): PlanNode {
  return boost === undefined ? query : withBoost(query, boost);
}

/**
 * Fields with the same analyzer are searched as if they were one: each word is looked for in all of them, with one
 * document frequency. Fields that aren't mapped stand by themselves.
 */
function crossFields(
  names: readonly string[],
  fields: FieldBoosts,
  value: unknown,
  matching: Matching,
  tieBreaker: number,
  dsl: Dsl,
): PlanNode[] {
  const queries: PlanNode[] = [];
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const { field } = resolve(dsl, name);
    if (field === undefined) {
      const query = fieldQuery(name, value, matching, dsl);
      if (query !== undefined) queries.push(boosted(query, fields.get(name)));
      continue;
    }
    const analyzer = matching.analyzer ?? (field.isExact ? `type ${field.type}` : field.searchAnalyzer());
    const group = groups.get(analyzer);
    if (group === undefined) groups.set(analyzer, [name]);
    else group.push(name);
  }
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    if (group.length === 1) {
      // Its boost is lost, as in 1.7.
      const query = fieldQuery(first, value, matching, dsl);
      if (query !== undefined) queries.push(withBoost(query, 1));
      continue;
    }
    const blended = group.map((name) => ({ resolved: resolve(dsl, name), boost: fields.get(name) ?? 1 }));
    const word = (text: string) => blendedWord(blended, text, matching, tieBreaker);
    const query = fieldQuery(first, value, { ...matching, word, cutoff: undefined }, dsl);
    if (query !== undefined) queries.push(query);
  }
  return queries;
}

function blendedWord(
  fields: readonly { resolved: ResolvedField; boost: number }[],
  text: string,
  { cutoff }: Matching,
  tieBreaker: number,
): PlanNode {
  const terms = fields.map(({ resolved, boost }) => ({
    field: resolved.number,
    boost,
    term: (resolved.field ?? fields[0]!.resolved.field!).term(text),
  }));
  const node: BlendedNode = { kind: 'blended', boost: 1, terms };
  if (cutoff !== undefined) return { ...node, cutoff };
  return tieBreaker === 1 ? node : { ...node, tieBreaker };
}

/** The `fields` of a query: names, patterns, each with a boost behind a `^`. */
export function readFields(given: unknown, dsl: Dsl): FieldBoosts {
  const fields: FieldBoosts = new Map();
  if (given === undefined || given === null) return fields;
  if (isObject(given)) throw queryParsing(dsl.index, '[match] query does not support [fields]');
  for (const each of Array.isArray(given) ? given : [given]) {
    const { name, boost } = readField(textOf(each) ?? '');
    // A pattern stands for fields of all types, whichever are searched.
    for (const found of dsl.model.queriedNames(name)) fields.set(found, boost);
  }
  checkFields(dsl, fields.size);
  return fields;
}

/** `name^boost`. */
export function readField(text: string): { name: string; boost: number | undefined } {
  const caret = text.indexOf('^');
  if (caret < 0) return { name: text, boost: undefined };
  return { name: text.slice(0, caret), boost: floatOf(text.slice(caret + 1)) };
}
