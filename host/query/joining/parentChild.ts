/** Queries and filters from parents to children and back: `has_child`, `has_parent`, `top_children`. */

import { ChildScore } from '../../core/abi/plan.js';
import { illegalArgument, queryParsing } from '../../errors.js';
import { isObject } from '../../json/values.js';
import { UNKNOWN_FIELD } from '../../mapping/field.js';
import type { ParentField } from '../../mapping/parents.js';
import type { JoinNode } from '../../plan/nodes/join.js';
import type { PlanNode } from '../../plan/nodes.js';
import {
  asFilter,
  cached,
  constant,
  type Dsl,
  type FilterKind,
  IGNORED,
  NAMED,
  Options,
  type QueryCompiler,
  type QueryKind,
  show,
  typeNode,
  withBoost,
} from '../context.js';
import { type QueryInnerHits, queryInnerHits } from './innerHits.js';

type Kind = 'query' | 'filter';

const MODES = new Map<string, ChildScore>([
  ['none', ChildScore.none],
  ['min', ChildScore.min],
  ['max', ChildScore.max],
  ['sum', ChildScore.sum],
  ['total', ChildScore.sum],
  ['avg', ChildScore.avg],
]);

function readMode(text: string): ChildScore {
  const mode = MODES.get(text);
  if (mode === undefined) throw illegalArgument(`No score type for child query [${text}] found`);
  return mode;
}

/** The query or filter inside, and which of them it is. */
interface Inner {
  json: unknown;
  kind: Kind;
}

function innerOf(options: Options, kind: Kind): Inner | undefined {
  const query = options.object('query');
  // Beside a query, a filter that is given too is let be.
  const filter = kind === 'filter' ? options.object('filter') : undefined;
  if (query !== undefined) return { json: query, kind: 'query' };
  return filter === undefined ? undefined : { json: filter, kind: 'filter' };
}

/** What stands inside, as a query on documents of one type; undefined if it comes to nothing. */
function innerQuery({ json, kind }: Inner, type: string, boost: number | undefined, dsl: Dsl) {
  return dsl.within([type], () => {
    if (kind === 'query') {
      const query = dsl.optionalQuery(json);
      return query === undefined || boost === undefined ? query : withBoost(query, boost);
    }
    const filter = dsl.filter(json);
    return filter && constant(filter, 1);
  });
}

function ofType(query: PlanNode, type: string): PlanNode {
  return { kind: 'filtered', boost: 1, query, filter: cached(typeNode([type])) };
}

/** The numbers of the fields that tie children to parents of a type. */
function ties(field: ParentField, dsl: Dsl): { children: number; parents: number } {
  const parents = dsl.model.ownUid(field.parentType)?.number ?? UNKNOWN_FIELD;
  return { children: field.number, parents };
}

/** The `_parent` of a type of children, whose parents' type is mapped. */
function parentOf(type: string, prefix: string, dsl: Dsl): ParentField {
  const mapping = dsl.model.type(type);
  if (mapping === undefined) throw queryParsing(dsl.index, `${prefix}No mapping for for type [${type}]`);
  const { parent } = mapping;
  const gap = prefix === '' ? '' : ' ';
  if (parent === undefined)
    throw queryParsing(dsl.index, `${prefix}${gap}Type [${type}] does not have parent mapping`);
  if (!dsl.model.hasType(parent.parentType)) {
    const detail = `Type [${type}] points to a non existent parent type [${parent.parentType}]`;
    throw queryParsing(dsl.index, `${prefix}${gap}${detail}`);
  }
  return parent;
}

/** What a node prints as. */
function printed(node: JoinNode, head: string, dsl: Dsl): JoinNode {
  return { ...node, text: () => `${head}(${show(dsl, node.node)})` };
}

/** As a filter it is wrapped, and prints so. */
function wrapped(node: PlanNode | undefined, kind: Kind, dsl: Dsl): PlanNode | undefined {
  if (node === undefined || kind === 'query') return node;
  return asFilter(node, () => `CustomQueryWrappingFilter(${show(dsl, node)})`);
}

/** What is shown of the documents inside; undefined if nothing is. */
function innerHitsOf(options: Options, dsl: Dsl): QueryInnerHits | undefined {
  const given = options.object('inner_hits');
  return given === undefined ? undefined : queryInnerHits(given, dsl);
}

function showInner(asked: QueryInnerHits | undefined, type: string, query: PlanNode, dsl: Dsl): void {
  if (asked === undefined) return;
  const { name = type, options } = asked;
  dsl.showInner({ name, scope: { kind: 'family', type }, options, query, inner: [] });
}

/** Counts as 1.7 reads them: fractions are cut. */
function count(options: Options, ...names: string[]): number {
  return Math.min(Math.max(Math.trunc(options.number(0, ...names)), 0), 0x7fffffff);
}

function hasChild(body: unknown, dsl: Dsl, kind: Kind): PlanNode | undefined {
  const options = new Options(dsl, 'has_child', isObject(body) ? body : {}, kind, {
    ignored: kind === 'query' ? NAMED : IGNORED,
  });
  const shown = innerHitsOf(options, dsl);
  const inner = innerOf(options, kind);
  const type = options.text('type', 'child_type', 'childType');
  const least = count(options, 'min_children', 'minChildren');
  const most = count(options, 'max_children', 'maxChildren');
  options.scalar('short_circuit_cutoff');
  let mode: ChildScore = ChildScore.none;
  let boost = 1;
  if (kind === 'query') {
    const named = options.text('score_mode', 'scoreMode') ?? options.text('score_type', 'scoreType');
    options.take('score_type', 'scoreType');
    if (named !== undefined) mode = readMode(named);
    boost = options.boost();
  }
  options.end();
  const fail = (detail: string) =>
    queryParsing(dsl.index, `[has_child] ${kind === 'filter' ? 'filter ' : ''}${detail}`);
  if (inner === undefined)
    throw fail(kind === 'query' ? "requires 'query' field" : "requires 'query' or 'filter' field");
  if (type === undefined) throw fail("requires 'type' field");
  const query = innerQuery(inner, type, kind === 'query' ? boost : undefined, dsl);
  if (query === undefined) return undefined;
  const parent = parentOf(type, '[has_child] ', dsl);
  if (most > 0 && most < least)
    throw queryParsing(dsl.index, "[has_child] 'max_children' is less than 'min_children'");
  showInner(shown, type, query, dsl);
  const { children, parents } = ties(parent, dsl);
  const node: JoinNode = {
    kind: 'join',
    boost,
    mode,
    inner: children,
    outer: parents,
    least: least > 1 ? least : 0,
    most,
    node: ofType(query, type),
  };
  const pair = `${type}/${parent.parentType}`;
  const plain = mode === ChildScore.none && node.least === 0 && most === 0;
  const bounds = `min(${node.least}) max(${most === 0 ? 0x7fffffff : most})`;
  const head = plain ? `child_filter[${pair}]` : `ChildrenQuery[${bounds}of ${pair}]`;
  return wrapped(printed(node, head, dsl), kind, dsl);
}

function hasParent(body: unknown, dsl: Dsl, kind: Kind): PlanNode | undefined {
  const options = new Options(dsl, 'has_parent', isObject(body) ? body : {}, kind, {
    ignored: kind === 'query' ? NAMED : IGNORED,
  });
  const shown = innerHitsOf(options, dsl);
  const inner = innerOf(options, kind);
  const type = options.text('parent_type', 'parentType', 'type');
  let mode: ChildScore = ChildScore.none;
  let boost = 1;
  if (kind === 'query') {
    // Whatever else it may say is let be.
    const named = options.text('score_mode', 'scoreMode') ?? options.text('score_type', 'scoreType');
    options.take('score_type', 'scoreType');
    if (named === 'score') mode = ChildScore.max;
    boost = options.boost();
  }
  options.end();
  const fail = (detail: string) => queryParsing(dsl.index, `[has_parent] ${detail}`);
  if (inner === undefined)
    throw fail(`${kind} requires ${kind === 'query' ? "'query' field" : "'query' or 'filter' field"}`);
  if (type === undefined) throw fail(`${kind} requires 'parent_type' field`);
  const query = innerQuery(inner, type, kind === 'query' ? boost : undefined, dsl);
  if (query === undefined) return undefined;
  const { model } = dsl;
  if (!model.hasType(type)) throw fail(`query configured 'parent_type' [${type}] is not a valid type`);
  showInner(shown, type, query, dsl);
  const types = model.typeNames().map((name) => model.type(name)!.parent);
  const parent =
    types.find((field) => field?.parentType === type) ?? types.find((field) => field !== undefined);
  if (parent === undefined) throw fail('no _parent field configured');
  const node: JoinNode = {
    kind: 'join',
    boost,
    mode,
    inner: model.ownUid(type)?.number ?? UNKNOWN_FIELD,
    outer: parent.number,
    least: 0,
    most: 0,
    node: ofType(query, type),
  };
  const head = mode === ChildScore.none ? `parent_filter[${type}]` : `ParentQuery[${type}]`;
  return wrapped(printed(node, head, dsl), kind, dsl);
}

const topChildren: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'top_children', body);
  const inner = innerOf(options, 'query');
  const type = options.text('type');
  const mode = readMode(options.text('score', 'score_mode', 'scoreMode') ?? 'max');
  const boost = options.boost();
  const factor = Math.max(Math.trunc(options.number(5, 'factor')), 1);
  const growth = Math.max(Math.trunc(options.number(2, 'incremental_factor', 'incrementalFactor')), 1);
  options.end();
  if (inner === undefined) throw queryParsing(dsl.index, "[top_children] requires 'query' field");
  if (type === undefined) throw queryParsing(dsl.index, "[top_children] requires 'type' field");
  const query = innerQuery(inner, type, boost, dsl);
  if (query === undefined) return undefined;
  const parent = parentOf(type, '', dsl);
  if (mode === ChildScore.none) {
    throw queryParsing(dsl.index, '[top_children] No support for score type [NONE]');
  }
  const { children, parents } = ties(parent, dsl);
  const top = { factor: Math.min(factor, 0x7fffffff), growth: Math.min(growth, 0x7fffffff) };
  const node: JoinNode = {
    kind: 'join',
    boost: 1,
    mode,
    inner: children,
    outer: parents,
    least: 0,
    most: 0,
    top,
    node: ofType(query, type),
  };
  return printed(node, `score_child[${type}/${parent.parentType}]`, dsl);
};

const child =
  (kind: Kind) =>
  (body: unknown, dsl: Dsl): PlanNode | undefined =>
    hasChild(body, dsl, kind);
const parent =
  (kind: Kind) =>
  (body: unknown, dsl: Dsl): PlanNode | undefined =>
    hasParent(body, dsl, kind);

/** Whether a document is found tells of its relatives, which the filter of an alias isn't asked about. */
const reach = 'index';

export const hasChildQuery: QueryKind = { names: ['has_child', 'hasChild'], read: child('query'), reach };
export const hasParentQuery: QueryKind = { names: ['has_parent', 'hasParent'], read: parent('query'), reach };
export const topChildrenQuery: QueryKind = {
  names: ['top_children', 'topChildren'],
  read: topChildren,
  reach,
};
export const hasChildFilter: FilterKind = { names: ['has_child', 'hasChild'], read: child('filter'), reach };
export const hasParentFilter: FilterKind = {
  names: ['has_parent', 'hasParent'],
  read: parent('filter'),
  reach,
};
