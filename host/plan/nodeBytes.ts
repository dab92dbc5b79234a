/** The bytes of a plan's nodes. */
import { NodeCode } from '../core/abi/plan.js';
import { writeProgram } from '../expression/program.js';
import { writeFunctionScore } from './functionScoreBytes.js';
import type { GeoBox } from './geoNodes.js';
import { writeMatcher, writeRange } from './matcherBytes.js';
import {
  MAX_DEPTH,
  MAX_NODES,
  type Minimums,
  type PhraseNode,
  type PlanNode,
  type PlanShard,
  type UidsNode,
} from './plan.js';
import { count, PlanBytes, tooComplex } from '../core/planBytes.js';
import { writeSpan } from './spanBytes.js';

/** Filters of which nothing is kept: they are read at once, or go by more than a segment. */
const UNKEPT: ReadonlySet<PlanNode['kind']> = new Set([
  'none',
  'all',
  'uids',
  'keys',
  'parts',
  'join',
  'limit',
]);

/** Writes the nodes of one plan. */
export class NodeWriter extends PlanBytes {
  #nodes = 0;
  readonly #shard: PlanShard | undefined;
  readonly #places: Map<number, PlanNode> | undefined;

  constructor(shard: PlanShard | undefined, places: Map<number, PlanNode> | undefined) {
    super();
    this.#shard = shard;
    this.#places = places;
  }

  /** A node that only filters: with its length, so that the core need not read it where what it matches is kept. */
  filter(node: PlanNode, depth: number): void {
    if (UNKEPT.has(node.kind)) {
      this.node(node, depth);
      return;
    }
    this.u8(NodeCode.kept);
    const at = this.length;
    this.u32(0);
    this.node(node, depth);
    this.u32At(at, this.length - at - 4);
  }

  /**
   * @param depth how many nodes stand above it, and itself
   * @throws where the plan is too deep or has too many nodes
   */
  node(node: PlanNode, depth: number): void {
    if (depth > MAX_DEPTH) throw tooComplex(`more than ${MAX_DEPTH} levels deep`);
    if (++this.#nodes > MAX_NODES) throw tooComplex(`more than ${MAX_NODES} parts`);
    this.#places?.set(this.length, node);
    switch (node.kind) {
      case 'none':
        this.u8(NodeCode.none);
        break;
      case 'all':
        this.u8(NodeCode.all);
        this.f32(node.boost);
        break;
      case 'term':
        this.u8(NodeCode.term);
        this.u16(node.field);
        this.f32(node.boost);
        this.term(node.term);
        break;
      case 'boolean':
        this.u8(NodeCode.boolean);
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
        this.u8(NodeCode.constant);
        this.f32(node.boost);
        this.filter(node.node, depth + 1);
        break;
      case 'filtered':
        this.u8(NodeCode.filtered);
        this.f32(node.boost);
        this.node(node.query, depth + 1);
        this.filter(node.filter, depth + 1);
        break;
      case 'phrase':
        this.u8(NodeCode.phrase);
        this.u16(node.field);
        this.f32(node.boost);
        this.u32(node.slop);
        this.#positions(node.positions);
        break;
      case 'terms':
        this.u8(NodeCode.terms);
        this.u16(node.field);
        this.u32(node.terms.length);
        for (const term of node.terms) this.term(term);
        break;
      case 'prefix':
        this.u8(NodeCode.prefix);
        this.u16(node.field);
        this.term(node.prefix);
        break;
      case 'range':
        this.u8(NodeCode.range);
        this.u16(node.field);
        writeRange(this, node);
        break;
      case 'disMax':
        this.u8(NodeCode.disMax);
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
        this.u8(NodeCode.nested);
        this.u8(node.mode);
        this.u8(node.parents === undefined ? 0 : 1);
        this.f32(node.boost);
        this.node(node.node, depth + 1);
        if (node.parents !== undefined) this.node(node.parents, depth + 1);
        break;
      case 'parts':
        this.u8(NodeCode.parts);
        this.#keyList(node.keys);
        this.u8(node.parents === undefined ? 0 : 1);
        if (node.parents !== undefined) this.node(node.parents, depth + 1);
        break;
      case 'geoDistance':
        this.u8(NodeCode.geoDistance);
        this.u16(node.field);
        this.u8(node.formula);
        this.u8(node.box === undefined ? 0 : 1);
        for (const value of [node.lat, node.lon, node.lower, node.upper]) this.f64(value);
        if (node.box !== undefined) this.#box(node.box);
        break;
      case 'geoBox':
        this.u8(NodeCode.geoBox);
        this.u16(node.field);
        this.#box(node.box);
        break;
      case 'geoPolygon':
        this.u8(NodeCode.geoPolygon);
        this.u16(node.field);
        this.u16(count(node.points));
        for (const { lat, lon } of node.points) {
          this.f64(lat);
          this.f64(lon);
        }
        break;
      case 'expression':
        this.u8(NodeCode.expression);
        writeProgram(node.script, this);
        break;
      case 'exists':
        this.u8(NodeCode.exists);
        this.u16(node.field);
        break;
      case 'multiTerm':
        this.u8(NodeCode.multiTerm);
        this.u16(node.field);
        this.f32(node.boost);
        this.u8(node.rewrite);
        this.u16(Math.min(node.size, 0xffff));
        writeMatcher(this, node.matcher);
        break;
      case 'phrasePrefix':
        this.u8(NodeCode.phrasePrefix);
        this.u16(node.field);
        this.f32(node.boost);
        this.u32(node.slop);
        this.u32(node.maxExpansions);
        this.#positions([...node.positions, { position: node.last.position, terms: node.last.prefixes }]);
        break;
      case 'boosting':
        this.u8(NodeCode.boosting);
        this.f32(node.negativeBoost);
        this.node(node.positive, depth + 1);
        this.node(node.negative, depth + 1);
        break;
      case 'functionScore':
        writeFunctionScore(
          node,
          this,
          () => this.#planShard.number,
          (each) => this.node(each, depth + 1),
          (each) => this.filter(each, depth + 1),
        );
        break;
      case 'join':
        this.u8(NodeCode.join);
        this.f32(node.boost);
        this.u8(node.mode);
        this.u16(node.inner);
        this.u16(node.outer);
        for (const each of [node.least, node.most, node.top?.factor ?? 0, node.top?.growth ?? 0])
          this.u32(each);
        this.node(node.node, depth + 1);
        break;
      case 'limit':
        this.u8(NodeCode.limit);
        this.u32(node.limit);
        this.node(node.node, depth + 1);
        break;
      case 'commonTerms':
        this.u8(NodeCode.commonTerms);
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
        this.u8(NodeCode.blended);
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
        this.u8(NodeCode.moreLikeThis);
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
        this.u8(NodeCode.fuzzyLikeThis);
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
        writeSpan(node, this, (each) => this.node(each, depth + 1));
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
    this.u8(NodeCode.keys);
    this.#keyList(keys);
  }

  /** The hidden documents of those with the keys. */
  #parts(keys: readonly number[]): void {
    this.u8(NodeCode.parts);
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
