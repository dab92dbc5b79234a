/** Why a document scores as it does, as Lucene 4.10 explains it: a tree of values, each worked out in 32-bit floats. */

import { floatText } from '../numbers/javaNumbers.js';
import { explainFunction, type FunctionContext, type ValuesOf } from './explainFunction.js';
import { explainModels } from './explainModel.js';
import type { Explanation } from './explanation.js';
import {
  type Explained,
  type ExplanationNode,
  type Leaf,
  type SpanExplanation,
  SpanKind,
  type TermExplanation,
} from './explanationNodes.js';
import type { FunctionScoreNode } from '../plan/nodes/functionScore.js';
import { Occur } from '../core/abi/plan.js';
import { BoostMode, type ScoreFunction, ScoreMode } from '../plan/scoreFunction.js';
import { type FieldNames, print } from '../plan/print.js';
import { printExplanationNode } from './printNode.js';

const f = Math.fround;

function is(value: number, description: string, details: Explanation[] = [], matched = true): Explanation {
  return { value, description, details, matched };
}

/**
 * The explanation of a document, which has these values.
 * @param documents how many there are by field, where they are not those of the shard
 */
export function explanation(
  { document, maxDoc, root }: Explained,
  names: FieldNames,
  values: ValuesOf = () => [],
  documents: ReadonlyMap<number, number> = new Map(),
): Explanation {
  const maxDocs = (field: number) => documents.get(field) ?? maxDoc;
  return new Explainer(document, maxDocs, names, values).of(root);
}

class Explainer {
  readonly #doc: number;
  readonly #maxDocs: (field: number) => number;
  readonly #names: FieldNames;
  readonly #functions: FunctionContext;

  constructor(doc: number, maxDocs: (field: number) => number, names: FieldNames, values: ValuesOf) {
    this.#doc = doc;
    this.#maxDocs = maxDocs;
    this.#names = names;
    this.#functions = { name: (field) => names[field] ?? '', values };
  }

  of(fact: ExplanationNode): Explanation {
    switch (fact.is.kind) {
      case 'leaf':
        return this.#leaf(fact, fact.is);
      case 'boolean':
        return this.#boolean(fact, fact.is);
      case 'disMax':
        return this.#disMax(fact.is.tieBreaker, fact.is.parts);
      case 'filtered': {
        const inner = this.of(fact.is.query);
        if (fact.is.filter.matched) return inner;
        const { origin } = fact.is.filter;
        const text = origin === undefined ? this.text(fact.is.filter) : print(origin, this.#names);
        return is(0, `failure to match filter: ${text}`, [inner], false);
      }
      case 'nested':
        return this.#nested(fact, fact.is);
      case 'function':
        return this.#function(fact, fact.is.query, fact.is.values);
      case 'join':
        // 1.7 says no more, and says it of documents that don't match too.
        return is(fact.boost, 'not implemented yet...', [], fact.boost > 0);
      case 'constant':
        return this.#constant(fact, fact.is.all, fact.is.norm);
    }
  }

  /** A node as Lucene prints the query. */
  text(fact: ExplanationNode): string {
    return printExplanationNode(fact, this.#names);
  }

  #leaf(fact: ExplanationNode, node: Extract<ExplanationNode['is'], { kind: 'leaf' }>): Explanation {
    const { leaf, isPhrase, span, terms } = node;
    if (!fact.matched) return is(0, 'no matching term', [], false);
    const isTerm = span === undefined && !isPhrase;
    const freqText = `${isTerm ? 'termFreq' : 'phraseFreq'}=${floatText(leaf.freq)}`;
    const freq = is(leaf.freq, freqText);
    const score =
      leaf.models.length > 0
        ? explainModels(leaf.models, this.#doc, freq)
        : Number.isNaN(leaf.k1)
          ? this.#tfIdf(fact, leaf, freq, this.#idf(leaf, terms, span))
          : this.#bm25(fact, leaf, freq, this.#idf(leaf, terms, span));
    const name = `weight(${this.text(fact)} in ${this.#doc}) [PerFieldSimilarity], result of:`;
    return is(score.value, name, [score]);
  }

  #idf(leaf: Leaf, terms: readonly TermExplanation[], span: SpanExplanation | undefined): Explanation {
    const dfs = span === undefined ? terms.map(({ df }) => df) : spanFrequencies(span);
    const maxDoc = this.#maxDocs(leaf.field);
    const each = dfs.map((df) => {
      const value = Number.isNaN(leaf.k1)
        ? f(Math.log(maxDoc / (df + 1)) + 1)
        : f(Math.log(1 + (maxDoc - df + 0.5) / (df + 0.5)));
      return is(value, `idf(docFreq=${df}, maxDocs=${maxDoc})`);
    });
    return each.length === 1 ? each[0]! : is(leaf.idf, 'idf(), sum of:', each);
  }

  #tfIdf({ boost }: ExplanationNode, leaf: Leaf, freq: Explanation, idf: Explanation): Explanation {
    const query = is(f(f(boost * idf.value) * leaf.norm), 'queryWeight, product of:', [
      ...(boost === 1 ? [] : [is(boost, 'boost')]),
      idf,
      is(leaf.norm, 'queryNorm'),
    ]);
    const tf = is(f(Math.sqrt(freq.value)), `tf(freq=${floatText(freq.value)}), with freq of:`, [freq]);
    const norm = Number.isNaN(leaf.fieldNorm) ? 1 : leaf.fieldNorm;
    const field = is(f(f(tf.value * idf.value) * norm), `fieldWeight in ${this.#doc}, product of:`, [
      tf,
      idf,
      is(norm, `fieldNorm(doc=${this.#doc})`),
    ]);
    if (query.value === 1) return field;
    const name = `score(doc=${this.#doc},freq=${floatText(freq.value)}), product of:`;
    return is(f(query.value * field.value), name, [query, field]);
  }

  #bm25({ boost }: ExplanationNode, leaf: Leaf, freq: Explanation, idf: Explanation): Explanation {
    const { k1, b, averageLength } = leaf;
    const whole = f(boost * leaf.norm);
    const details = [freq, is(k1, 'parameter k1')];
    let value: number;
    if (Number.isNaN(leaf.fieldNorm)) {
      details.push(is(0, 'parameter b (norms omitted for field)'));
      value = f(f(freq.value * f(k1 + 1)) / f(freq.value + k1));
    } else {
      const length = f(1 / f(leaf.fieldNorm * leaf.fieldNorm));
      details.push(is(b, 'parameter b'), is(averageLength, 'avgFieldLength'), is(length, 'fieldLength'));
      const part = f(f(1 - b) + f(f(b * length) / averageLength));
      value = f(f(freq.value * f(k1 + 1)) / f(freq.value + f(k1 * part)));
    }
    const tf = is(value, 'tfNorm, computed from:', details);
    const name = `score(doc=${this.#doc},freq=${floatText(freq.value)} = ${freq.description}\n), product of:`;
    const parts = [...(whole === 1 ? [] : [is(whole, 'boost')]), idf, tf];
    return is(f(f(whole * idf.value) * tf.value), name, parts);
  }

  #boolean(fact: ExplanationNode, node: Extract<ExplanationNode['is'], { kind: 'boolean' }>): Explanation {
    const details: Explanation[] = [];
    let sum = 0;
    let overlap = 0;
    let optional = 0;
    let failed = false;
    const most = node.parts.filter(({ occur }) => occur !== Occur.MustNot).length;
    for (const part of node.parts) {
      const missing = () => `no match on required clause (${this.text(part)})`;
      if (part.nowhere && !isTopChildren(part)) {
        if (part.occur !== Occur.Must) continue;
        failed = true;
        details.push(is(0, missing()));
        continue;
      }
      const own = this.of(part);
      if (own.matched && part.occur === Occur.MustNot) {
        details.push(is(0, `match on prohibited clause (${this.text(part)})`, [own]));
        failed = true;
      } else if (own.matched) {
        details.push(own);
        sum = f(sum + own.value);
        overlap++;
        if (part.occur === Occur.Should) optional++;
      } else if (part.occur === Occur.Must) {
        details.push(is(0, missing(), [own]));
        failed = true;
      }
    }
    if (failed) return is(0, 'Failure to meet condition(s) of required/prohibited clause(s)', details, false);
    if (optional < node.minimum) {
      const description = `Failure to match minimum number of optional clauses: ${node.minimum}`;
      return is(0, description, details, false);
    }
    const whole = is(sum, 'sum of:', details, overlap > 0);
    let coord = node.noCoord || most === 1 ? 1 : f(overlap / most);
    if (node.boosting) coord = overlap > 1 ? node.factor : 1;
    if (coord === 1) return whole;
    const parts = [whole, is(coord, `coord(${overlap}/${most})`)];
    return is(f(sum * coord), 'product of:', parts, whole.matched || fact.matched);
  }

  #disMax(tieBreaker: number, parts: readonly ExplanationNode[]): Explanation {
    if (parts.length === 1) return this.of(parts[0]!);
    const details = parts.map((part) => this.of(part)).filter(({ matched }) => matched);
    let sum = 0;
    let most = 0;
    for (const { value } of details) {
      sum = f(sum + value);
      most = Math.max(most, value);
    }
    const name = tieBreaker === 0 ? 'max of:' : `max plus ${floatText(tieBreaker)} times others of:`;
    return is(f(most + f(f(sum - most) * tieBreaker)), name, details, details.length > 0);
  }

  #constant(fact: ExplanationNode, all: boolean, norm: number): Explanation {
    const { boost } = fact;
    if (all && fact.origin?.kind !== 'constant') {
      const text = fact.origin === undefined ? '*:*' : print(fact.origin, this.#names);
      if (!text.startsWith('ConstantScore')) {
        const details = [...(boost === 1 ? [] : [is(boost, 'boost')]), is(norm, 'queryNorm')];
        return is(f(boost * norm), 'MatchAllDocsQuery, product of:', details);
      }
    }
    const text = this.text(fact) || `ConstantScore()`;
    if (!fact.matched) return is(0, `${text} doesn't match id ${this.#doc}`, [], false);
    return is(f(boost * norm), `${text}, product of:`, [is(boost, 'boost'), is(norm, 'queryNorm')]);
  }

  #function(fact: ExplanationNode, query: ExplanationNode, values: readonly number[]): Explanation {
    const inner = this.of(query);
    if (!inner.matched) return inner;
    const node = fact.origin as FunctionScoreNode;
    if (node.isAllTerm === true) {
      const boost = is(meanWeight(node, values), 'allPayload(...)');
      return is(f(inner.value * boost.value), 'btq, product of:', [inner, boost]);
    }
    // Without functions 1.7 explains the query alone.
    if (node.functions.length === 0) return inner;
    const factor = node.single ? this.#single(node, values, inner) : this.#factor(node, values, inner);
    const boost = is(f(node.boost), 'queryBoost');
    if (factor === undefined) {
      const name = 'function score, no filter match, product of:';
      return is(f(boost.value * inner.value), name, [inner, boost]);
    }
    const most = node.maxBoost === undefined ? 3.4028234663852886e38 : f(node.maxBoost);
    const least = is(Math.min(factor.value, most), 'Math.min of', [factor, is(most, 'maxBoost')]);
    const name = 'function score, product of:';
    switch (node.boostMode) {
      case BoostMode.replace:
        return is(f(boost.value * least.value), name, [least, boost]);
      case BoostMode.multiply:
        return is(f(f(boost.value * inner.value) * least.value), name, [inner, least, boost]);
      default: {
        const [text, value] = combined(node.boostMode, inner.value, least.value);
        return is(f(boost.value * value), name, [is(value, text, [inner, least]), boost]);
      }
    }
  }

  #nested(
    fact: ExplanationNode,
    { from, to }: Extract<ExplanationNode['is'], { kind: 'nested' }>,
  ): Explanation {
    if (!fact.matched) return is(0, 'Not a match', [], false);
    return is(fact.value, `Score based on child doc range from ${from} to ${to}`);
  }

  #single({ functions }: FunctionScoreNode, values: readonly number[], scored: Explanation): Explanation {
    const [{ function: own, weight }] = functions as [FunctionScoreNode['functions'][number]];
    return this.#weighted(own, weight, values[0] ?? 1, scored);
  }

  /** A function and its weight, where it has one. */
  #weighted(own: ScoreFunction, weight: number | undefined, value: number, scored: Explanation): Explanation {
    if (weight === undefined && own.type !== 'one')
      return explainFunction(own, f(value), this.#functions, scored);
    const factor = weight ?? 1;
    const inner = explainFunction(own, f(factor === 0 ? value : value / factor), this.#functions, scored);
    return is(f(value), 'product of:', [inner, is(f(factor), 'weight')]);
  }

  #factor(node: FunctionScoreNode, values: readonly number[], scored: Explanation): Explanation | undefined {
    const details = node.functions.flatMap(({ function: own, filter, weight }, i) => {
      const value = values[i]!;
      if (Number.isNaN(value)) return [];
      const text = filter === undefined ? '*:*' : print(filter, this.#names);
      const part = this.#weighted(own, weight, value, scored);
      return [is(f(value), 'function score, product of:', [is(1, `match filter: ${text}`), part])];
    });
    if (details.length === 0) return undefined;
    const all = details.map(({ value }) => value);
    const sum = all.reduce((a, b) => a + b, 0);
    const weights = node.functions.reduce((a, { weight }) => a + (weight ?? 1), 0);
    let factor = all[0]!;
    if (node.scoreMode === ScoreMode.multiply) factor = all.reduce((a, b) => a * b, 1);
    else if (node.scoreMode === ScoreMode.max) factor = Math.max(...all);
    else if (node.scoreMode === ScoreMode.min) factor = Math.min(...all);
    else if (node.scoreMode === ScoreMode.sum) factor = sum;
    else if (node.scoreMode === ScoreMode.avg) factor = sum / weights;
    const mode = Object.keys(ScoreMode).find(
      (key) => ScoreMode[key as keyof typeof ScoreMode] === node.scoreMode,
    );
    return is(f(factor), `function score, score mode [${mode}]`, details);
  }
}

/** `top_children` has a scorer in segments without its parents too, an empty one, and 1.7 explains it there like anywhere. */
const isTopChildren = ({ origin }: ExplanationNode): boolean =>
  origin?.kind === 'join' && origin.top !== undefined;

/** What a score and a factor amount to, and what that is called. */
function combined(mode: BoostMode, score: number, factor: number): [string, number] {
  switch (mode) {
    case BoostMode.sum:
      return ['sum of', f(score + factor)];
    case BoostMode.avg:
      return ['avg of', f((score + factor) / 2)];
    case BoostMode.max:
      return ['max of', Math.max(score, factor)];
    default:
      return ['min of', Math.min(score, factor)];
  }
}

/** Document frequencies of a span query's terms, in the order of the terms, each once; none of what is excluded. */
function spanFrequencies(span: SpanExplanation): number[] {
  const terms = new Map<string, number>();
  const gather = (each: SpanExplanation): void => {
    if (each.kind === SpanKind.term) terms.set(`${each.field}:${each.term}`, each.df);
    else for (const part of each.kind === SpanKind.not ? each.parts.slice(0, 1) : each.parts) gather(part);
  };
  gather(span);
  return [...terms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, df]) => df);
}

/** The mean of the weights of functions, each as often as its value says, added up as the core does; 1 without any. */
function meanWeight({ functions }: FunctionScoreNode, values: readonly number[]): number {
  let [sum, seen] = [0, 0];
  functions.forEach(({ weight = 1 }, i) => {
    const n = values[i] ?? Number.NaN;
    for (let j = 0; j < n; j++) sum = f(sum + f(weight));
    if (n > 0) seen += n;
  });
  return seen > 0 ? f(sum / seen) : 1;
}
