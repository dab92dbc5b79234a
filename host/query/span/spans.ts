/** Span queries: where words stand to each other. */

import { queryParsing } from '../../errors.js';
import { isObject, strictIntOf, textOf } from '../../json/values.js';
import { textTerm } from '../../mapping/terms.js';
import type { SpanTermNode } from '../../plan/nodes/span/spanTerm.js';
import type { PlanNode, SpanNode } from '../../plan/nodes.js';
import {
  type Dsl,
  fieldOptions,
  listed,
  Options,
  onUnknownField,
  type QueryCompiler,
  type QueryKind,
  resolve,
  tokenText,
} from '../context.js';
import { emptySays } from '../emptyOptions.js';

function isSpan(node: PlanNode | undefined): node is SpanNode {
  return node?.kind.startsWith('span') === true;
}

/** The span query under an option. */
function spanOf(dsl: Dsl, given: unknown, wrong: string): SpanNode {
  const node = dsl.optionalQuery(given);
  if (!isSpan(node)) throw queryParsing(dsl.index, wrong);
  return node;
}

function clausesOf(options: Options, dsl: Dsl, what: string): SpanNode[] {
  const given = options.take('clauses');
  if (given === undefined) return [];
  if (!Array.isArray(given)) throw options.unsupported('clauses');
  return listed(given, 'query', dsl).map((each) =>
    spanOf(dsl, each, `${what} [clauses] must be of type span query`),
  );
}

/** An option that holds a query; anything else is not supported. */
function queryOption(options: Options, name: string): unknown {
  return options.object(name);
}

/** `span_term`. */
const spanTerm: QueryCompiler = (body, dsl) => {
  const [entry] = Object.entries(body);
  if (entry === undefined) throw queryParsing(dsl.index, 'No value specified for term query');
  const inner = fieldOptions(dsl, 'span_term', isObject(entry[1]) ? entry[1] : tokenText(entry[1]), 'value');
  const value = inner.tokenText('term', 'value');
  const boost = inner.boost();
  inner.end();
  const text = textOf(value);
  if (text === undefined) throw queryParsing(dsl.index, 'No value specified for term query');
  const resolved = resolve(dsl, entry[0]);
  const term = resolved.field === undefined ? textTerm(text) : resolved.field.term(value);
  const node: SpanTermNode = { kind: 'spanTerm', field: resolved.number, boost, term };
  return onUnknownField(resolved, node, () => text);
};

export const spanTermQuery: QueryKind = {
  names: ['span_term', 'spanTerm'],
  read: spanTerm,
  reach: 'found',
  byField: true,
};

/** `span_near`. */
const spanNear: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'span_near', body, 'query', { knowsLists: true });
  const nodes = clausesOf(options, dsl, 'spanNear');
  const slop = options.scalar('slop');
  const inOrder = options.flag(true, 'in_order', 'inOrder');
  options.take('collect_payloads', 'collectPayloads');
  const boost = options.boost();
  options.end();
  if (nodes.length === 0) throw queryParsing(dsl.index, 'span_near must include [clauses]');
  if (slop === undefined) throw queryParsing(dsl.index, 'span_near must include [slop]');
  return { kind: 'spanNear', boost, slop: strictIntOf(slop), inOrder, nodes };
};

export const spanNearQuery: QueryKind = {
  names: ['span_near', 'spanNear'],
  read: spanNear,
  reach: 'found',
  empty: emptySays('[span_near] query does not support [null]'),
};

/** `span_or`. */
const spanOr: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'span_or', body, 'query', { knowsLists: true });
  const nodes = clausesOf(options, dsl, 'spanOr');
  const boost = options.boost();
  options.end();
  if (nodes.length === 0) throw queryParsing(dsl.index, 'spanOr must include [clauses]');
  return { kind: 'spanOr', boost, nodes };
};

export const spanOrQuery: QueryKind = {
  names: ['span_or', 'spanOr'],
  read: spanOr,
  reach: 'found',
  empty: emptySays('[span_or] query does not support [null]'),
};

/** `span_not`. */
const spanNot: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'span_not', body);
  const included = queryOption(options, 'include');
  const excluded = queryOption(options, 'exclude');
  const int = (name: string) => {
    const value = options.scalar(name);
    return value === undefined ? undefined : strictIntOf(value);
  };
  const [dist, pre, post] = [int('dist'), int('pre'), int('post')];
  const boost = options.boost();
  options.end();
  const include =
    included === undefined
      ? undefined
      : spanOf(dsl, included, 'spanNot [include] must be of type span query');
  const exclude =
    excluded === undefined
      ? undefined
      : spanOf(dsl, excluded, 'spanNot [exclude] must be of type span query');
  if (include === undefined) {
    throw queryParsing(dsl.index, 'spanNot must have [include] span query clause');
  }
  if (exclude === undefined) {
    throw queryParsing(dsl.index, 'spanNot must have [exclude] span query clause');
  }
  if (dist !== undefined && (pre !== undefined || post !== undefined)) {
    throw queryParsing(dsl.index, 'spanNot can either use [dist] or [pre] & [post] (or none)');
  }
  const before = Math.max(0, dist ?? pre ?? 0);
  return { kind: 'spanNot', boost, include, exclude, pre: before, post: Math.max(0, dist ?? post ?? 0) };
};

export const spanNotQuery: QueryKind = {
  names: ['span_not', 'spanNot'],
  read: spanNot,
  reach: 'found',
  empty: emptySays('[span_not] query does not support [null]'),
};

/** `span_first`. */
const spanFirst: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'span_first', body);
  const match = queryOption(options, 'match');
  const end = options.scalar('end');
  const boost = options.boost();
  options.end();
  if (match === undefined) {
    throw queryParsing(dsl.index, 'spanFirst must have [match] span query clause');
  }
  const node = spanOf(dsl, match, 'spanFirst [match] must be of type span query');
  if (end === undefined) throw queryParsing(dsl.index, 'spanFirst must have [end] set for it');
  return { kind: 'spanFirst', boost, node, end: Math.max(0, strictIntOf(end)) };
};

export const spanFirstQuery: QueryKind = {
  names: ['span_first', 'spanFirst'],
  read: spanFirst,
  reach: 'found',
  empty: emptySays('[span_first] query does not support [null]'),
};

/** `span_multi`: a query on all terms that match something, as a span. */
const spanMulti: QueryCompiler = (body, dsl) => {
  const match = body.match;
  if (!isObject(match)) {
    throw queryParsing(dsl.index, 'spanMultiTerm must have [match] multi term query clause');
  }
  const node = dsl.optionalQuery(match);
  if (node?.kind !== 'multiTerm') {
    throw queryParsing(dsl.index, 'spanMultiTerm [match] must be of type multi term query');
  }
  return { kind: 'spanMulti', boost: node.boost, node };
};

export const spanMultiQuery: QueryKind = {
  names: ['span_multi', 'spanMulti'],
  read: spanMulti,
  reach: 'found',
};

/** `field_masking_span`: spans of one field among those of another. */
const spanMask: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'field_masking_span', body);
  const query = queryOption(options, 'query');
  const field = options.text('field');
  const boost = options.boost();
  options.end();
  if (query === undefined) {
    throw queryParsing(dsl.index, 'field_masking_span must have [query] span query clause');
  }
  const node = spanOf(dsl, query, 'field_masking_span [query] must be of type span query');
  if (field === undefined) {
    throw queryParsing(dsl.index, 'field_masking_span query must have [field] set for it');
  }
  return { kind: 'spanMask', field: resolve(dsl, field).number, boost, node };
};

export const spanMaskQuery: QueryKind = {
  names: ['field_masking_span', 'fieldMaskingSpan'],
  read: spanMask,
  reach: 'found',
};
