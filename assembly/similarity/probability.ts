// How the probabilistic models of Lucene 4.10 score one term: divergence from randomness, information-based models, language
// models. Floats and doubles are mixed as there.

export const MODEL_BM25: u8 = 0;
export const MODEL_DFR: u8 = 1;
export const MODEL_IB: u8 = 2;
export const MODEL_DIRICHLET: u8 = 3;
export const MODEL_JELINEK_MERCER: u8 = 4;

/** Basic models of divergence from randomness. */
const BE: u8 = 0;
const D: u8 = 1;
const G: u8 = 2;
const IF: u8 = 3;
const IN: u8 = 4;
const INE: u8 = 5;
const P: u8 = 6;

/** After effects: none, Bernoulli's, Laplace's. */
const EFFECT_B: u8 = 1;
const EFFECT_L: u8 = 2;

/** Distributions of information: log-logistic, smoothed power law. Lambda by documents or by occurrences. */
const SPL: u8 = 1;
const LAMBDA_TTF: u8 = 1;

/** Normalizations of frequencies. */
export const NORMALIZATION_NONE: u8 = 0;
const H1: u8 = 1;
const H2: u8 = 2;
const H3: u8 = 3;
const Z: u8 = 4;

const TWO_PI: f64 = 6.283185307179586;

/** A term and its field, as a model sees them. */
@unmanaged
export class TermModel {
  kind: u8;
  /** Basic model, or distribution. */
  basic: u8;
  /** After effect, or lambda. */
  effect: u8;
  normalization: u8;
  /** Of the normalization; mu and lambda of the language models. */
  parameter: f32;
  /** The query's boost times those around it. */
  boost: f32;
  /** Documents of the index, and those with the term. */
  docs: f64;
  df: f64;
  /** Occurrences of the term and of all terms in the field, and the average of these by document. */
  ttf: f64;
  tokens: f64;
  average: f32;

  @inline static at(array: usize, i: u32): TermModel {
    return changetype<TermModel>(array + <usize>i * offsetof<TermModel>());
  }
}

function log2(x: f64): f64 {
  return Math.log(x) / Math.LN2;
}

/** A frequency as it would be in a document of average length. */
export function normalized(m: TermModel, freq: f32, length: f32): f32 {
  const c = m.parameter;
  switch (m.normalization) {
    case H1:
      return (freq * m.average) / length;
    case H2:
      return <f32>(<f64>freq * log2(<f64>(<f32>1 + (c * m.average) / length)));
    case H3:
      return ((freq + c * ((<f32>m.ttf + 1) / (<f32>m.tokens + 1))) / (length + c)) * c;
    case Z:
      return <f32>(<f64>freq * <f64>(m.average / length) ** <f64>c);
    default:
      return freq;
  }
}

/** Part of the Bose-Einstein model. */
function stirling(n: f64, m: f64): f64 {
  return (m + 0.5) * log2(n / m) + (n - m) * log2(n);
}

/** What a basic model, or a distribution, makes of a normalized frequency; `lambda` is of the distributions. */
export function basicScore(m: TermModel, tfn: f32, lambda: f32): f32 {
  const docs = m.docs;
  if (m.kind == MODEL_IB) {
    if (m.basic != SPL) return <f32>-Math.log(<f64>(lambda / (tfn + lambda)));
    const l: f32 = lambda == 1 ? <f32>0.99 : lambda;
    return <f32>-Math.log((<f64>l ** <f64>(tfn / (tfn + 1)) - <f64>l) / <f64>(<f32>1 - l));
  }
  switch (m.basic) {
    case BE: {
      const occurrences = <f64>(<f32>(m.ttf + 1) + tfn);
      const n = occurrences + docs;
      const all = -log2((n - 1) * Math.E);
      const parts = stirling(n + occurrences - 1, n + occurrences - <f64>tfn - 2);
      return <f32>(all + parts - stirling(occurrences, occurrences - <f64>tfn));
    }
    case D: {
      const occurrences = <f64>(<f32>(m.ttf + 1) + tfn);
      const phi = <f64>tfn / occurrences;
      const rest = 1 - phi;
      const p = 1 / (docs + 1);
      const divergence = phi * log2(phi / p) + rest * log2(rest / (1 - p));
      return <f32>(divergence * occurrences + 0.5 * log2(1 + TWO_PI * <f64>tfn * rest));
    }
    case G: {
      const occurrences = m.ttf + 1;
      const lambda = occurrences / (docs + occurrences);
      return <f32>(log2(lambda + 1) + <f64>tfn * log2((1 + lambda) / lambda));
    }
    case IF:
      return tfn * <f32>log2(1 + (docs + 1) / (m.ttf + 0.5));
    case IN:
      return tfn * <f32>log2((docs + 1) / (m.df + 0.5));
    case INE: {
      const expected = docs * (1 - ((docs - 1) / docs) ** m.ttf);
      return tfn * <f32>log2((docs + 1) / (expected + 0.5));
    }
    default: {
      const lambda = <f32>(m.ttf + 1) / <f32>(docs + 1);
      const t = <f64>tfn;
      const tail = <f64>(lambda + <f32>1 / (<f32>12 * tfn) - tfn) * Math.LOG2E;
      return <f32>(t * log2(<f64>(tfn / lambda)) + tail + 0.5 * log2(TWO_PI * t));
    }
  }
}

/** The after effect at a normalized frequency. */
export function effectScore(m: TermModel, tfn: f32): f32 {
  if (m.effect == EFFECT_L) return <f32>1 / (tfn + 1);
  if (m.effect != EFFECT_B) return 1;
  return <f32>(m.ttf + 2) / (<f32>(m.df + 1) * (tfn + 1));
}

/** The lambda of an information-based model. */
export function lambdaOf(m: TermModel): f32 {
  return (<f32>(m.effect == LAMBDA_TTF ? m.ttf : m.df) + 1) / (<f32>m.docs + 1);
}

/** How probable the term is in the collection, for the language models. */
export function collectionProbability(m: TermModel): f32 {
  return (<f32>m.ttf + 1) / (<f32>m.tokens + 1);
}

/** The two summands of Dirichlet's smoothing. */
export function termWeight(m: TermModel, freq: f32): f64 {
  return Math.log(<f64>(<f32>1 + freq / (m.parameter * collectionProbability(m))));
}
export function documentNorm(m: TermModel, length: f32): f64 {
  return Math.log(<f64>(m.parameter / (length + m.parameter)));
}

/** The score of a term that occurs `freq` times in a document of `length` terms. */
export function modelScore(m: TermModel, freq: f32, length: f32): f32 {
  switch (m.kind) {
    case MODEL_DFR: {
      const tfn = normalized(m, freq, length);
      return m.boost * basicScore(m, tfn, 0) * effectScore(m, tfn);
    }
    case MODEL_IB:
      return m.boost * basicScore(m, normalized(m, freq, length), lambdaOf(m));
    case MODEL_DIRICHLET: {
      return max(m.boost * <f32>(termWeight(m, freq) + documentNorm(m, length)), 0);
    }
    default: {
      const lambda = m.parameter;
      const seen = ((<f32>1 - lambda) * freq) / length;
      return m.boost * <f32>Math.log(<f64>(<f32>1 + seen / (lambda * collectionProbability(m))));
    }
  }
}

/** The largest numbers of the parts of a similarity in a plan. */
export function isModel(kind: u8, basic: u8, effect: u8, normalization: u8): bool {
  if (normalization > Z) return false;
  if (kind == MODEL_DFR) return basic <= P && effect <= EFFECT_L;
  if (kind == MODEL_IB) return basic <= SPL && effect <= LAMBDA_TTF;
  return kind <= MODEL_JELINEK_MERCER && !basic && !effect && !normalization;
}
