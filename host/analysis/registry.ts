/**
 * The analyzers of an index by name: those of Elasticsearch 1.7, and those that its settings define. What is defined is
 * checked when the registry is made; everything else is made when it is asked for.
 */
import { ElasticsearchError, illegalArgument } from '../errors.js';
import { encodeTokens } from '../core/result.js';
import { type IndexDefaults, indexDefaults } from '../settings/indexDefaults.js';
import { Similarities } from '../similarity/similarities.js';
import { type Analyzer, keywordAnalyzer } from './analyzer.js';
import { encodeChain } from './args.js';
import type { PartMaker } from './analyzers.js';
import { type AnalyzerParts, CompiledAnalyzer, type RunChain } from './compile.js';
import { byName, Components } from './components.js';
import { byType, type Definitions, definitionsOf } from './definitions.js';
import { camelCase } from '../text/camelCase.js';
import type { FilterContext } from './filterFactory.js';
import { frequentAnalyzers } from './frequentAnalyzers.js';
import { analysisParts } from './lateParts.js';
import { StageKind } from '../core/abi/stages.js';
import { type CharFilterPart, corePart, type TokenFilterPart, type TokenizerPart } from './part.js';
import { atOnce } from '../workLimit.js';
import type { Payloads } from './payloads.js';
import { type ChainDefinition, type StagedParts, stagedParts } from './stages.js';
import { DefinitionSettings } from './settings.js';

/** A field without analysis: each value is one term. */
export const NO_ANALYZER = '';

/** Names that mean an analyzer only where settings define one. */
const ONLY_DEFINED = new Set([NO_ANALYZER, 'default_index', 'default_search']);

/** The core's number of the standard analyzer without stop words. */
export const CORE_STANDARD = 1;

const NO_SETTINGS: Readonly<Record<string, unknown>> = {};

/** An analyzer with what fields need of it. */
interface Named {
  compiled: CompiledAnalyzer;
  parts: AnalyzerParts;
  /** It, ready for texts; made when it is asked for. */
  analyzer?: Analyzer;
  /** Positions between the values of a field, where its mapping doesn't say. */
  positionGap: number;
  /** Whether its terms may be longer than Lucene's longest. */
  longTerms: boolean;
}

/** What a filter of word shingles makes. */
export interface Shingles {
  /** Words of the shortest and of the longest. */
  least: number;
  most: number;
  /** Whether single words stay beside them. */
  unigrams: boolean;
}

/** Makes and keeps the analyzers of one index, or those that every index has. */
export class AnalyzerRegistry {
  /** How the fields of the index are scored. */
  readonly similarities: Similarities;
  readonly #run: RunChain;
  readonly #analyzers: Definitions;
  readonly #made = new Map<string, Named | undefined>();
  readonly #aliases = new Map<string, string>();
  /** What the settings say of numbers and dates. */
  readonly fieldDefaults: IndexDefaults;
  readonly #tokenizers: Components<TokenizerPart>;
  readonly #charFilters: Components<CharFilterPart>;
  readonly #filters: Components<TokenFilterPart[]>;

  /**
   * `run` runs chains of the core; `flat` are the settings of an index. Throws the error of 1.7 for the first definition
   * that can't be used.
   */
  constructor(run: RunChain, flat: Readonly<Record<string, string>> = {}) {
    this.#run = run;
    this.similarities = new Similarities(flat);
    this.fieldDefaults = indexDefaults(flat);
    const defined = definitionsOf(flat);
    this.#charFilters = new Components(
      'char filter',
      'CharFilter',
      () => analysisParts.loaded.charFilters,
      (make, s) => make(s),
      defined.char_filter,
    );
    this.#filters = new Components(
      'token filter',
      'TokenFilter',
      () => analysisParts.loaded.filters,
      (make, s) => [make(s, this.#filterContext)].flat(),
      defined.filter,
      () => analysisParts.loaded.allFiltersByName,
    );
    this.#tokenizers = new Components(
      'tokenizer',
      'Tokenizer',
      () => analysisParts.loaded.tokenizers,
      (make, s) => make(s),
      defined.tokenizer,
      () => analysisParts.loaded.tokenizersByName,
    );
    this.#analyzers = defined.analyzer;
    for (const components of [this.#charFilters, this.#filters, this.#tokenizers]) components.checkTypes();
    for (const [name, definition] of this.#analyzers) analyzerType(name, definition);
    for (const components of [this.#tokenizers, this.#charFilters, this.#filters]) components.makeAll();
    for (const [name, definition] of this.#analyzers) {
      this.#named(name);
      this.#addAliases(name, definition);
    }
  }

  /** Whether there is an analyzer of that name. */
  has(name: string): boolean {
    return this.#named(name) !== undefined;
  }

  /** The analyzer of that name, undefined if there is none. */
  analyzer(name: string): Analyzer | undefined {
    const named = this.#named(name);
    if (named === undefined) return undefined;
    const { compiled } = named;
    named.analyzer ??= sameBytes(compiled.chain, KEYWORD_CHAIN)
      ? keywordAnalyzer
      : { analyze: (text) => compiled.analyze(text, this.#run) };
    return named.analyzer;
  }

  /** An analyzer out of named parts; throws if there is no part of a name. `isGlobal` says so in the error. */
  assemble(
    parts: { tokenizer: string; charFilters: string[]; filters: string[] },
    isGlobal: boolean,
  ): Analyzer {
    const missing = (kind: string) => (name: string) =>
      illegalArgument(`failed to find ${isGlobal ? 'global ' : ''}${kind} under [${name}]`);
    const compiled = new CompiledAnalyzer({
      tokenizer: partOf(this.#tokenizers, parts.tokenizer, missing('tokenizer')),
      filters: parts.filters.flatMap((name) => partOf(this.#filters, name, missing('token filter'))),
      charFilters: parts.charFilters.map((name) => partOf(this.#charFilters, name, missing('char filter'))),
    });
    return { analyze: (text) => compiled.analyze(text, this.#run) };
  }

  /** The parts of a named analyzer, each with its name, to look at what each makes of a text; undefined if there is no such analyzer. */
  staged(name: string): StagedParts | undefined {
    const known = this.#named(name);
    if (known === undefined) return undefined;
    const own = this.#aliases.get(name) ?? name;
    const definition = this.#analyzers.get(own);
    if (definition === undefined || analyzerType(own, definition) !== undefined)
      return stagedParts(known.parts, definition === undefined ? 'built-in' : String(definition.type));
    const settings = new DefinitionSettings(own, definition);
    return this.stagedChain({
      charFilters: settings.list('char_filter') ?? [],
      tokenizer: settings.text('tokenizer')!,
      filters: settings.list('filter') ?? [],
    });
  }

  /** Parts of a chain that is tried: names, or definitions as settings have them. Throws if there is no such part. */
  stagedChain({ charFilters, tokenizer, filters }: ChainDefinition): StagedParts {
    return {
      type: 'custom',
      charFilters: charFilters.map((each) => this.#charFilters.staged(each)),
      tokenizer: this.#tokenizers.staged(tokenizer),
      filters: filters.map((each) => {
        const { parts, ...source } = this.#filters.staged(each);
        return { ...source, parts: parts.flat() };
      }),
    };
  }

  /** Runs chains: what {@link staged} has found. */
  get run(): RunChain {
    return this.#run;
  }

  /** What the core indexes a field's texts with: 0 for no analyzer, 1 for the standard one, otherwise a chain. */
  core(name: string): number | Uint8Array {
    if (name === NO_ANALYZER) return 0;
    const { chain } = this.#named(name)!.compiled;
    return sameBytes(chain, STANDARD_CHAIN) ? CORE_STANDARD : chain;
  }

  /** Positions between the values of a field. */
  positionGap(name: string): number {
    return this.#named(name)?.positionGap ?? 0;
  }

  /** Whether texts go through {@link prepare} on their way to the core. */
  onHost(name: string): boolean {
    return name !== NO_ANALYZER && this.#named(name)!.compiled.onHost;
  }

  /** Bytes of a text from which on analyzing it is a long part (passes.ts). */
  longFrom(name: string): number {
    const { compiled, longTerms } = this.#named(name)!;
    // Where terms may be too long, whole texts are looked through for them.
    return Math.min(compiled.longFrom, longTerms ? LONG_TEXT : Number.POSITIVE_INFINITY);
  }

  /** What the core takes for a text. */
  prepare(name: string, text: string): Uint8Array {
    return this.#named(name)!.compiled.prepare(text, this.#run);
  }

  /** The tokens of a text, as a field of another analyzer takes them. */
  tokens(name: string, text: string): Uint8Array {
    return atOnce(encodeTokens(this.#named(name)!.compiled.list(text, this.#run)));
  }

  /** Whether terms of the analyzer may be longer than Lucene's longest. */
  givesLongTerms(name: string): boolean {
    return this.#named(name)?.longTerms ?? false;
  }

  /** What the first filter of word shingles in a defined analyzer makes; undefined if it has none. */
  shingles(name: string): Shingles | undefined {
    const definition = this.#analyzers.get(name);
    if (definition === undefined || analyzerType(name, definition) !== undefined) return undefined;
    for (const filter of new DefinitionSettings(name, definition).list('filter') ?? []) {
      const own = this.#filters.definitions.get(filter);
      if ((own === undefined ? filter : own.type) !== 'shingle') continue;
      const settings = new DefinitionSettings(filter, own ?? NO_SETTINGS);
      return {
        least: settings.int('min_shingle_size', 2),
        most: settings.int('max_shingle_size', 2),
        unigrams: settings.flag('output_unigrams', true),
      };
    }
    return undefined;
  }

  /** What the last filter of a defined analyzer that puts payloads on tokens puts there; undefined if none does. */
  payloads(name: string): Payloads | undefined {
    const definition = this.#analyzers.get(name);
    if (definition === undefined || analyzerType(name, definition) !== undefined) return undefined;
    const filters = new DefinitionSettings(name, definition).list('filter') ?? [];
    for (let at = filters.length - 1; at >= 0; at--) {
      const filter = filters[at]!;
      const own = this.#filters.definitions.get(filter);
      const type = String(own === undefined ? filter : own.type);
      const of = analysisParts.loaded.payloadFilter(type, new DefinitionSettings(filter, own ?? NO_SETTINGS));
      if (of === undefined) continue;
      const parts = this.#custom(new DefinitionSettings(name, definition));
      const before = filters.slice(0, at).flatMap((each) => this.#filters.named(each) ?? []);
      const compiled = new CompiledAnalyzer({ ...parts, filters: before });
      return new analysisParts.loaded.Payloads({ analyze: (text) => compiled.analyze(text, this.#run) }, of);
    }
    return undefined;
  }

  readonly #filterContext: FilterContext = {
    tokenize: (tokenizer, text, settings) => {
      const definition = this.#tokenizers.definitions.get(tokenizer);
      const part =
        definition === undefined
          ? this.#tokenizers.named(tokenizer)
          : this.#tokenizers.make(String(definition.type), settings);
      if (part === undefined) throw illegalArgument(`failed to find tokenizer [${tokenizer}]`);
      const compiled = new CompiledAnalyzer({ charFilters: [], tokenizer: part, filters: [] });
      return compiled.analyze(text, this.#run).map(({ term }) => term);
    },
  };

  readonly #maker: PartMaker = {
    tokenizer: (type, settings) => this.#tokenizers.make(type, settings)!,
    filter: (type, settings) => this.#filters.make(type, settings)!,
    charFilter: (type, settings) => this.#charFilters.make(type, settings)!,
  };

  #named(name: string): Named | undefined {
    if (this.#made.has(name)) return this.#made.get(name);
    const made = this.#make(name);
    this.#made.set(name, made);
    return made;
  }

  #make(name: string): Named | undefined {
    const definition = this.#analyzers.get(name);
    if (definition === undefined) {
      const alias = this.#aliases.get(name);
      if (alias !== undefined) return this.#named(alias);
      for (const other of this.#analyzers.keys()) if (camelCase(other) === name) return this.#named(other);
      if (name === 'default') return this.#named('standard');
      if (ONLY_DEFINED.has(name)) return undefined;
      const frequent = frequentAnalyzers.get(name);
      if (frequent !== undefined) return named(frequent(), 0);
      const { analyzers, prebuilt } = analysisParts.loaded;
      const make = prebuilt.get(name) ?? byName(analyzers, name);
      return make === undefined
        ? undefined
        : named(make(new DefinitionSettings(name, NO_SETTINGS), this.#maker), 0);
    }
    const settings = new DefinitionSettings(name, definition);
    const type = analyzerType(name, definition);
    if (type !== undefined) return named(type(settings, this.#maker), 0);
    return named(this.#custom(settings), settings.int('position_offset_gap', 0));
  }

  #custom(settings: DefinitionSettings): AnalyzerParts {
    const problem = (what: string) =>
      new ElasticsearchError('IllegalArgumentException', `Custom Analyzer [${settings.name}] ${what}`, {
        status: 400,
      });
    const tokenizer = settings.text('tokenizer');
    if (tokenizer === undefined) throw problem('must be configured with a tokenizer');
    const missing = (kind: string) => (name: string) =>
      problem(`failed to find ${kind} under name [${name}]`);
    return {
      tokenizer: partOf(this.#tokenizers, tokenizer, missing('tokenizer')),
      charFilters: (settings.list('char_filter') ?? []).map((each) =>
        partOf(this.#charFilters, each, missing('char_filter')),
      ),
      filters: (settings.list('filter') ?? []).flatMap((each) =>
        partOf(this.#filters, each, missing('filter')),
      ),
    };
  }

  #addAliases(name: string, definition: Readonly<Record<string, unknown>>): void {
    for (const alias of new DefinitionSettings(name, definition).list('alias') ?? []) {
      if (this.#analyzers.has(alias)) continue;
      this.#aliases.set(alias, name);
      this.#made.delete(alias);
    }
  }
}

/** Bytes of a text whose terms are looked through in turns. */
const LONG_TEXT = 64 * 1024;

/** The chain that the core has a shorter way for. */
const STANDARD_CHAIN = encodeChain([corePart(StageKind.standard), corePart(StageKind.lowercase)]);

/** The chain that needs no core. */
const KEYWORD_CHAIN = encodeChain([corePart(StageKind.keyword)]);

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** The type of a defined analyzer; undefined for a custom one. */
function analyzerType(name: string, definition: Readonly<Record<string, unknown>>) {
  const type = definition.type;
  if (type === 'custom') return undefined;
  const factory = type === undefined ? undefined : byType(analysisParts.loaded.analyzers, String(type));
  if (factory !== undefined) return factory;
  if (definition.tokenizer !== undefined) return undefined;
  throw illegalArgument(`failed to find analyzer type [${type ?? null}] or tokenizer for [${name}]`);
}

function named(parts: AnalyzerParts, positionGap: number): Named {
  const { tokenizer } = parts;
  const bounded: readonly number[] = [
    StageKind.standard,
    StageKind.whitespace,
    StageKind.letter,
    StageKind.chinese,
  ];
  const longTerms = !('kind' in tokenizer) || !bounded.includes(tokenizer.kind) || tokenizer.args.length > 4;
  return { compiled: new CompiledAnalyzer(parts), parts, positionGap, longTerms };
}

/** The part of that name; throws what `missing` makes of a name that has none. */
function partOf<T>(components: Components<T>, name: string, missing: (name: string) => Error): T {
  const part = components.named(name);
  if (part === undefined) throw missing(name);
  return part;
}
