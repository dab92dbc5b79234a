/** How fields are scored: similarities as plans have them. */
import {
  AFTER_EFFECTS,
  BASIC_MODELS,
  DISTRIBUTIONS,
  LAMBDAS,
  NORMALIZATIONS,
  type Similarity as PlanSimilarity,
  SimilarityKind,
} from '../similarity/similarities.js';
import { wrong } from './coreErrors.js';
import type { Normalized, Similarity } from './definitions.js';

/** What the parameter of each normalization is without. */
const PARAMETERS: Readonly<Record<string, number>> = { no: 0, h1: 1, h2: 1, h3: 800, z: 0.3 };
const NOTHING = { basic: 0, effect: 0, normalization: 0, first: 0, second: 0 };

/** As plans have it; undefined is Lucene's default. */
export function planSimilarity(similarity: Similarity): PlanSimilarity | undefined {
  switch (similarity.type) {
    case 'TF-IDF':
      return undefined;
    case 'BM25': {
      const [first, second] = [parameter(similarity.k1, 1.2, 'k1'), parameter(similarity.b, 0.75, 'b')];
      return { ...NOTHING, kind: SimilarityKind.bm25, first, second };
    }
    case 'DFR':
      return {
        ...normalized(similarity),
        kind: SimilarityKind.dfr,
        basic: oneOf(BASIC_MODELS, similarity.basicModel, 'basic model'),
        effect: oneOf(AFTER_EFFECTS, similarity.afterEffect, 'after effect'),
      };
    case 'IB':
      return {
        ...normalized(similarity),
        kind: SimilarityKind.ib,
        basic: oneOf(DISTRIBUTIONS, similarity.distribution, 'distribution'),
        effect: oneOf(LAMBDAS, similarity.lambda, 'lambda'),
      };
    case 'LMDirichlet':
      return { ...NOTHING, kind: SimilarityKind.dirichlet, first: parameter(similarity.mu, 2000, 'mu') };
    case 'LMJelinekMercer':
      return {
        ...NOTHING,
        kind: SimilarityKind.jelinekMercer,
        first: parameter(similarity.lambda, 0.1, 'lambda'),
      };
    default:
      throw wrong(`there is no similarity ${(similarity as { type: unknown }).type}`);
  }
}

function normalized({ normalization, parameter: given }: Normalized): PlanSimilarity {
  const place = oneOf(NORMALIZATIONS, normalization, 'normalization');
  return {
    ...NOTHING,
    kind: 0,
    normalization: place,
    first: parameter(given, PARAMETERS[normalization]!, 'parameter'),
  };
}

function oneOf(names: readonly string[], given: string, what: string): number {
  const place = names.indexOf(given);
  if (place < 0) throw wrong(`there is no ${what} ${given}; there are ${names.join(', ')}`);
  return place;
}

function parameter(given: number | undefined, fallback: number, what: string): number {
  if (given === undefined) return fallback;
  if (!Number.isFinite(Math.fround(given))) throw wrong(`${what} must be a finite number, not ${given}`);
  return given;
}
