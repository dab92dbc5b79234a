/** How Lucene 4.10 explains the scores of its probabilistic models. */

import { floatText } from '../numbers/javaNumbers.js';
import { SimilarityKind } from '../similarity/similarities.js';
import type { Explanation } from './explanation.js';
import type { ModelExplanation } from './explanationNodes.js';

const BASIC_MODELS = ['BE', 'D', 'G', 'IF', 'In', 'Ine', 'P'];
const AFTER_EFFECTS = ['', 'B', 'L'];
const DISTRIBUTIONS = ['LL', 'SPL'];
const LAMBDAS = ['DF', 'TTF'];
const NORMALIZATIONS = ['', 'H1', 'H2', 'H3', 'Z'];
const CLASSES = {
  [SimilarityKind.dfr]: 'DFRSimilarity',
  [SimilarityKind.ib]: 'IBSimilarity',
  [SimilarityKind.dirichlet]: 'LMDirichletSimilarity',
  [SimilarityKind.jelinekMercer]: 'LMJelinekMercerSimilarity',
} as Record<number, string>;

function is(value: number, description: string, details: Explanation[] = []): Explanation {
  return { value, description, details, matched: true };
}

/** The terms of a query; several are summed. */
export function explainModels(
  models: readonly ModelExplanation[],
  document: number,
  freq: Explanation,
): Explanation {
  const each = models.map((model) => {
    const name = `score(${CLASSES[model.kind]}, doc=${document}, freq=${floatText(freq.value)}), computed from:`;
    const boost = model.boost === 1 ? [] : [is(model.boost, 'boost')];
    return is(model.score, name, [freq, ...boost, ...parts(model, freq.value)]);
  });
  if (each.length === 1) return each[0]!;
  return is(
    each.reduce((sum, { value }) => Math.fround(sum + value), 0),
    'sum of:',
    each,
  );
}

function parts(model: ModelExplanation, freq: number): Explanation[] {
  const [first, second, third] = model.parts;
  const occurrences = is(model.ttf, 'totalTermFreq');
  const documents = is(model.df, 'docFreq');
  const all = is(model.docs, 'numberOfDocuments');
  const tfn = is(first, 'tfn');
  switch (model.kind) {
    case SimilarityKind.dfr: {
      const known = BASIC_MODELS[model.basic] === 'In' ? documents : occurrences;
      const basic = is(second, `BasicModel${BASIC_MODELS[model.basic]}, computed from: `, [tfn, all, known]);
      const name = AFTER_EFFECTS[model.effect]!;
      const of = name === 'B' ? [tfn, occurrences, documents] : [tfn];
      const effect =
        name === '' ? is(1, 'no aftereffect') : is(third, `AfterEffect${name}, computed from: `, of);
      return [normalization(model, freq), basic, effect];
    }
    case SimilarityKind.ib: {
      const name = LAMBDAS[model.effect]!;
      const known = name === 'DF' ? documents : occurrences;
      const lambda = is(third, `Lambda${name}, computed from: `, [known, all]);
      return [normalization(model, freq), lambda, is(second, `Distribution${DISTRIBUTIONS[model.basic]}`)];
    }
    case SimilarityKind.dirichlet:
      return [
        is(model.parameter, 'mu'),
        is(second, 'term weight'),
        is(third, 'document norm'),
        is(first, 'collection probability'),
      ];
    default:
      return [is(model.parameter, 'lambda'), is(first, 'collection probability')];
  }
}

function normalization(model: ModelExplanation, freq: number): Explanation {
  const name = NORMALIZATIONS[model.normalization]!;
  if (name === '') return is(1, 'no normalization');
  return is(model.parts[0], `Normalization${name}, computed from: `, [
    is(freq, 'tf'),
    is(model.averageLength, 'avgFieldLength'),
    is(model.length, 'len'),
  ]);
}
