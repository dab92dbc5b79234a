/** The bytes of plans: assembly/search/README.md draws them. */

import { writeAggregations } from '../aggregation/compile.js';
import { writeProgram } from '../expression/program.js';
import { writeMatcher, writeRange } from './matcherBytes.js';
import {
  type FunctionScoreNode,
  MAX_DEPTH,
  MAX_NODES,
  type Minimums,
  type PhraseNode,
  type Plan,
  type PlanNode,
  type PlanShard,
  type Rescore,
  type UidsNode,
} from './plan.js';
import type { GeoBox } from './geoNodes.js';
import type { SpanNode } from './spanNodes.js';
import { DecayShape, type ScoreFunction } from './scoreFunction.js';
import { count, PlanBytes, tooComplex } from './planBytes.js';
import { insideKeys, writeSort } from './sortKeys.js';

const MAGIC = 0x4e4c5052;
const VERSION = 1;

/**
 * The bytes of a plan. `shard` is asked for the documents that are searched by id; `places` is told where each node begins.
 */
export function encodePlan(plan: Plan, shard?: PlanShard, places?: Map<number, PlanNode>): Uint8Array {
  const writer = new PlanWriter(shard, places);
  writer.u32(MAGIC);
  writer.u8(VERSION);
  const { postFilter, sort, aggregations } = plan;
  writer.u8(
    (postFilter === undefined ? 0 : 1) |
      (plan.inOrder ? 2 : 0) |
      (sort === undefined ? 0 : 8) |
      (aggregations === undefined ? 0 : 16),
  );
  writer.options(plan);
  writer.u32(plan.k);
  writer.head(plan);
  writer.node(plan.root, 1);
  if (postFilter !== undefined) writer.node(postFilter, 1);
  writer.tail(plan);
  if (sort !== undefined) writeSort(sort, writer);
  const inside = insideKeys(sort);
  if (inside.length > 0) {
    writer.u8(inside.length);
    for (const { number, inside: filter } of inside) {
      writer.u8(number);
      writer.node(filter, 1);
    }
  }
  if (aggregations !== undefined) writeAggregations(aggregations, writer, (filter) => writer.node(filter, 1));
  return writer.bytes();
}

class PlanWriter extends PlanBytes {
  #nodes = 0;
  readonly #shard: PlanShard | undefined;
  readonly #places: Map<number, PlanNode> | undefined;

  constructor(shard: PlanShard | undefined, places: Map<number, PlanNode> | undefined) {
    super();
    this.#shard = shard;
    this.#places = places;
  }

  node(node: PlanNode, depth: number): void {
    if (depth > MAX_DEPTH) throw tooComplex(`more than ${MAX_DEPTH} levels deep`);
    if (++this.#nodes > MAX_NODES) throw tooComplex(`more than ${MAX_NODES} parts`);
    this.#places?.set(this.length, node);
    switch (node.kind) {
      case 'none':
        this.u8(0);
        break;
      case 'all':
        this.u8(1);
        this.f32(node.boost);
        break;
      case 'term':
        this.u8(2);
        this.u16(node.field);
        this.f32(node.boost);
        this.term(node.term);
        break;
      case 'boolean':
        this.u8(3);
        this.u8(node.noCoord ? 1 : 0);
        this.f32(node.boost);
        this.u16(Math.min(node.minimum, 0xffff));
        this.u16(count(node.clauses));
        for (const clause of node.clauses) {
          this.u8(clause.occur);
          this.node(clause.node, depth + 1);
        }
        break;
      case 'constant':
        this.u8(4);
        this.f32(node.boost);
        this.node(node.node, depth + 1);
        break;
      case 'filtered':
        this.u8(5);
        this.f32(node.boost);
        this.node(node.query, depth + 1);
        this.node(node.filter, depth + 1);
        break;
      case 'phrase':
        this.u8(6);
        this.u16(node.field);
        this.f32(node.boost);
        this.u32(node.slop);
        this.#positions(node.positions);
        break;
      case 'terms':
        this.u8(7);
        this.u16(node.field);
        this.u32(node.terms.length);
        for (const term of node.terms) this.term(term);
        break;
      case 'prefix':
        this.u8(8);
        this.u16(node.field);
        this.term(node.prefix);
        break;
      case 'range':
        this.u8(9);
        this.u16(node.field);
        writeRange(this, node);
        break;
      case 'disMax':
        this.u8(10);
        this.f32(node.boost);
        this.f32(node.tieBreaker);
        this.u16(count(node.nodes));
        for (const each of node.nodes) this.node(each, depth + 1);
        break;
      case 'uids':
        if (node.parts === true) this.#parts(this.#lookUp(node));
        else this.#keys(this.#lookUp(node));
        break;
      case 'keys':
        this.#keys(node.keys);
        break;
      case 'nested':
        this.u8(32);
        this.u8(node.mode);
        this.u8(node.parents === undefined ? 0 : 1);
        this.f32(node.boost);
        this.node(node.node, depth + 1);
        if (node.parents !== undefined) this.node(node.parents, depth + 1);
        break;
      case 'parts':
        this.u8(35);
        this.#keyList(node.keys);
        this.u8(node.parents === undefined ? 0 : 1);
        if (node.parents !== undefined) this.node(node.parents, depth + 1);
        break;
      case 'geoDistance':
        this.u8(40);
        this.u16(node.field);
        this.u8(node.formula);
        this.u8(node.box === undefined ? 0 : 1);
        for (const value of [node.lat, node.lon, node.lower, node.upper]) this.f64(value);
        if (node.box !== undefined) this.#box(node.box);
        break;
      case 'geoBox':
        this.u8(41);
        this.u16(node.field);
        this.#box(node.box);
        break;
      case 'geoPolygon':
        this.u8(42);
        this.u16(node.field);
        this.u16(count(node.points));
        for (const { lat, lon } of node.points) {
          this.f64(lat);
          this.f64(lon);
        }
        break;
      case 'expression':
        this.u8(43);
        writeProgram(node.script, this);
        break;
      case 'exists':
        this.u8(12);
        this.u16(node.field);
        break;
      case 'multiTerm':
        this.u8(13);
        this.u16(node.field);
        this.f32(node.boost);
        this.u8(node.rewrite);
        this.u16(Math.min(node.size, 0xffff));
        writeMatcher(this, node.matcher);
        break;
      case 'phrasePrefix':
        this.u8(14);
        this.u16(node.field);
        this.f32(node.boost);
        this.u32(node.slop);
        this.u32(node.maxExpansions);
        this.#positions([...node.positions, { position: node.last.position, terms: node.last.prefixes }]);
        break;
      case 'boosting':
        this.u8(15);
        this.f32(node.negativeBoost);
        this.node(node.positive, depth + 1);
        this.node(node.negative, depth + 1);
        break;
      case 'functionScore':
        this.#functionScore(node, depth);
        break;
      case 'join':
        this.u8(33);
        this.f32(node.boost);
        this.u8(node.mode);
        this.u16(node.inner);
        this.u16(node.outer);
        for (const each of [node.least, node.most, node.top?.factor ?? 0, node.top?.growth ?? 0])
          this.u32(each);
        this.node(node.node, depth + 1);
        break;
      case 'limit':
        this.u8(34);
        this.u32(node.limit);
        this.node(node.node, depth + 1);
        break;
      case 'commonTerms':
        this.u8(17);
        this.u16(node.field);
        this.f32(node.boost);
        this.f32(node.cutoff);
        this.u8(node.lowOccur);
        this.u8(node.highOccur);
        this.u8(node.noCoord ? 1 : 0);
        this.u16(count(node.terms));
        for (const term of node.terms) this.term(term);
        this.#minimums(node.lowMinimums, node.terms.length);
        this.#minimums(node.highMinimums, node.terms.length);
        break;
      case 'blended':
        this.u8(18);
        this.f32(node.boost);
        this.u8((node.tieBreaker === undefined ? 0 : 1) | (node.cutoff === undefined ? 0 : 2));
        this.f32(node.tieBreaker ?? 0);
        this.f32(node.cutoff ?? 0);
        this.u16(count(node.terms));
        for (const { field, boost, term } of node.terms) {
          this.u16(field);
          this.f32(boost);
          this.term(term);
        }
        break;
      case 'moreLikeThis': {
        this.u8(26);
        this.f32(node.boost);
        this.u32(node.minDocFreq);
        this.u32(node.maxDocFreq);
        this.u16(Math.min(node.maxQueryTerms, 0xffff));
        this.f32(node.boostTerms);
        this.u16(count(node.groups));
        let terms = 0;
        for (const group of node.groups) {
          this.u16(count(group.fields));
          for (const field of group.fields) this.u16(field);
          this.u16(count(group.terms));
          for (const { frequency, term } of group.terms) {
            this.u32(frequency);
            this.term(term);
          }
          terms += group.terms.length;
        }
        this.#minimums(node.minimums, terms);
        break;
      }
      case 'fuzzyLikeThis':
        this.u8(36);
        this.f32(node.boost);
        this.u16(Math.min(node.maxQueryTerms, 0xffff));
        this.u8(node.ignoreFrequency ? 1 : 0);
        this.u16(Math.min(node.maxEdits, 0xffff));
        this.f32(node.minSimilarity);
        this.u16(count(node.words));
        for (const { word, variants } of node.words) {
          this.node(word, depth + 1);
          this.node(variants, depth + 1);
        }
        break;
      default:
        this.#span(node, depth);
    }
  }

  /** Which of the optional parts a plan has. */
  options(plan: Plan): void {
    this.u16(
      (plan.minScore === undefined ? 0 : 1) |
        (plan.rescore === undefined ? 0 : 2) |
        (plan.statistics === undefined ? 0 : 4) |
        (plan.named === undefined ? 0 : 8) |
        (plan.explain === undefined ? 0 : 16) |
        (plan.terminateAfter === undefined ? 0 : 32) |
        (plan.gather === true ? 128 : 0) |
        (plan.similarities === undefined ? 0 : 256) |
        (insideKeys(plan.sort).length === 0 ? 0 : 512) |
        (plan.timeout === undefined ? 0 : 1024) |
        (plan.hidden === true ? 2048 : 0),
    );
  }

  /** The optional parts before the root. */
  head(plan: Plan): void {
    if (plan.timeout !== undefined) this.u32(Math.min(plan.timeout, 0xffff_ffff));
    if (plan.minScore !== undefined) this.f32(plan.minScore);
    if (plan.terminateAfter !== undefined) this.u32(plan.terminateAfter);
    if (plan.explain !== undefined) {
      this.u32(plan.explain.length);
      for (const key of plan.explain) {
        this.u32(key >>> 0);
        this.u32(Math.floor(key / 0x1_0000_0000));
      }
    }
    if (plan.similarities !== undefined) {
      this.u16(plan.similarities.size);
      for (const [field, { kind, basic, effect, normalization, first, second }] of plan.similarities) {
        this.u16(field);
        for (const part of [kind, basic, effect, normalization]) this.u8(part);
        this.f32(first);
        this.f32(second);
      }
    }
    if (plan.statistics !== undefined) {
      this.u32(plan.statistics.maxDoc);
      this.u32(plan.statistics.terms.length);
      for (const { field, term, df, frequency } of plan.statistics.terms) {
        this.u16(field);
        this.u32(df);
        this.f64(frequency);
        this.term(term);
      }
      this.u16(count(plan.statistics.fields));
      for (const { field, frequency } of plan.statistics.fields) {
        this.u16(field);
        this.f64(frequency);
      }
    }
  }

  /** The optional parts behind the post filter. */
  tail(plan: Plan): void {
    if (plan.rescore !== undefined) {
      this.u16(count(plan.rescore));
      for (const each of plan.rescore) this.#rescore(each);
    }
    if (plan.named !== undefined) {
      this.u16(count(plan.named));
      for (const each of plan.named) this.node(each, 1);
    }
  }

  #rescore(rescore: Rescore): void {
    this.u32(rescore.window);
    this.f32(rescore.queryWeight);
    this.f32(rescore.rescoreWeight);
    this.u8(rescore.mode);
    this.node(rescore.node, 1);
  }

  #span(node: SpanNode, depth: number): void {
    switch (node.kind) {
      case 'spanTerm':
        this.u8(19);
        this.u16(node.field);
        this.f32(node.boost);
        this.term(node.term);
        break;
      case 'spanNear':
        this.u8(20);
        this.f32(node.boost);
        this.u32(node.slop);
        this.u8(node.inOrder ? 1 : 0);
        this.u16(count(node.nodes));
        for (const each of node.nodes) this.node(each, depth + 1);
        break;
      case 'spanOr':
        this.u8(21);
        this.f32(node.boost);
        this.u16(count(node.nodes));
        for (const each of node.nodes) this.node(each, depth + 1);
        break;
      case 'spanNot':
        this.u8(22);
        this.f32(node.boost);
        this.u32(node.pre);
        this.u32(node.post);
        this.node(node.include, depth + 1);
        this.node(node.exclude, depth + 1);
        break;
      case 'spanFirst':
        this.u8(23);
        this.f32(node.boost);
        this.u32(node.end);
        this.node(node.node, depth + 1);
        break;
      case 'spanMulti':
        this.u8(24);
        this.f32(node.boost);
        this.node(node.node, depth + 1);
        break;
      case 'spanMask':
        this.u8(25);
        this.u16(node.field);
        this.f32(node.boost);
        this.node(node.node, depth + 1);
        break;
    }
  }

  #positions(positions: PhraseNode['positions']): void {
    this.u16(count(positions));
    for (const { position, terms } of positions) {
      this.u32(position);
      this.u16(count(terms));
      for (const term of terms) this.term(term);
    }
  }

  #minimums(minimums: Minimums, most: number): void {
    for (let n = 0; n <= most; n++) this.u16(Math.min(Math.max(minimums[n] ?? 0, 0), 0xffff));
  }

  #functionScore(node: FunctionScoreNode, depth: number): void {
    this.u8(16);
    this.f32(node.boost);
    this.u8(
      (node.single ? 1 : 0) | (node.maxBoost === undefined ? 0 : 2) | (node.minScore === undefined ? 0 : 4),
    );
    this.u8(node.scoreMode);
    this.u8(node.boostMode);
    this.f32(Math.min(node.maxBoost ?? 0, MAX_FLOAT));
    this.f32(node.minScore ?? 0);
    this.node(node.query, depth + 1);
    this.u16(count(node.functions));
    for (const { function: made, weight, filter } of node.functions) {
      this.u8((filter === undefined ? 0 : 1) | (weight === undefined ? 0 : 2));
      this.f32(weight ?? 1);
      this.#function(made);
      if (filter !== undefined) this.node(filter, depth + 1);
    }
  }

  #function(made: ScoreFunction): void {
    switch (made.type) {
      case 'one':
        this.u8(0);
        break;
      case 'random':
        this.u8(1);
        this.u32((made.seed ^ (made.salt | this.#planShard.number)) >>> 0);
        break;
      case 'fieldValue':
        this.u8(2);
        this.u16(made.field);
        this.f32(made.factor);
        this.u8(made.modifier);
        this.u8(made.missing === undefined ? 0 : 1);
        this.f64(made.missing ?? 0);
        break;
      case 'script':
        this.u8(5);
        writeProgram(made.script, this);
        break;
      case 'decay':
        this.u8(3);
        this.u16(made.field);
        this.u8(made.shape);
        this.u8(made.mode);
        this.f64(made.origin);
        this.f64(decayScale(made.shape, made.scale, made.decay));
        this.f64(made.offset);
        break;
      case 'geoDecay':
        this.u8(4);
        this.u16(made.field);
        this.u8(made.shape);
        this.u8(made.mode);
        this.f64(made.lat);
        this.f64(made.lon);
        this.f64(decayScale(made.shape, made.scale, made.decay));
        this.f64(made.offset);
        break;
    }
  }

  #box({ top, left, bottom, right }: GeoBox): void {
    for (const side of [top, left, bottom, right]) this.f64(side);
  }

  get #planShard(): PlanShard {
    if (this.#shard === undefined) throw new Error('the plan differs from shard to shard');
    return this.#shard;
  }

  #lookUp({ uids, prefixes = [], patterns = [] }: UidsNode): number[] {
    const { documents } = this.#planShard;
    const keys = [
      ...prefixes.flatMap((prefix) => documents.visibleKeys(prefix)),
      ...patterns.flatMap(({ prefix, accepts }) => documents.visibleKeys(prefix, accepts)),
    ];
    for (const uid of uids) {
      const key = documents.visibleKey(uid);
      if (key !== undefined) keys.push(key);
    }
    return keys;
  }

  #keys(keys: readonly number[]): void {
    this.u8(11);
    this.#keyList(keys);
  }

  /** The hidden documents of those with the keys. */
  #parts(keys: readonly number[]): void {
    this.u8(35);
    this.#keyList(keys);
    this.u8(0);
  }

  #keyList(keys: readonly number[]): void {
    const ascending = [...new Set(keys)].sort((a, b) => a - b);
    this.u32(ascending.length);
    for (const key of ascending) {
      this.u32(key >>> 0);
      this.u32(Math.floor(key / 0x1_0000_0000));
    }
  }
}

const MAX_FLOAT = 3.4028234663852886e38;

/** The scale as the decay's formula takes it, so that a distance of `scale` gives `decay`. */
function decayScale(shape: DecayShape, scale: number, decay: number): number {
  if (shape === DecayShape.gauss) return (0.5 * scale ** 2) / Math.log(decay);
  return shape === DecayShape.exp ? Math.log(decay) / scale : scale / (1 - decay);
}
