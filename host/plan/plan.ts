/**
 * Plans: the queries that the core runs, as a tree; encode.ts writes their bytes (assembly/search/README.md draws them). Nodes
 * are the queries of Lucene before what depends on a shard's terms is rewritten; their boosts are 32-bit floats.
 */

import { ChildScore, JoinMode, Occur } from '../core/abi/plan.js';
import type { BoundExpression } from '../expression/program.js';
import type { Similarity } from '../similarity/similarities.js';
import type { GeoBoxNode, GeoDistanceNode, GeoPolygonNode } from './geoNodes.js';
import type { MultiTermNode } from './multiTermNode.js';
import type { PlanBytes } from '../core/planBytes.js';
import type { Printed } from './printed.js';
import type { BoostMode, ScoreFunction, ScoreMode } from './scoreFunction.js';
import type { SpanNode } from './spanNodes.js';
import type { Statistics } from './statistics.js';
import type { Sort } from './sortKeys.js';

export { ChildScore, JoinMode, Occur };

export interface NoneNode extends Printed {
  kind: 'none';
}
export interface AllNode extends Printed {
  kind: 'all';
  boost: number;
}
export interface TermNode extends Printed {
  kind: 'term';
  field: number;
  boost: number;
  term: Uint8Array;
}
export interface Clause {
  occur: Occur;
  node: PlanNode;
}
export interface BooleanNode extends Printed {
  kind: 'boolean';
  noCoord: boolean;
  boost: number;
  /** 0: none set. */
  minimum: number;
  clauses: Clause[];
}
export interface ConstantNode extends Printed {
  kind: 'constant';
  boost: number;
  node: PlanNode;
  /** It stands around a query, not a filter: its terms are highlighted. */
  ofQuery?: boolean | undefined;
}
export interface FilteredNode extends Printed {
  kind: 'filtered';
  boost: number;
  query: PlanNode;
  filter: PlanNode;
}
export interface PhraseNode extends Printed {
  kind: 'phrase';
  field: number;
  boost: number;
  slop: number;
  positions: { position: number; terms: Uint8Array[] }[];
}
/** Documents that have a hidden one which matches. */
export interface NestedNode extends Printed {
  kind: 'nested';
  boost: number;
  mode: JoinMode;
  /** Matches hidden documents. */
  node: PlanNode;
  /** The documents that the hidden ones are parts of, where these are hidden too; undefined: those that aren't. */
  parents: PlanNode | undefined;
}
/** The hidden documents that are parts of those of the keys, which may be hidden themselves: `parents` finds their like then. */
export interface PartsNode extends Printed {
  kind: 'parts';
  keys: readonly number[];
  parents: PlanNode | undefined;
}
export interface TermsNode extends Printed {
  kind: 'terms';
  field: number;
  terms: Uint8Array[];
}
export interface PrefixNode extends Printed {
  kind: 'prefix';
  field: number;
  prefix: Uint8Array;
}
export interface RangeNode extends Printed {
  kind: 'range';
  field: number;
  lower?: Uint8Array | undefined;
  upper?: Uint8Array | undefined;
  includeLower: boolean;
  includeUpper: boolean;
}
export interface DisMaxNode extends Printed {
  kind: 'disMax';
  boost: number;
  tieBreaker: number;
  nodes: PlanNode[];
}
/** Documents by `type#id`; each shard has its own keys for them. */
export interface UidsNode extends Printed {
  kind: 'uids';
  uids: string[];
  /** What other uids begin with. */
  prefixes?: string[];
  /** Others: they begin so, and are accepted. */
  patterns?: { prefix: string; accepts(uid: string): boolean }[];
  /** Not the documents are meant, but the hidden ones that are parts of them. */
  parts?: boolean;
}
/** Documents by key. */
export interface KeysNode extends Printed {
  kind: 'keys';
  keys: number[];
}

/**
 * Parents of the children that a query finds, or children of the parents: the documents whose uid in the field `outer` is that in
 * the field `inner` of a document which `node` finds. `node` is a search of its own, with its own norm.
 */
export interface JoinNode extends Printed {
  kind: 'join';
  boost: number;
  mode: ChildScore;
  inner: number;
  outer: number;
  /** How many documents must be found, from `least` on; at `most` 0: any number. */
  least: number;
  most: number;
  /** Only the best documents found are joined, `factor` times the wanted hits, and `growth` times as many if that is too few. */
  top?: { factor: number; growth: number } | undefined;
  node: PlanNode;
}
/** Documents for which a script is not 0. */
export interface ExpressionNode extends Printed {
  kind: 'expression';
  script: BoundExpression;
}
/** The first documents of each shard that `node` matches. */
export interface LimitNode extends Printed {
  kind: 'limit';
  limit: number;
  node: PlanNode;
}
export interface ExistsNode extends Printed {
  kind: 'exists';
  field: number;
}

/** A phrase whose last position is any term that starts with one of `prefixes`, at most `maxExpansions` of them. */
export interface PhrasePrefixNode extends Printed {
  kind: 'phrasePrefix';
  field: number;
  boost: number;
  slop: number;
  positions: { position: number; terms: Uint8Array[] }[];
  last: { position: number; prefixes: Uint8Array[] };
  maxExpansions: number;
}

/** Documents of `positive`; those that `negative` matches too have their score multiplied by `negativeBoost`. */
export interface BoostingNode extends Printed {
  kind: 'boosting';
  positive: PlanNode;
  negative: PlanNode;
  negativeBoost: number;
}

/**
 * function_score. `single`: one function without a filter, which 1.7 runs as another query than a list of functions
 * (`FunctionScoreQuery` and `FiltersFunctionScoreQuery`).
 */
export interface FunctionScoreNode extends Printed {
  kind: 'functionScore';
  boost: number;
  query: PlanNode;
  single: boolean;
  functions: { function: ScoreFunction; weight?: number | undefined; filter?: PlanNode | undefined }[];
  scoreMode: ScoreMode;
  boostMode: BoostMode;
  /** A word of `_all` with boosts, which 1.7 has a query of its own for. */
  isAllTerm?: boolean | undefined;
  maxBoost?: number | undefined;
  minScore?: number | undefined;
}

/** How many of n clauses must match: `minimums[n]` for every n from 0 to the number of terms. */
export type Minimums = readonly number[];

/**
 * Terms of a common terms query, or of a match query with a cutoff_frequency: those in more documents than `cutoff` (a
 * part of all below 1, a number of documents from 1 on) only score the documents that the others match.
 */
export interface CommonTermsNode extends Printed {
  kind: 'commonTerms';
  field: number;
  boost: number;
  terms: Uint8Array[];
  cutoff: number;
  lowOccur: Occur;
  highOccur: Occur;
  lowMinimums: Minimums;
  highMinimums: Minimums;
  noCoord: boolean;
}

/**
 * One word in several fields that score with one document frequency: 1.7's `BlendedTermQuery`. With a `tieBreaker` the best
 * field counts (a disjunction maximum), else the fields are a boolean without coord; with a `cutoff` they are split like common
 * terms.
 */
export interface BlendedNode extends Printed {
  kind: 'blended';
  boost: number;
  tieBreaker?: number | undefined;
  cutoff?: number | undefined;
  terms: { field: number; boost: number; term: Uint8Array }[];
}

/** The terms of a text that more_like_this selects by the shard's document frequencies. Each group is selected by itself. */
export interface MoreLikeThisNode extends Printed {
  kind: 'moreLikeThis';
  boost: number;
  minDocFreq: number;
  maxDocFreq: number;
  maxQueryTerms: number;
  /** 0: terms are not boosted by their tf-idf. */
  boostTerms: number;
  groups: { fields: number[]; terms: { frequency: number; term: Uint8Array }[] }[];
  /** For every number of selected terms up to all of them. */
  minimums: Minimums;
}

/**
 * The terms most like the words of a text, the ones that say most of them: each word with what may be its variants, the terms of
 * an automaton or, where they may be too far off for one, of a prefix.
 */
export interface FuzzyLikeThisNode extends Printed {
  kind: 'fuzzyLikeThis';
  boost: number;
  maxQueryTerms: number;
  /** Whether every document with a term scores alike. */
  ignoreFrequency: boolean;
  maxEdits: number;
  /** Below 1: a variant must be more like its word than that. */
  minSimilarity: number;
  words: { word: TermNode; variants: MultiTermNode }[];
}

export type PlanNode =
  | NoneNode
  | AllNode
  | TermNode
  | BooleanNode
  | ConstantNode
  | FilteredNode
  | PhraseNode
  | TermsNode
  | PrefixNode
  | RangeNode
  | DisMaxNode
  | UidsNode
  | KeysNode
  | ExistsNode
  | GeoDistanceNode
  | GeoBoxNode
  | GeoPolygonNode
  | ExpressionNode
  | MultiTermNode
  | PhrasePrefixNode
  | BoostingNode
  | FunctionScoreNode
  | CommonTermsNode
  | BlendedNode
  | MoreLikeThisNode
  | FuzzyLikeThisNode
  | NestedNode
  | PartsNode
  | JoinNode
  | LimitNode
  | SpanNode;

/** Aggregations as a plan knows them: the filters that they ask, and a tree that writes itself. */
export interface PlannedAggregations {
  readonly filters: readonly PlanNode[];
  readonly list: readonly { write(bytes: PlanBytes): void }[];
}

/** A whole plan. */
export interface Plan {
  /** How many hits are wanted; 0 for the total alone. */
  k: number;
  /** Score document by document, never in bulk. */
  inOrder: boolean;
  root: PlanNode;
  postFilter?: PlanNode | undefined;
  /** Sorts the hits by more than their scores. */
  sort?: Sort<PlanNode> | undefined;
  /** What the matches are aggregated to. */
  aggregations?: PlannedAggregations | undefined;
  /** Documents that score less don't count. */
  minScore?: number | undefined;
  /** One after the other, each on the hits that the one before left in order. */
  rescore?: Rescore[] | undefined;
  /** Nodes of which the result tells, for every hit, whether they match it; as filters. */
  named?: PlanNode[] | undefined;
  /** Stop a segment's search after so many documents. */
  terminateAfter?: number | undefined;
  /** Milliseconds that the search may take. */
  timeout?: number | undefined;
  /** A shard that is stopped answers with what it has found by then, and its result tells so (`takeStopped`). */
  partial?: boolean;
  /** Don't search: explain the documents with these keys. */
  explain?: readonly number[] | undefined;
  /** Don't search: give the document frequencies of all terms. */
  gather?: boolean | undefined;
  /** Fields that are not scored with the default similarity. */
  similarities?: ReadonlyMap<number, Similarity> | undefined;
  /** Hidden documents are found like others. */
  hidden?: boolean | undefined;
  /** Statistics of all shards together, in place of this shard's. */
  statistics?: Statistics | undefined;
}

/** Scores the first `window` hits again. */
export interface Rescore {
  window: number;
  node: PlanNode;
  queryWeight: number;
  rescoreWeight: number;
  mode: RescoreMode;
}
export const RescoreMode = { total: 0, multiply: 1, avg: 2, max: 3, min: 4 } as const;
export type RescoreMode = (typeof RescoreMode)[keyof typeof RescoreMode];

/** The shard that a plan is for, where the plan depends on it. */
export interface PlanShard {
  readonly number: number;
  readonly documents: {
    /** The key under which searches find a document, by `type#id`. */
    visibleKey(uid: string): number | undefined;
    /** The keys of those whose `type#id` begins so. */
    visibleKeys(prefix: string, accepts?: (uid: string) => boolean): number[];
  };
}

/** A shard without documents. */
export const EMPTY_SHARD: PlanShard = {
  number: 0,
  documents: { visibleKey: () => undefined, visibleKeys: () => [] },
};

/** Limits of the core. */
export const MAX_DEPTH = 64;
export const MAX_NODES = 16_384;
/** The most clauses of one boolean query, as in 1.7. */
export const MAX_CLAUSES = 1024;

/** Whether the plan differs from shard to shard. */
export function dependsOnShard(node: PlanNode): boolean {
  switch (node.kind) {
    case 'uids':
      return true;
    case 'boolean':
      return node.clauses.some((clause) => dependsOnShard(clause.node));
    case 'constant':
    case 'join':
    case 'limit':
      return dependsOnShard(node.node);
    case 'filtered':
      return dependsOnShard(node.query) || dependsOnShard(node.filter);
    case 'nested':
      return dependsOnShard(node.node);
    case 'disMax':
      return node.nodes.some(dependsOnShard);
    case 'boosting':
      return dependsOnShard(node.positive) || dependsOnShard(node.negative);
    case 'functionScore':
      return (
        dependsOnShard(node.query) ||
        node.functions.some(
          ({ function: own, filter }) =>
            own.type === 'random' || (filter !== undefined && dependsOnShard(filter)),
        )
      );
    default:
      return false;
  }
}
