/** `string` fields, analyzed or not. */

import type { AnalyzerRegistry } from '../analysis/registry.js';
import { CORE_STANDARD, NO_ANALYZER } from '../analysis/registry.js';
import type { BatchWriter } from '../core/batch.js';
import { ElasticsearchError, mapperParsing } from '../errors.js';
import { checkBoost, readBoosted } from './boosted.js';
import {
  Column,
  type CoreOptions,
  FIELD_NAMES,
  FREQS,
  LeafField,
  NORMS,
  OVERLAPS,
  POSITIONS,
  scalarText,
  WITH_NORMS,
} from './field.js';
import { type FieldTraits, readTraits, TEXT_TRAITS } from './fieldTraits.js';
import { MAX_TERM_BYTES, textTerm } from './terms.js';
import { intOf, isObject, isWordUnit, type JsonObject, javaScalar, textOf } from '../json/values.js';

/** Bytes of a text that is analyzed here in turns, though the core does all of it. */
const LONG_TEXT = 64 * 1024;

/** A string field. */
export class StringField extends LeafField {
  override readonly type = 'string';
  override core: CoreOptions | undefined;
  override readonly isExact = false;
  override readonly takesBoosts = true;
  override readonly mayJoinAll = true;
  readonly #registry: AnalyzerRegistry;
  /** What the mapping says, checked and normalised; merging replaces it. */
  #options: StringOptions;
  /** Whether the host has a part in the analysis. */
  readonly #onHost: boolean;
  /** Whether a text with a letter or a digit has a term for certain. */
  readonly #alwaysKeepsWords: boolean;
  /** What the core's field is, which other types may have defined in another way. */
  #shared: CoreOptions | undefined;
  /** Whether the core's field would cut texts otherwise, or not at all. */
  #isCutElsewhere = false;
  /** What is written behind each value for the gap that the core's field doesn't leave; undefined where there is none. */
  #gap: Uint8Array | undefined;

  constructor(
    fullName: string,
    definition: JsonObject,
    registry: AnalyzerRegistry,
    analysis: TypeAnalysis = {},
  ) {
    super(fullName, readTextTraits(definition, registry));
    this.#registry = registry;
    this.#options = readOptions(this.shortName, definition, registry, analysis, this.traits);
    this.core = coreOptions(this.#options, this.traits, registry);
    const analyzer = this.core?.analyzer ?? NO_ANALYZER;
    this.#onHost = registry.onHost(analyzer);
    if (analyzer !== NO_ANALYZER) this.longFrom = registry.longFrom(analyzer);
    this.#alwaysKeepsWords = registry.core(analyzer) === CORE_STANDARD;
  }

  /** Tells of the field in the core that it has got, and whether that one analyzes as it does itself. */
  share(core: CoreOptions, sameAnalyzer: boolean): void {
    this.#shared = core;
    this.#isCutElsewhere = !sameAnalyzer;
    if (this.#isCutElsewhere) this.longFrom = Math.min(this.longFrom, LONG_TEXT);
    const gapOf = ({ positionGap, analyzer }: CoreOptions) =>
      positionGap > 0 ? positionGap : this.#registry.positionGap(analyzer);
    const left = gapOf(core);
    // What is written is followed by the core's gap itself.
    const more = this.core === undefined ? 0 : gapOf(this.core) - 2 * left;
    const isPlaced = (core.flags & POSITIONS) !== 0;
    this.#gap = isPlaced && more > 0 ? noTokens(more) : undefined;
  }

  /** Leaves the rest of the gap behind a value. */
  #leaveGap(batch: BatchWriter): void {
    if (this.#gap === undefined) return;
    batch.tokens(this.number, this.#gap);
    if (this.#shared?.boost !== 1) batch.boostLast(1);
  }

  override valueForSearch(value: unknown): unknown {
    return this.#text(value);
  }

  override get nullValue(): unknown {
    return this.#options.nullValue;
  }

  override keeps(value: unknown): boolean {
    const { ignoreAbove } = this.#options;
    return ignoreAbove <= 0 || (this.#text(value)?.length ?? 0) <= ignoreAbove;
  }

  override get hasOnlyDocValues(): boolean {
    return this.traits.docValues && !this.traits.indexed;
  }

  override indexAnalyzer(): string {
    if (this.core === undefined || this.hasOnlyDocValues)
      return indexAnalyzerOf(this.#options, this.#registry);
    return this.core.analyzer || 'keyword';
  }

  override searchAnalyzer(): string {
    return this.#options.searchAnalyzer;
  }

  override get boost(): number {
    return this.traits.boost;
  }

  override write(batch: BatchWriter, value: unknown, boost = this.traits.boost): void {
    const text = typeof value === 'string' ? value : this.#text(value);
    if (text === undefined) return;
    if (this.#options.ignoreAbove > 0 && text.length > this.#options.ignoreAbove) return;
    if (boost !== 1) checkBoost(this.traits, boost);
    if (this.number < 0) return;
    const { analyzer } = this.core!;
    const { boost: usual } = this.#shared ?? this.core!;
    const named = this.#options.byType.document;
    const byDocument = named !== undefined && this.#options.indexAnalyzer === undefined;
    if (this.#isCutElsewhere || (byDocument && analyzer !== NO_ANALYZER)) {
      this.#writeTokens(batch, text, byDocument ? named : analyzer);
      if (boost !== usual) batch.boostLast(boost);
      this.#leaveGap(batch);
      if (analyzer !== NO_ANALYZER) batch.text(FIELD_NAMES, this.fullName);
      return;
    }
    if (analyzer === NO_ANALYZER) {
      const bytes = batch.text(this.number, text);
      if (bytes > MAX_TERM_BYTES) throw immenseTerm(this.fullName, text, bytes);
      if (boost !== usual) batch.boostLast(boost);
      return;
    }
    if (text.length > MAX_TERM_BYTES / 3) this.#checkTerms(analyzer, text);
    const prepared = this.#onHost ? this.#registry.prepare(analyzer, text) : undefined;
    if (prepared === undefined) batch.text(this.number, text);
    else batch.term(this.number, prepared);
    if (boost !== usual) batch.boostLast(boost);
    this.#leaveGap(batch);
    if (!this.#alwaysKeepsWords || !hasWord(text)) batch.text(FIELD_NAMES, this.fullName);
  }

  override prepare(value: unknown): void {
    const text = this.#text(value);
    if (text === undefined || this.number < 0) return;
    if (this.#options.ignoreAbove > 0 && text.length > this.#options.ignoreAbove) return;
    const { analyzer } = this.core!;
    const named = this.#options.byType.document;
    const byDocument = named !== undefined && this.#options.indexAnalyzer === undefined;
    if (analyzer === NO_ANALYZER) return;
    const used = byDocument ? named : analyzer;
    if (text.length > MAX_TERM_BYTES / 3) this.#checkTerms(used, text);
    if (this.#isCutElsewhere || byDocument) this.#registry.tokens(used, text);
    else if (this.#onHost) this.#registry.prepare(used, text);
  }

  /** A text as the core's field would not cut it. */
  #writeTokens(batch: BatchWriter, text: string, named: string): void {
    const exact = this.core!.analyzer === NO_ANALYZER;
    if (exact) {
      const { length } = textTerm(text);
      if (length > MAX_TERM_BYTES) throw immenseTerm(this.fullName, text, length);
    } else if (text.length > MAX_TERM_BYTES / 3) this.#checkTerms(named, text);
    batch.tokens(this.number, this.#registry.tokens(exact ? 'keyword' : named, text));
  }

  /** How a text of it can be written as the bytes that it came in; undefined where it must be looked at first. */
  get asBytes(): PlainText | undefined {
    const { core, number } = this;
    const { boost } = this.traits;
    const { ignoreAbove } = this.#options;
    if (core === undefined || number < 0 || this.#isCutElsewhere || this.#onHost) return undefined;
    if (this.#gap !== undefined) return undefined;
    if (boost !== 1 || (this.#shared ?? core).boost !== 1) return undefined;
    const isWhole = core.analyzer === NO_ANALYZER;
    const mayBeLong = !isWhole && !this.#registry.givesLongTerms(core.analyzer);
    const longest = mayBeLong ? Number.POSITIVE_INFINITY : MAX_TERM_BYTES / (isWhole ? 1 : 3);
    return {
      number,
      // A text has no more units than bytes.
      longest: ignoreAbove > 0 ? Math.min(ignoreAbove, longest) : longest,
      noted: isWhole ? 'never' : this.#alwaysKeepsWords ? 'without word' : 'always',
    };
  }

  override checkGiven(): void {
    if (this.#options.analyzed && this.traits.docValues)
      throw mapperParsing(`Field [${this.fullName}] cannot be analyzed and have doc values`);
  }

  /** Whether 1.7 can't show its mapping: phrases have an analyzer of their own, and words none. */
  get isUnshowable(): boolean {
    const { quoteAnalyzer, searchAnalyzerGiven, analyzed } = this.#options;
    return quoteAnalyzer !== undefined && searchAnalyzerGiven === undefined && analyzed;
  }

  override quoteAnalyzer(): string {
    return this.#options.quoteAnalyzer ?? this.searchAnalyzer();
  }

  /** A long text may come to a term that is longer than terms may be. */
  #checkTerms(analyzer: string, text: string): void {
    if (!this.#registry.givesLongTerms(analyzer)) return;
    for (const { term } of this.#registry.analyzer(analyzer)!.analyze(text)) {
      if (term.length <= MAX_TERM_BYTES / 3) continue;
      const { length } = textTerm(term);
      if (length > MAX_TERM_BYTES) throw immenseTerm(this.fullName, term, length);
    }
  }

  override allText(value: unknown): string | undefined {
    const text = this.#text(value);
    const { ignoreAbove } = this.#options;
    return text === undefined || (ignoreAbove > 0 && text.length > ignoreAbove) ? undefined : text;
  }

  #text(value: unknown): string | undefined {
    if (value === null || value === undefined) return this.#options.nullValue;
    return scalarText(isObject(value) ? readBoosted(value).value : value);
  }

  override get similarity(): string | undefined {
    return this.traits.similarity;
  }

  override term(value: unknown): Uint8Array {
    return textTerm(javaScalar(value) ?? '');
  }

  protected override defaults(): JsonObject {
    const o = this.#options;
    const { traits } = this;
    const json: JsonObject = {
      ...super.defaults(),
      index: o.analyzed ? 'analyzed' : traits.indexed ? 'not_analyzed' : 'no',
      norms: { enabled: traits.norms },
      index_options: traits.indexOptions,
      null_value: null,
      include_in_all: false,
      position_offset_gap: 0,
      search_quote_analyzer: 'default',
      ignore_above: -1,
    };
    const given = o.indexAnalyzer !== undefined || o.searchAnalyzerGiven !== undefined;
    if (!given) json.analyzer = o.analyzed ? 'default' : '_keyword';
    return json;
  }

  protected override echo(): JsonObject {
    const o = this.#options;
    const json: JsonObject = { type: 'string' };
    if (o.indexAnalyzer === o.searchAnalyzerGiven) {
      if (isShown(o.indexAnalyzer)) json.analyzer = o.indexAnalyzer;
    } else {
      if (isShown(o.indexAnalyzer)) json.index_analyzer = o.indexAnalyzer;
      if (isShown(o.searchAnalyzerGiven)) json.search_analyzer = o.searchAnalyzerGiven;
    }
    if (o.quoteAnalyzer !== undefined && o.quoteAnalyzer !== o.searchAnalyzerGiven)
      json.search_quote_analyzer = o.quoteAnalyzer;
    if (o.nullValue !== undefined) json.null_value = o.nullValue;
    if (o.positionGap !== 0) json.position_offset_gap = o.positionGap;
    if (o.ignoreAbove !== -1) json.ignore_above = o.ignoreAbove;
    return json;
  }

  protected override get analyzerName(): string {
    return (
      this.#options.indexAnalyzer ?? (this.traits.indexed && !this.traits.tokenized ? '_keyword' : 'default')
    );
  }

  protected override mergeOwn(other: StringField, _conflicts: string[], simulate: boolean): void {
    const [mine, its] = [this.#options, other.#options];
    if (simulate) return;
    // Norms can be lost, never won; what else decides how documents are indexed stays as it is.
    if (this.core !== undefined && this.traits.norms && !other.traits.norms)
      this.core = { ...this.core, flags: this.core.flags & ~WITH_NORMS };
    this.#options = {
      ...mine,
      searchAnalyzerGiven: its.searchAnalyzerGiven ?? mine.searchAnalyzerGiven,
      searchAnalyzer: its.searchAnalyzerGiven === undefined ? mine.searchAnalyzer : its.searchAnalyzer,
      quoteAnalyzer: its.quoteAnalyzer ?? mine.quoteAnalyzer,
      nullValue: its.nullValue,
      ignoreAbove: its.ignoreAbove,
    };
    this.#options.searchAnalyzer = searchAnalyzerOf(this.#options, this.#registry);
  }
}

/** A text that goes to the core as it is. */
export interface PlainText {
  /** The field's number. */
  number: number;
  /** In bytes; what is longer may be refused, or left out. */
  longest: number;
  /** Whether `exists` needs to be told that the field is there. */
  noted: 'never' | 'without word' | 'always';
}

/** A value without tokens that moves the next one on by so many positions, as the core takes analyzed values. */
function noTokens(positions: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setUint32(4, positions, true);
  return bytes;
}

/** Whether a mapping shows an analyzer that it names: not so the default one. */
function isShown(analyzer: string | undefined): boolean {
  return analyzer !== undefined && analyzer !== 'default' && !analyzer.startsWith('_');
}

/** The analyzers that a type gives those of its strings that name none. */
export interface TypeAnalysis {
  index?: string;
  search?: string;
  /** The analyzer that the document being written names for itself. */
  document?: string | undefined;
}

interface StringOptions {
  byType: TypeAnalysis;
  analyzed: boolean;
  /** Whether every value is a term as it is. */
  exact: boolean;
  /** As given; undefined is the default analyzer, or none at all for a field that is not analyzed. */
  indexAnalyzer: string | undefined;
  searchAnalyzerGiven: string | undefined;
  searchAnalyzer: string;
  /** The analyzer of phrases, where one of its own was given. */
  quoteAnalyzer: string | undefined;
  nullValue: string | undefined;
  positionGap: number;
  ignoreAbove: number;
}

function readOptions(
  name: string,
  definition: JsonObject,
  registry: AnalyzerRegistry,
  byType: TypeAnalysis,
  { indexed, tokenized }: FieldTraits,
): StringOptions {
  const analyzer = (key: string): string | undefined => {
    if (definition[key] === undefined || definition[key] === null) return undefined;
    const given = textOf(definition[key]) ?? '';
    if (!registry.has(given)) throw mapperParsing(`Analyzer [${given}] not found for field [${name}]`);
    return given;
  };
  const both = analyzer('analyzer');
  const options: StringOptions = {
    byType,
    analyzed: indexed && tokenized,
    exact: indexed && !tokenized,
    indexAnalyzer: analyzer('index_analyzer') ?? both,
    searchAnalyzerGiven: analyzer('search_analyzer') ?? both,
    searchAnalyzer: 'default',
    quoteAnalyzer: analyzer('search_quote_analyzer'),
    nullValue: textOf(definition.null_value),
    positionGap: definition.position_offset_gap === undefined ? 0 : intOf(definition.position_offset_gap),
    ignoreAbove: definition.ignore_above === undefined ? -1 : intOf(definition.ignore_above),
  };
  options.searchAnalyzer = searchAnalyzerOf(options, registry);
  return options;
}

/** One that nobody knows is the default similarity. */
function readTextTraits(definition: JsonObject, { similarities }: AnalyzerRegistry): FieldTraits {
  const traits = readTraits(definition, TEXT_TRAITS);
  if (traits.similarity !== undefined && !similarities.has(traits.similarity)) traits.similarity = undefined;
  return traits;
}

function searchAnalyzerOf(options: StringOptions, registry: AnalyzerRegistry): string {
  if (options.searchAnalyzerGiven !== undefined) return options.searchAnalyzerGiven;
  // Of what is not indexed nothing is exact.
  if (options.exact) return 'keyword';
  if (options.byType.search !== undefined) return options.byType.search;
  return registry.has('default_search') ? 'default_search' : 'default';
}

function coreOptions(
  options: StringOptions,
  { boost, indexed, docValues, indexOptions, norms, similarity }: FieldTraits,
  registry: AnalyzerRegistry,
): CoreOptions | undefined {
  if (!indexed)
    return docValues ? { flags: Column.ordinal, analyzer: NO_ANALYZER, boost: 1, positionGap: 0 } : undefined;
  const freqs = indexOptions === 'docs' ? 0 : FREQS;
  const positions = indexOptions === 'positions' || indexOptions === 'offsets' ? POSITIONS : 0;
  const analyzer = options.analyzed ? indexAnalyzerOf(options, registry) : NO_ANALYZER;
  const overlaps =
    norms && analyzer !== NO_ANALYZER && registry.similarities.countsOverlaps(similarity) ? OVERLAPS : 0;
  return {
    flags:
      freqs | positions | (norms ? NORMS : 0) | overlaps | (analyzer === NO_ANALYZER ? Column.ordinal : 0),
    analyzer,
    boost,
    positionGap: options.positionGap,
  };
}

/** The analyzer of texts that are cut into terms. */
function indexAnalyzerOf(options: StringOptions, registry: AnalyzerRegistry): string {
  const byDefault = registry.has('default_index') ? 'default_index' : 'default';
  return options.indexAnalyzer ?? options.byType.index ?? byDefault;
}

/** Whether a text has a word for certain; where it may have none, `exists` needs to be told that the field is there. */
function hasWord(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (isWordUnit(text.charCodeAt(i))) return true;
  return false;
}

function immenseTerm(field: string, text: string, bytes: number): ElasticsearchError {
  const prefix = [...textTerm(text.slice(0, 30)).subarray(0, 30)]
    .map((byte) => (byte << 24) >> 24)
    .join(', ');
  const cause = `bytes can be at most ${MAX_TERM_BYTES} in length; got ${bytes}`;
  return new ElasticsearchError(
    'IllegalArgumentException',
    `Document contains at least one immense term in field="${field}" (whose UTF8 encoding is longer than the max ` +
      `length ${MAX_TERM_BYTES}), all of which were skipped.  Please correct the analyzer to not produce such terms.  ` +
      `The prefix of the first immense term is: '[${prefix}]...', original message: ${cause}`,
    {
      status: 400,
      nested: new ElasticsearchError('MaxBytesLengthExceededException', cause, { status: 400 }),
    },
  );
}
