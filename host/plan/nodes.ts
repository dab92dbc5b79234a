/**
 * The registry of nodes: every kind that a plan is made of, each with a file of its own. Nodes are the queries of Lucene before
 * what depends on a shard's terms is rewritten; their boosts are 32-bit floats.
 */

import { type AllNode, allKind } from './nodes/all.js';
import { type BlendedNode, blendedKind } from './nodes/blended.js';
import { type BooleanNode, booleanKind } from './nodes/boolean.js';
import { type BoostingNode, boostingKind } from './nodes/boosting.js';
import { type CommonTermsNode, commonTermsKind } from './nodes/commonTerms.js';
import { type ConstantNode, constantKind } from './nodes/constant.js';
import { type DisMaxNode, disMaxKind } from './nodes/disMax.js';
import { type ExistsNode, existsKind } from './nodes/exists.js';
import { type ExpressionNode, expressionKind } from './nodes/expression.js';
import { type FilteredNode, filteredKind } from './nodes/filtered.js';
import { type FunctionScoreNode, functionScoreKind } from './nodes/functionScore.js';
import { type FuzzyLikeThisNode, fuzzyLikeThisKind } from './nodes/fuzzyLikeThis.js';
import { type GeoBoxNode, geoBoxKind } from './nodes/geoBox.js';
import { type GeoDistanceNode, geoDistanceKind } from './nodes/geoDistance.js';
import { type GeoPolygonNode, geoPolygonKind } from './nodes/geoPolygon.js';
import { type JoinNode, joinKind } from './nodes/join.js';
import { type KeysNode, keysKind } from './nodes/keys.js';
import type { NodeKind } from './nodes/kind.js';
import { type LimitNode, limitKind } from './nodes/limit.js';
import { type MoreLikeThisNode, moreLikeThisKind } from './nodes/moreLikeThis.js';
import { type MultiTermNode, multiTermKind } from './nodes/multiTerm.js';
import { type NestedNode, nestedKind } from './nodes/nested.js';
import { type NoneNode, noneKind } from './nodes/none.js';
import { type PartsNode, partsKind } from './nodes/parts.js';
import { type PhraseNode, phraseKind } from './nodes/phrase.js';
import { type PhrasePrefixNode, phrasePrefixKind } from './nodes/phrasePrefix.js';
import { type PrefixNode, prefixKind } from './nodes/prefix.js';
import { type RangeNode, rangeKind } from './nodes/range.js';
import { type SpanFirstNode, spanFirstKind } from './nodes/span/spanFirst.js';
import { type SpanMaskNode, spanMaskKind } from './nodes/span/spanMask.js';
import { type SpanMultiNode, spanMultiKind } from './nodes/span/spanMulti.js';
import { type SpanNearNode, spanNearKind } from './nodes/span/spanNear.js';
import { type SpanNotNode, spanNotKind } from './nodes/span/spanNot.js';
import { type SpanOrNode, spanOrKind } from './nodes/span/spanOr.js';
import { type SpanTermNode, spanTermKind } from './nodes/span/spanTerm.js';
import { type TermNode, termKind } from './nodes/term.js';
import { type TermsNode, termsKind } from './nodes/terms.js';
import { type UidsNode, uidsKind } from './nodes/uids.js';

/** Span queries stand inside one another; only the outermost scores, with its own boost. */
export type SpanNode =
  | SpanFirstNode
  | SpanMaskNode
  | SpanMultiNode
  | SpanNearNode
  | SpanNotNode
  | SpanOrNode
  | SpanTermNode;

export type PlanNode =
  | AllNode
  | BlendedNode
  | BooleanNode
  | BoostingNode
  | CommonTermsNode
  | ConstantNode
  | DisMaxNode
  | ExistsNode
  | ExpressionNode
  | FilteredNode
  | FunctionScoreNode
  | FuzzyLikeThisNode
  | GeoBoxNode
  | GeoDistanceNode
  | GeoPolygonNode
  | JoinNode
  | KeysNode
  | LimitNode
  | MoreLikeThisNode
  | MultiTermNode
  | NestedNode
  | NoneNode
  | PartsNode
  | PhraseNode
  | PhrasePrefixNode
  | PrefixNode
  | RangeNode
  | SpanNode
  | TermNode
  | TermsNode
  | UidsNode;

/** Every kind by its name. */
const KINDS: { readonly [K in PlanNode['kind']]: NodeKind<Extract<PlanNode, { kind: K }>> } = {
  all: allKind,
  blended: blendedKind,
  boolean: booleanKind,
  boosting: boostingKind,
  commonTerms: commonTermsKind,
  constant: constantKind,
  disMax: disMaxKind,
  exists: existsKind,
  expression: expressionKind,
  filtered: filteredKind,
  functionScore: functionScoreKind,
  fuzzyLikeThis: fuzzyLikeThisKind,
  geoBox: geoBoxKind,
  geoDistance: geoDistanceKind,
  geoPolygon: geoPolygonKind,
  join: joinKind,
  keys: keysKind,
  limit: limitKind,
  moreLikeThis: moreLikeThisKind,
  multiTerm: multiTermKind,
  nested: nestedKind,
  none: noneKind,
  parts: partsKind,
  phrase: phraseKind,
  phrasePrefix: phrasePrefixKind,
  prefix: prefixKind,
  range: rangeKind,
  spanFirst: spanFirstKind,
  spanMask: spanMaskKind,
  spanMulti: spanMultiKind,
  spanNear: spanNearKind,
  spanNot: spanNotKind,
  spanOr: spanOrKind,
  spanTerm: spanTermKind,
  term: termKind,
  terms: termsKind,
  uids: uidsKind,
};

/** What there is to know of a node's kind. */
export function kindOf(node: PlanNode): NodeKind<PlanNode> {
  return KINDS[node.kind] as NodeKind<PlanNode>;
}

/** Whether the bytes of a node, or of one in it, differ from shard to shard. */
export function dependsOnShard(node: PlanNode): boolean {
  const kind = kindOf(node);
  return kind.dependsOnShard?.(node) === true || kind.children?.(node).some(dependsOnShard) === true;
}
