/** How fields are scored: the similarities that settings define, by their names. */

import { camelCase } from '../text/camelCase.js';
import { ElasticsearchError, illegalArgument, numberFormat } from '../errors.js';
import { ownValue } from '../ownNames.js';
import { namesOf, remembered } from '../passes.js';

/** A similarity other than the default, as plans have it (assembly/similarity/probability.ts names the parts). */
export interface Similarity {
  readonly kind: number;
  /** Basic model of divergence from randomness; distribution of an information-based model. */
  readonly basic: number;
  /** After effect; lambda. */
  readonly effect: number;
  readonly normalization: number;
  /** k1, the parameter of the normalization, mu or lambda. */
  readonly first: number;
  /** b. */
  readonly second: number;
}

/** The kinds, as plans number them. */
export const SimilarityKind = { bm25: 0, dfr: 1, ib: 2, dirichlet: 3, jelinekMercer: 4 } as const;
export const BASIC_MODELS = ['be', 'd', 'g', 'if', 'in', 'ine', 'p'];
export const AFTER_EFFECTS = ['no', 'b', 'l'];
export const DISTRIBUTIONS = ['ll', 'spl'];
export const LAMBDAS = ['df', 'ttf'];
export const NORMALIZATIONS = ['no', 'h1', 'h2', 'h3', 'z'];
/** The setting that each normalization reads, and what it is without. */
const NORMALIZATION_SETTINGS: Record<string, [string, number]> = {
  h1: ['normalization.h1.c', 1],
  h2: ['normalization.h2.c', 1],
  h3: ['normalization.h3.c', 800],
  z: ['normalization.z.z', 0.3],
};

/** Any of them, where only that it isn't the default matters. */
export const PLAIN: Similarity = { kind: 0, basic: 0, effect: 0, normalization: 0, first: 1.2, second: 0.75 };

const PREFIX = 'index.similarity.';
const BM25 = 'BM25';

type Settings = Readonly<Record<string, string>>;

/** A definition, read. */
interface Named {
  /** Undefined is the default similarity. */
  similarity: Similarity | undefined;
  /** Tokens at the position of the one before don't count in norms. */
  discountsOverlaps: boolean;
}

const DEFAULT: Named = { similarity: undefined, discountsOverlaps: true };

/** The similarities of an index. */
export class Similarities {
  readonly #named = new Map<string, Named>();

  /** `flat`: the index's settings. Throws for the first definition that can't be used. */
  constructor(flat: Settings) {
    this.#named.set('default', DEFAULT);
    this.#named.set(BM25, read(BM25, { type: BM25 }));
    for (const [name, settings] of remembered(flat, 'similarities', () => groups(flat)))
      this.#named.set(name, read(name, settings));
  }

  /** Whether something stands behind a name. */
  has(name: string): boolean {
    return this.#named.has(name);
  }

  /** The similarity of fields whose mapping has that name; undefined is the one that Lucene has by default. */
  named(name: string | undefined): Similarity | undefined {
    return this.#of(name).similarity;
  }

  /** Whether tokens at the position of the one before count in the norms of a field whose mapping has that name. */
  countsOverlaps(name: string | undefined): boolean {
    return !this.#of(name).discountsOverlaps;
  }

  /** Whether booleans have coord and queries a norm: so says the default, or one that is called `base`. */
  get isPlainlySummed(): boolean {
    return (this.#named.get('base') ?? this.#of('default')).similarity !== undefined;
  }

  /** A name that nothing stands behind is the default. */
  #of(name = 'default'): Named {
    return this.#named.get(name) ?? this.#named.get('default')!;
  }
}

/** The settings of each definition, by name. */
function groups(flat: Settings): Map<string, Record<string, string>> {
  const found = new Map<string, Record<string, string>>();
  for (const key of namesOf(flat)) {
    if (!key.startsWith(PREFIX)) continue;
    const dot = key.indexOf('.', PREFIX.length);
    if (dot < 0) continue;
    const name = key.slice(PREFIX.length, dot);
    const settings = found.get(name) ?? Object.create(null);
    settings[key.slice(dot + 1)] = flat[key];
    found.set(name, settings);
  }
  return found;
}

function read(name: string, settings: Settings): Named {
  const { type } = settings;
  if (type === undefined) throw illegalArgument(`SimilarityProvider [${name}] must have an associated type`);
  const discountsOverlaps = !/^(false|0|off|no)$/.test(settings.discount_overlaps ?? '');
  const plain = { basic: 0, effect: 0, normalization: 0, second: 0 };
  switch (capitalized(type)) {
    case 'Default':
      return { similarity: undefined, discountsOverlaps };
    case BM25: {
      const [first, second] = [float(settings, 'k1', 1.2), float(settings, 'b', 0.75)];
      return { similarity: { ...plain, kind: SimilarityKind.bm25, first, second }, discountsOverlaps };
    }
    case 'DFR': {
      const basic = oneOf(BASIC_MODELS, 'BasicModel', settings.basic_model);
      const effect = oneOf(AFTER_EFFECTS, 'AfterEffect', settings.after_effect);
      const kind = SimilarityKind.dfr;
      const similarity = { kind, basic, effect, ...normalizationOf(settings), second: 0 };
      return { similarity, discountsOverlaps: true };
    }
    case 'IB': {
      const basic = oneOf(DISTRIBUTIONS, 'Distribution', settings.distribution);
      const effect = oneOf(LAMBDAS, 'Lambda', settings.lambda);
      const kind = SimilarityKind.ib;
      const similarity = { kind, basic, effect, ...normalizationOf(settings), second: 0 };
      return { similarity, discountsOverlaps: true };
    }
    case 'LMDirichlet': {
      const similarity = { ...plain, kind: SimilarityKind.dirichlet, first: float(settings, 'mu', 2000) };
      return { similarity, discountsOverlaps: true };
    }
    case 'LMJelinekMercer': {
      const first = float(settings, 'lambda', 0.1);
      return { similarity: { ...plain, kind: SimilarityKind.jelinekMercer, first }, discountsOverlaps: true };
    }
    default:
      throw noClass(type);
  }
}

function normalizationOf(settings: Settings): Pick<Similarity, 'normalization' | 'first'> {
  const normalization = oneOf(NORMALIZATIONS, 'Normalization', settings.normalization);
  const setting = ownValue(NORMALIZATION_SETTINGS, settings.normalization!);
  return { normalization, first: setting === undefined ? 0 : float(settings, ...setting) };
}

function oneOf(names: readonly string[], what: string, given: string | undefined): number {
  const place = given === undefined ? -1 : names.indexOf(given);
  if (place < 0) throw illegalArgument(`Unsupported ${what} [${given ?? 'null'}]`);
  return place;
}

function float(settings: Settings, key: string, fallback: number): number {
  const given = settings[key];
  if (given === undefined) return fallback;
  const value = given.trim() === '' ? Number.NaN : Math.fround(Number(given));
  if (Number.isFinite(value)) return value;
  throw new ElasticsearchError(
    'SettingsException',
    `Failed to parse float setting [${key}] with value [${given}]`,
    { status: 500, nested: numberFormat(given) },
  );
}

function capitalized(type: string): string {
  const name = camelCase(type);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function noClass(type: string): ElasticsearchError {
  const missing = `org.elasticsearch.index.similarity.${camelCase(type).toLowerCase()}.${capitalized(type)}SimilarityProvider`;
  return new ElasticsearchError(
    'NoClassSettingsException',
    `Failed to load class setting [type] with value [${type}]`,
    { status: 500, nested: new ElasticsearchError('ClassNotFoundException', missing) },
  );
}
