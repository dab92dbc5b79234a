/**
 * A naive engine: runs a plan over documents that are lists of tokens, with Lucene 4.10's scores to the last bit. It
 * is the judge of the core in property tests, and is itself judged by fixtures that the real Lucene made
 * (test/fixtures/scoring).
 *
 * One shard, one segment. Documents deleted still count in `maxDoc` and in document frequencies.
 */

import type { BooleanNode } from '../../host/plan/nodes/boolean.js';
import type { FunctionScoreNode } from '../../host/plan/nodes/functionScore.js';
import { Occur } from '../../host/core/abi/plan.js';
import type { Plan } from '../../host/plan/plan.js';
import type { PlanNode, SpanNode } from '../../host/plan/nodes.js';
import { type NaiveIndex, termKey } from './naiveIndex.js';
import { expanded, isSpan, termsOf } from './naiveExpand.js';
import { spanField, spanFrequency, spanIdf } from './naiveSpans.js';
import { functionFactor } from './naiveFunctions.js';
import {
  ConjunctionScorer,
  CoordinatingConjunctionScorer,
  CoordScorer,
  DisjunctionMaxScorer,
  DisjunctionSumScorer,
  END,
  ExclusionScorer,
  ListScorer,
  MinShouldMatchScorer,
  phraseFrequency,
  RequiredOptionalScorer,
  type Scorer,
} from './naiveScorers.js';

const f = Math.fround;

export interface NaiveHit {
  key: number;
  score: number;
}

export interface NaiveResult {
  total: number;
  /** NaN if nothing matched or no hits are wanted. */
  maxScore: number;
  /** Score descending, then document order. */
  hits: NaiveHit[];
}

/** Runs plans over one index. */
export class NaiveEngine {
  readonly index: NaiveIndex;

  constructor(index: NaiveIndex) {
    this.index = index;
  }

  search(plan: Plan): NaiveResult {
    const weight = weightOf(expanded(plan.root, this.index), this.index);
    const norm = queryNorm(weight.sum());
    weight.normalize(norm, 1);
    const accept = (doc: number) => this.index.isLive(doc);
    const bulk = !plan.inOrder && weight.outOfOrder;
    let matches = bulk ? (weight.bulk(accept) ?? []) : drain(weight.scorer(accept));
    if (plan.postFilter !== undefined) {
      const allowed = matching(plan.postFilter, this.index);
      matches = matches.filter((match) => allowed.has(match.doc));
    }
    const total = matches.length;
    if (plan.k === 0 || total === 0) return { total, maxScore: Number.NaN, hits: [] };
    matches.sort((a, b) => b.score - a.score || a.doc - b.doc);
    const hits = matches
      .slice(0, plan.k)
      .map((match) => ({ key: this.index.documents[match.doc]!.key, score: match.score }));
    return { total, maxScore: hits[0]!.score, hits };
  }
}

/** The live documents that a node matches, without scores. */
export function matching(node: PlanNode, index: NaiveIndex): Set<number> {
  const weight = weightOf(expanded(node, index, false), index);
  weight.normalize(1, 1);
  return new Set(drain(weight.scorer((doc) => index.isLive(doc))).map((match) => match.doc));
}

interface Match {
  doc: number;
  score: number;
}

type Accept = (doc: number) => boolean;

/** Lucene's Weight: a query with its part of the query norm, which makes scorers. */
abstract class Weight {
  /** Whether Lucene would collect it in bulk, clause by clause. */
  readonly outOfOrder: boolean = false;
  /** The sum of squared weights. */
  abstract sum(): number;
  abstract normalize(norm: number, outer: number): void;
  /** Undefined where nothing can match. */
  abstract scorer(accept: Accept): Scorer | undefined;
  /** All matches as a clause of a bulk scorer; undefined where nothing can match. */
  bulk(accept: Accept): Match[] | undefined {
    const scorer = this.scorer(accept);
    return scorer && drain(scorer);
  }
}

function drain(scorer: Scorer | undefined): Match[] {
  const matches: Match[] = [];
  if (scorer === undefined) return matches;
  while (scorer.next() !== END) matches.push({ doc: scorer.doc, score: scorer.score() });
  return matches;
}

function queryNorm(sum: number): number {
  const norm = f(1 / Math.sqrt(sum));
  return Number.isFinite(norm) ? norm : 1;
}

function weightOf(node: PlanNode, index: NaiveIndex): Weight {
  switch (node.kind) {
    case 'none':
      return new NoneWeight();
    case 'all':
      return new ConstantWeight(node.boost, index, () => true, index.maxDoc);
    case 'term':
      return new TermWeight([node], 0, node.field, node.boost, index);
    case 'phrase': {
      const parts = node.positions.map((part) => part.terms.map((term) => ({ term, at: part.position })));
      return new TermWeight(parts.flat(), node.slop, node.field, node.boost, index, parts);
    }
    case 'boolean':
      return new BooleanWeight(node, index);
    case 'filtered':
      return new FilteredWeight(weightOf(node.query, index), f(node.boost), matching(node.filter, index));
    case 'disMax':
      return new DisMaxWeight(
        node.nodes.map((each) => weightOf(each, index)),
        f(node.boost),
        f(node.tieBreaker),
      );
    case 'constant': {
      const set = matching(node.node, index);
      const cost =
        node.node.kind === 'term' ? index.docFreq(node.node.field, termKey(node.node.term)) : index.maxDoc;
      return new ConstantWeight(node.boost, index, (doc) => set.has(doc), cost);
    }
    case 'boosting': {
      const negative = weightOf(node.negative, index);
      return new BoostingWeight(weightOf(node.positive, index), negative, f(node.negativeBoost));
    }
    case 'functionScore':
      return new FunctionWeight(node, weightOf(node.query, index), index);
    default: {
      if (isSpan(node)) return new SpanWeight(node, index);
      const set = setOf(node, index);
      return new ConstantWeight(1, index, (doc) => set.has(doc), index.maxDoc);
    }
  }
}

/** The documents of a node that never scores, deleted ones included. */
function setOf(node: PlanNode, index: NaiveIndex): Set<number> {
  const withTerms = (field: number, wanted: (term: string) => boolean) =>
    new Set(
      index
        .terms(field)
        .filter(wanted)
        .flatMap((term) => index.postings(field, term).map((posting) => posting.doc)),
    );
  switch (node.kind) {
    case 'terms': {
      const terms = new Set(node.terms.map(termKey));
      return withTerms(node.field, (term) => terms.has(term));
    }
    case 'prefix': {
      const prefix = termKey(node.prefix);
      return withTerms(node.field, (term) => term.startsWith(prefix));
    }
    case 'range': {
      const lower = node.lower && termKey(node.lower);
      const upper = node.upper && termKey(node.upper);
      return withTerms(
        node.field,
        (term) =>
          (lower === undefined || term > lower || (node.includeLower && term === lower)) &&
          (upper === undefined || term < upper || (node.includeUpper && term === upper)),
      );
    }
    case 'exists':
      return withTerms(node.field, () => true);
    case 'multiTerm': {
      const terms = new Set(termsOf(node, index).map(({ term }) => termKey(term)));
      return withTerms(node.field, (term) => terms.has(term));
    }
    case 'keys': {
      const keys = new Set(node.keys);
      const docs = index.documents.flatMap((document, doc) => (keys.has(document.key) ? [doc] : []));
      return new Set(docs);
    }
    default:
      throw new Error(`[${node.kind}] is no set of documents`);
  }
}

class NoneWeight extends Weight {
  sum(): number {
    return 0;
  }
  normalize(): void {}
  scorer(): undefined {
    return undefined;
  }
}

class ConstantWeight extends Weight {
  readonly #boost: number;
  readonly #index: NaiveIndex;
  readonly #matches: Accept;
  readonly #cost: number;
  #score = 0;

  constructor(boost: number, index: NaiveIndex, matches: Accept, cost: number) {
    super();
    this.#boost = f(boost);
    this.#index = index;
    this.#matches = matches;
    this.#cost = cost;
  }

  sum(): number {
    return f(this.#boost * this.#boost);
  }

  normalize(norm: number, outer: number): void {
    this.#score = f(this.#boost * f(norm * outer));
  }

  scorer(accept: Accept): Scorer | undefined {
    const hits: Match[] = [];
    for (let doc = 0; doc < this.#index.maxDoc; doc++) {
      if (accept(doc) && this.#matches(doc)) hits.push({ doc, score: this.#score });
    }
    return hits.length === 0 ? undefined : new ListScorer(hits, this.#cost);
  }
}

/** A term, or a phrase if `parts` are given. */
class TermWeight extends Weight {
  readonly #field: number;
  readonly #index: NaiveIndex;
  readonly #idf: number;
  readonly #slop: number;
  readonly #parts: { term: string; at: number }[][];
  #weight: number;
  #value = 0;

  constructor(
    terms: readonly { term: Uint8Array }[],
    slop: number,
    field: number,
    boost: number,
    index: NaiveIndex,
    parts?: { term: Uint8Array; at: number }[][],
  ) {
    super();
    this.#field = field;
    this.#index = index;
    this.#slop = slop;
    let idf = 0;
    for (const { term } of terms) idf = f(idf + index.idf(field, termKey(term)));
    this.#idf = idf;
    this.#weight = f(idf * f(boost));
    const single = terms.map(({ term }) => [{ term, at: 0 }]);
    this.#parts = (parts ?? single).map((part) => part.map(({ term, at }) => ({ term: termKey(term), at })));
  }

  sum(): number {
    return f(this.#weight * this.#weight);
  }

  normalize(norm: number, outer: number): void {
    this.#weight = f(this.#weight * f(norm * outer));
    this.#value = f(this.#weight * this.#idf);
  }

  scorer(accept: Accept): Scorer | undefined {
    const index = this.#index;
    const postings = this.#parts.map((part) => {
      const docs = new Map<number, number[]>();
      for (const { term } of part) {
        for (const { doc, positions } of index.postings(this.#field, term)) {
          docs.set(
            doc,
            [...(docs.get(doc) ?? []), ...positions].sort((a, b) => a - b),
          );
        }
      }
      return docs;
    });
    if (postings.some((docs) => docs.size === 0)) return undefined;
    const hits: Match[] = [];
    for (const doc of [...postings[0]!.keys()].sort((a, b) => a - b)) {
      if (!accept(doc) || !postings.every((docs) => docs.has(doc))) continue;
      const freq = this.#frequency(postings.map((docs) => docs.get(doc)!));
      if (freq > 0) hits.push({ doc, score: this.#score(doc, freq) });
    }
    const frequencies = this.#parts.map((part) =>
      part.reduce((sum, { term }) => sum + index.docFreq(this.#field, term), 0),
    );
    return new ListScorer(hits, this.#slop === 0 ? Math.min(...frequencies) : frequencies[0]!);
  }

  #frequency(positions: readonly number[][]): number {
    if (this.#parts.length === 1)
      return (this.#index.flags(this.#field) & 1) === 0 ? 1 : positions[0]!.length;
    const parts = this.#parts.map((part, i) => ({
      offset: part[0]!.at,
      terms: part.map(({ term }) => term),
      positions: positions[i]!,
    }));
    return phraseFrequency(parts, this.#slop);
  }

  #score(doc: number, freq: number): number {
    const raw = f(f(Math.sqrt(freq)) * this.#value);
    const norm = this.#index.norm(this.#field, doc);
    return norm === undefined ? raw : f(raw * norm);
  }
}

/** Spans: the sum of 1 / (length + 1) stands for a frequency. */
class SpanWeight extends Weight {
  readonly #node: SpanNode;
  readonly #index: NaiveIndex;
  readonly #idf: number;
  #weight: number;
  #value = 0;

  constructor(node: SpanNode, index: NaiveIndex) {
    super();
    this.#node = node;
    this.#index = index;
    this.#idf = spanIdf(node, index);
    this.#weight = f(this.#idf * f(node.boost));
  }

  sum(): number {
    return this.#node.kind === 'spanOr' && this.#node.nodes.length === 0 ? 1 : f(this.#weight * this.#weight);
  }

  normalize(norm: number, outer: number): void {
    this.#weight = f(this.#weight * f(norm * outer));
    this.#value = f(this.#weight * this.#idf);
  }

  scorer(accept: Accept): Scorer | undefined {
    const hits: Match[] = [];
    for (let doc = 0; doc < this.#index.maxDoc; doc++) {
      const freq = accept(doc) ? spanFrequency(this.#node, doc, this.#index) : 0;
      if (freq === 0) continue;
      const raw = f(f(Math.sqrt(freq)) * this.#value);
      const norm = this.#index.norm(spanField(this.#node), doc);
      hits.push({ doc, score: norm === undefined ? raw : f(raw * norm) });
    }
    return hits.length === 0 ? undefined : new ListScorer(hits, hits.length);
  }
}

/** What a query matches, the score multiplied where another one matches too. */
class BoostingWeight extends Weight {
  readonly #positive: Weight;
  readonly #negative: Weight;
  readonly #factor: number;

  constructor(positive: Weight, negative: Weight, factor: number) {
    super();
    this.#positive = positive;
    this.#negative = negative;
    this.#factor = factor;
  }

  sum(): number {
    return f(this.#positive.sum() + this.#negative.sum());
  }

  normalize(norm: number, outer: number): void {
    this.#positive.normalize(norm, outer);
    this.#negative.normalize(norm, outer);
  }

  scorer(accept: Accept): Scorer | undefined {
    const positive = this.#positive.scorer(accept);
    if (positive === undefined) return undefined;
    const cost = positive.cost;
    const negative = new Map(drain(this.#negative.scorer(accept)).map(({ doc, score }) => [doc, score]));
    const hits = drain(positive).map(({ doc, score }) => {
      const other = negative.get(doc);
      return { doc, score: other === undefined ? score : f(f(score + other) * this.#factor) };
    });
    return new ListScorer(hits, cost);
  }
}

/** A query whose scores go through functions; its own boost counts in the weights and once more beside the factor. */
class FunctionWeight extends Weight {
  readonly #node: FunctionScoreNode;
  readonly #query: Weight;
  readonly #index: NaiveIndex;

  constructor(node: FunctionScoreNode, query: Weight, index: NaiveIndex) {
    super();
    this.#node = node;
    this.#query = query;
    this.#index = index;
  }

  sum(): number {
    return f(this.#query.sum() * f(f(this.#node.boost) * f(this.#node.boost)));
  }

  normalize(norm: number, outer: number): void {
    this.#query.normalize(norm, f(outer * f(this.#node.boost)));
  }

  scorer(accept: Accept): Scorer | undefined {
    const query = this.#query.scorer(accept);
    if (query === undefined) return undefined;
    const sets = this.#node.functions.map(({ filter }) => filter && matching(filter, this.#index));
    const hits = drain(query).map(({ doc, score }) => {
      const passing = this.#node.functions.filter((_, i) => sets[i]?.has(doc) ?? true);
      return { doc, score: functionFactor(this.#node, passing, score) };
    });
    const least = this.#node.minScore;
    return new ListScorer(
      hits.filter(({ score }) => least === undefined || score >= f(least)),
      query.cost,
    );
  }
}

class FilteredWeight extends Weight {
  readonly #query: Weight;
  readonly #boost: number;
  readonly #filter: ReadonlySet<number>;

  constructor(query: Weight, boost: number, filter: ReadonlySet<number>) {
    super();
    this.#query = query;
    this.#boost = boost;
    this.#filter = filter;
  }

  sum(): number {
    return f(f(this.#query.sum() * this.#boost) * this.#boost);
  }

  normalize(norm: number, outer: number): void {
    this.#query.normalize(norm, f(outer * this.#boost));
  }

  scorer(accept: Accept): Scorer | undefined {
    // As a null scorer, it counts neither for a minimum of optional clauses nor for its kind of sum.
    if (this.#filter.size === 0) return undefined;
    return this.#query.scorer((doc) => accept(doc) && this.#filter.has(doc));
  }
}

class DisMaxWeight extends Weight {
  readonly #parts: readonly Weight[];
  readonly #boost: number;
  readonly #tie: number;

  constructor(parts: readonly Weight[], boost: number, tie: number) {
    super();
    this.#parts = parts;
    this.#boost = boost;
    this.#tie = tie;
  }

  sum(): number {
    let max = 0;
    let sum = 0;
    for (const part of this.#parts) {
      const own = part.sum();
      sum = f(sum + own);
      max = Math.max(max, own);
    }
    const rest = f(f(f(sum - max) * this.#tie) * this.#tie);
    return f(f(f(rest + max) * this.#boost) * this.#boost);
  }

  normalize(norm: number, outer: number): void {
    for (const part of this.#parts) part.normalize(norm, f(outer * this.#boost));
  }

  scorer(accept: Accept): Scorer | undefined {
    const scorers = this.#parts.flatMap((part) => part.scorer(accept) ?? []);
    if (scorers.length <= 1) return scorers[0];
    return new DisjunctionMaxScorer(scorers, this.#tie);
  }
}

class BooleanWeight extends Weight {
  readonly #clauses: { occur: Occur; weight: Weight }[];
  readonly #boost: number;
  readonly #minimum: number;
  readonly #noCoord: boolean;
  readonly #most: number;
  override readonly outOfOrder: boolean;

  constructor(node: BooleanNode, index: NaiveIndex) {
    super();
    this.#clauses = node.clauses.map(({ occur, node }) => ({ occur, weight: weightOf(node, index) }));
    this.#boost = f(node.boost);
    this.#minimum = node.minimum;
    this.#noCoord = node.noCoord;
    this.#most = node.clauses.filter((clause) => clause.occur !== Occur.MustNot).length;
    const optional = node.clauses.filter((clause) => clause.occur === Occur.Should).length;
    this.outOfOrder =
      node.minimum <= 1 &&
      node.clauses.every((clause) => clause.occur !== Occur.Must) &&
      optional !== node.minimum;
  }

  sum(): number {
    let sum = 0;
    for (const { occur, weight } of this.#clauses) {
      const own = weight.sum();
      if (occur !== Occur.MustNot) sum = f(sum + own);
    }
    return f(sum * f(this.#boost * this.#boost));
  }

  normalize(norm: number, outer: number): void {
    for (const { weight } of this.#clauses) weight.normalize(norm, f(outer * this.#boost));
  }

  #coord(count: number): number {
    return this.#noCoord || this.#most === 1 ? 1 : f(count / this.#most);
  }

  #coords(length: number, off = false): number[] {
    return Array.from({ length: length + 1 }, (_, i) => (off ? 1 : this.#coord(i)));
  }

  /** Clause by clause, the last one first: `(float) (double sum * coord)`. */
  override bulk(accept: Accept): Match[] | undefined {
    if (this.#minimum > 1 || this.#clauses.some((clause) => clause.occur === Occur.Must))
      return super.bulk(accept);
    const sums = new Map<number, { sum: number; count: number }>();
    const excluded = new Set<number>();
    for (const { occur, weight } of this.#clauses.toReversed()) {
      for (const { doc, score } of weight.bulk(accept) ?? []) {
        if (occur === Occur.MustNot) excluded.add(doc);
        else {
          const bucket = sums.get(doc);
          if (bucket === undefined) sums.set(doc, { sum: score, count: 1 });
          else {
            bucket.sum += score;
            bucket.count++;
          }
        }
      }
    }
    return [...sums]
      .filter(([doc, { count }]) => !excluded.has(doc) && count >= this.#minimum)
      .map(([doc, { sum, count }]) => ({ doc, score: f(sum * this.#coord(count)) }))
      .sort((a, b) => a.doc - b.doc);
  }

  scorer(accept: Accept): Scorer | undefined {
    let required: Scorer[] = [];
    let optional: Scorer[] = [];
    const prohibited = new Set<number>();
    for (const { occur, weight } of this.#clauses) {
      const scorer = weight.scorer(accept);
      if (scorer === undefined) {
        if (occur === Occur.Must) return undefined;
      } else if (occur === Occur.Must) required.push(scorer);
      else if (occur === Occur.Should) optional.push(scorer);
      else for (const { doc } of drain(scorer)) prohibited.add(doc);
    }
    let minimum = this.#minimum;
    if (optional.length === minimum) {
      required = [...required, ...optional];
      optional = [];
      minimum = 0;
    }
    if (required.length === 0 && optional.length === 0) return undefined;
    if (optional.length < minimum) return undefined;
    const without = (main: Scorer) => (prohibited.size === 0 ? main : new ExclusionScorer(main, prohibited));
    if (optional.length === 0) return without(this.#all(required, false));
    if (required.length === 0) return without(this.#any(optional, minimum, false));
    const must = without(this.#all(required, true));
    const should = this.#any(optional, minimum, true);
    const count = required.length;
    if (minimum === 0) {
      // A lone optional clause counts once, whatever it is made of.
      const most = optional.length === 1 ? 1 : this.#most;
      return new RequiredOptionalScorer(must, should, (more) => this.#coord(count + Math.min(more, most)));
    }
    if (this.#noCoord) return new ConjunctionScorer([must, should], 1);
    if (optional.length === 1) return new ConjunctionScorer([must, should], this.#coord(count + 1));
    return new CoordinatingConjunctionScorer(must, count, should, this.#coords(this.#most));
  }

  #all(required: readonly Scorer[], off: boolean): Scorer {
    const coord = off ? 1 : this.#coord(required.length);
    if (required.length > 1) return new ConjunctionScorer(required, coord);
    return off || this.#most === 1 || this.#noCoord ? required[0]! : new CoordScorer(required[0]!, coord);
  }

  #any(optional: readonly Scorer[], minimum: number, off: boolean): Scorer {
    if (optional.length === 1) {
      if (off || this.#most === 1 || this.#noCoord) return optional[0]!;
      return new CoordScorer(optional[0]!, this.#coord(1));
    }
    const coords = this.#coords(optional.length, off);
    return minimum > 1
      ? new MinShouldMatchScorer(optional, minimum, coords)
      : new DisjunctionSumScorer(optional, coords);
  }
}
