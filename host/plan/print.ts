/**
 * Queries and filters as Lucene prints them, with 1.7's own additions. What can't be told from a plan node, such as the
 * name of a field that no shard knows or whether a filter is cached, the node brings along as its `text`.
 */

import { floatText } from '../numbers/javaNumbers.js';
import { javaText } from '../json/values.js';
import { ChildScore, type FunctionScoreNode, Occur, type PhrasePrefixNode, type PlanNode } from './plan.js';
import type { SpanNode } from './spanNodes.js';
import type { TermMatcher } from './multiTermNode.js';

/** The names of the core's fields, by number. */
export type FieldNames = readonly string[];

/** A query with its boost. */
export function print(node: PlanNode, names: FieldNames): string {
  const text = node.kind === 'boolean' ? booleanText(node, names) : body(node, names) + boostOf(node);
  return node.cached === true ? `cache(${text})` : text;
}

/** The same node, printed like that. */
export function printed<N extends PlanNode>(node: N, text: () => string): N {
  return { ...node, text };
}

/** Lucene's joins of blocks print without their boosts, and so do those of families that neither score nor count. */
function printsBare(node: PlanNode): boolean {
  if (node.kind === 'join') return node.mode === ChildScore.none && node.least === 0 && node.most === 0;
  return node.kind === 'nested';
}

function boostOf(node: PlanNode): string {
  return 'boost' in node && node.boost !== 1 && !printsBare(node) ? `^${floatText(node.boost)}` : '';
}

/** A query inside another: a boolean one in parentheses. */
function inner(node: PlanNode, names: FieldNames): string {
  return node.kind === 'boolean' && node.text === undefined ? `(${print(node, names)})` : print(node, names);
}

function booleanText(node: PlanNode & { kind: 'boolean' }, names: FieldNames): string {
  if (node.text !== undefined) return node.text() + boostOf(node);
  const clauses = node.clauses.map((clause) => {
    const sign = clause.occur === Occur.Must ? '+' : clause.occur === Occur.MustNot ? '-' : '';
    return sign + inner(clause.node, names);
  });
  const list = clauses.join(' ');
  const minimum = node.minimum > 0 ? `~${node.minimum}` : '';
  return node.boost !== 1 || node.minimum > 0 ? `(${list})${minimum}${boostOf(node)}` : list;
}

function body(node: PlanNode, names: FieldNames): string {
  if (node.text !== undefined) return node.text();
  const name = (field: number) => names[field] ?? `#${field}`;
  const show = (each: PlanNode) => print(each, names);
  switch (node.kind) {
    case 'none':
      return 'MatchNoDocsQuery';
    case 'all':
      return node.boost === 1 ? 'ConstantScore(*:*)' : '*:*';
    case 'term':
    case 'spanTerm':
      return `${name(node.field)}:${textOf(node.term)}`;
    case 'boolean':
      return booleanText(node, names);
    case 'constant':
      return `ConstantScore(${show(node.node)})`;
    case 'filtered':
      return `filtered(${show(node.query)})->${show(node.filter)}`;
    case 'nested':
      return `ToParentBlockJoinQuery (${show(node.node)})`;
    case 'phrase':
      return `${name(node.field)}:${phraseText(node.positions)}${slopText(node.slop)}`;
    case 'phrasePrefix':
      return `${name(node.field)}:${prefixText(node)}${slopText(node.slop)}`;
    case 'terms':
      return node.terms.map((term) => `${name(node.field)}:${textOf(term)}`).join(' ');
    case 'prefix':
      return `PrefixFilter(${name(node.field)}:${textOf(node.prefix)})`;
    case 'range':
      return `${name(node.field)}:${rangeText(node)}`;
    case 'disMax': {
      const tie = node.tieBreaker === 0 ? '' : `~${floatText(node.tieBreaker)}`;
      return `(${node.nodes.map((each) => inner(each, names)).join(' | ')})${tie}`;
    }
    case 'multiTerm':
      return `${name(node.field)}:${matcherText(node.matcher)}`;
    case 'boosting':
      return `${show(node.positive)}/${body(node.negative, names)}^0.0`;
    case 'functionScore':
      return `function score (${show(node.query)}${functionsText(node, show)})`;
    case 'commonTerms':
      return node.terms.map((term) => `${name(node.field)}:${textOf(term)}`).join(', ');
    case 'blended':
      return `blended(terms:[${node.terms.map(({ field, term }) => `${name(field)}:${textOf(term)}`).join(', ')}])`;
    case 'exists':
      return `_field_names:${name(node.field)}`;
    case 'fuzzyLikeThis':
      // It has no text in Lucene.
      return 'null';
    case 'uids':
      return node.uids
        .toSorted()
        .map((uid) => `_uid:${uid}`)
        .join(' ');
    case 'spanNear':
      return `spanNear([${list(node.nodes, names)}], ${node.slop}, ${node.inOrder})`;
    case 'spanOr':
      return `spanOr([${list(node.nodes, names)}])`;
    case 'spanNot':
      return `spanNot(${show(node.include)}, ${show(node.exclude)}, ${node.pre}, ${node.post})`;
    case 'spanFirst':
      return `spanFirst(${show(node.node)}, ${node.end})`;
    case 'spanMulti':
      return `SpanMultiTermQueryWrapper(${show(node.node)})`;
    case 'spanMask':
      return `mask(${show(node.node)}) as ${name(node.field)}`;
    default:
      return node.kind;
  }
}

/** Objects that have no text print as their class and a number that means nothing. */
const CLASSES = 'org.elasticsearch.common.lucene.search.function';
const DECAYS = 'org.elasticsearch.index.query.functionscore.DecayFunctionParser';

function functionsText(
  { single, functions }: PlanNode & { kind: 'functionScore' },
  show: (node: PlanNode) => string,
): string {
  const [first] = functions;
  if (first === undefined) return ',function=null';
  if (single) return `,function=${functionText(first)}`;
  const list = functions.map(
    (each) =>
      `{filter(${each.filter === undefined ? '*:*' : show(each.filter)}), function [${functionText(each)}]}`,
  );
  return `, functions: [${list.join('')}]`;
}

function functionText({ function: own, weight }: FunctionScoreNode['functions'][number]): string {
  if (weight !== undefined) return `${CLASSES}.WeightFactorFunction@1b9f6c0e`;
  switch (own.type) {
    case 'factor':
      return `boost[${floatText(Math.fround(own.factor))}]`;
    case 'random':
      return `${CLASSES}.RandomScoreFunction@1b9f6c0e`;
    case 'fieldValue':
      return `${CLASSES}.FieldValueFactorFunction@1b9f6c0e`;
    case 'script':
      return `script[${own.script.text}], params [${own.params === undefined ? 'null' : javaText(own.params)}]`;
    case 'decay':
      return `${DECAYS}$NumericFieldDataScoreFunction@1b9f6c0e`;
    case 'geoDecay':
      return `${DECAYS}$GeoFieldDataScoreFunction@1b9f6c0e`;
    default:
      return `${CLASSES}.WeightFactorFunction@1b9f6c0e`;
  }
}

function list(nodes: readonly SpanNode[], names: FieldNames): string {
  return nodes.map((node) => print(node, names)).join(', ');
}

const utf8 = new TextDecoder();

function textOf(term: Uint8Array): string {
  return utf8.decode(term);
}

function slopText(slop: number): string {
  return slop === 0 ? '' : `~${slop}`;
}

type Positions = readonly { position: number; terms: readonly Uint8Array[] }[];

/** `"a ? b"`; with alternatives somewhere `"(a b) c"`, and then without the gap at the start. */
export function phraseText(positions: Positions): string {
  const several = positions.some(({ terms }) => terms.length > 1);
  let last = several ? (positions[0]?.position ?? 0) - 1 : -1;
  const parts: string[] = [];
  for (const { position, terms } of positions) {
    for (let gap = last + 1; gap < position; gap++) parts.push('?');
    const texts = terms.map(textOf);
    parts.push(texts.length > 1 ? `(${texts.join(' ')})` : (texts[0] ?? ''));
    last = position;
  }
  return `"${parts.join(' ')}"`;
}

/** `"a b*"`; gaps don't show. */
export function prefixText({ positions, last }: Pick<PhrasePrefixNode, 'positions' | 'last'>): string {
  const parts = positions.map(({ terms }) => {
    const texts = terms.map(textOf);
    return texts.length > 1 ? `(${texts.join(' ')})` : (texts[0] ?? '');
  });
  const ends = last.prefixes.map((prefix) => `${textOf(prefix)}*`);
  parts.push(ends.length > 1 ? `(${ends.join(' ')})` : (ends[0] ?? ''));
  return `"${parts.join(' ')}"`;
}

/** A range of texts. */
export function rangeText(range: {
  lower?: Uint8Array | undefined;
  upper?: Uint8Array | undefined;
  includeLower: boolean;
  includeUpper: boolean;
}): string {
  return boundsText(
    range.lower === undefined ? undefined : textOf(range.lower),
    range.upper === undefined ? undefined : textOf(range.upper),
    range.includeLower,
    range.includeUpper,
  );
}

/** `[a TO b}`; an open bound is a star. */
export function boundsText(
  lower: string | undefined,
  upper: string | undefined,
  includeLower: boolean,
  includeUpper: boolean,
): string {
  const star = (text: string | undefined) => (text === '*' ? '\\*' : (text ?? '*'));
  return `${includeLower ? '[' : '{'}${star(lower)} TO ${star(upper)}${includeUpper ? ']' : '}'}`;
}

export function matcherText(matcher: TermMatcher): string {
  switch (matcher.type) {
    case 'prefix':
      return `${textOf(matcher.prefix)}*`;
    case 'range':
      return rangeText(matcher);
    case 'wildcard':
      return matcher.pattern;
    case 'regexp':
      return `/${matcher.pattern}/`;
    case 'fuzzy':
      return `${matcher.term}~${matcher.edits}`;
  }
}
