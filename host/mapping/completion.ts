/** `completion` fields: texts to be completed while they are typed, each with an output, a weight and a payload. */
import { type AnalyzerRegistry, NO_ANALYZER } from '../analysis/registry.js';
import type { BatchWriter } from '../core/batch.js';
import { ElasticsearchError, illegalArgument, mapperParsing, toElasticsearchError } from '../errors.js';
import { type CompletionContext, type ContextDocument, readContexts } from './completionContexts.js';
import {
  behindContexts,
  type CompletionEntry,
  type CompletionForm,
  completionTerm,
  NO_WEIGHT,
  readingsOf,
  reservedAt,
} from './completionEntry.js';
import { type CoreOptions, FREQS, LeafField, POSITIONS, type UnnamedField } from './field.js';
import { jsonText } from '../json/jsonText.js';
import { ONE_TERM } from './numbers.js';
import { booleanOf, intOf, isObject, type JsonObject, textOf } from '../json/values.js';
import { ownValue } from '../ownNames.js';

/** What 1.7 says of completions whose document is in no context. */
export const NO_PREFIXES = 'one or more prefixes needed';
const MAX_WEIGHT = 0x7fff_ffff;
/** The names that the parts of a completion have. */
export const KEYS: readonly string[] = ['output', 'context', 'input', 'weight', 'payload'];
/** What a mapping may say of such a field, as it is read here: in snake case. */
const PARAMETERS: ReadonlySet<string> = new Set([
  'type',
  'analyzer',
  'index_analyzer',
  'search_analyzer',
  'payloads',
  'preserve_separators',
  'preserve_position_increments',
  'max_input_length',
  'max_input_len',
  'context',
  'fields',
  'path',
]);
/** Thrown at a value that is neither text nor object, behind which 1.7 reads on. */
export const READS_ON = Symbol('reads on');

/** What is completed is a term of its own, which queries find. */
const TERMS: CoreOptions = { flags: FREQS | POSITIONS, analyzer: NO_ANALYZER, boost: 1, positionGap: 0 };
const NOWHERE: ContextDocument = { type: '', source: {} };

/** What a document says of its completions. */
interface Given {
  inputs: string[];
  output: string | undefined;
  weight: number;
  payload: string;
  context: unknown;
}

/** A field of completions. */
export class CompletionField extends LeafField {
  override readonly type = 'completion';
  override readonly core: CoreOptions = TERMS;
  /** The entries, for the suggester. */
  readonly entries: UnnamedField = { core: ONE_TERM, number: -1 };
  override readonly unnamed = [this.entries];
  override readonly isExact = false;
  override readonly wantsDocument = true;
  override readonly takesNull = false;
  /** The document whose values are written next. */
  override document: ContextDocument = NOWHERE;
  readonly form: CompletionForm;
  readonly contexts: readonly CompletionContext[];
  readonly #registry: AnalyzerRegistry;
  readonly #indexAnalyzer: string;
  #searchAnalyzer: string;
  readonly #payloads: boolean;
  #maxInputLength: number;

  constructor(fullName: string, definition: JsonObject, registry: AnalyzerRegistry) {
    super(fullName);
    this.#registry = registry;
    const unknown = Object.keys(definition).find((key) => !PARAMETERS.has(key));
    if (unknown !== undefined) throw mapperParsing(`Unknown field [${unknown}]`);
    const analyzer = (...keys: string[]) => {
      const name = keys.map((key) => textOf(definition[key])).find((each) => each !== undefined) ?? 'simple';
      if (registry.has(name)) return name;
      throw illegalArgument(`Can't find default or mapped analyzer with name [${name}]`);
    };
    this.#indexAnalyzer = analyzer('index_analyzer', 'indexAnalyzer', 'analyzer');
    this.#searchAnalyzer = analyzer('search_analyzer', 'searchAnalyzer', 'analyzer');
    const flag = (fallback: boolean, ...keys: string[]) => {
      const given = keys.map((key) => definition[key]).find((each) => each !== undefined);
      return given === undefined ? fallback : booleanOf(given);
    };
    this.#payloads = flag(false, 'payloads');
    this.form = {
      preserveSeparators: flag(true, 'preserve_separators', 'preserveSeparators'),
      preservePositionIncrements: flag(true, 'preserve_position_increments', 'preservePositionIncrements'),
    };
    const { max_input_length: length = definition.max_input_len ?? 50 } = definition;
    this.#maxInputLength = intOf(length);
    if (this.#maxInputLength <= 0)
      throw illegalArgument(`max_input_length must be > 0 but was [${this.#maxInputLength}]`);
    this.contexts = readContexts(definition.context);
  }

  override indexAnalyzer(): string {
    return this.#indexAnalyzer;
  }

  override searchAnalyzer(): string {
    return this.#searchAnalyzer;
  }

  override allText(): undefined {
    return undefined;
  }

  override term(value: unknown): Uint8Array {
    return new TextEncoder().encode(textOf(value) ?? '');
  }

  override write(batch: BatchWriter, value: unknown): void {
    if (typeof value !== 'string' && !isObject(value) && !Array.isArray(value)) throw READS_ON;
    const { entries, heads } = this.#parsed(value);
    if (entries.length > 0 && heads.length === 0) throw illegalArgument(NO_PREFIXES);
    for (const [reading, entry] of entries) {
      for (const head of heads) {
        batch.term(this.entries.number, completionTerm(head + reading, entry));
        batch.text(this.number, head + reading);
      }
    }
  }

  /** The entries of a value, and what stands before each of them. */
  #parsed(value: unknown): { entries: [string, CompletionEntry][]; heads: string[] } {
    try {
      const { inputs, output, weight, payload, context } = this.#read(value);
      const heads = this.#heads(context);
      const entries = inputs.flatMap((input) => {
        const entry: CompletionEntry = { output: output ?? input, weight, payload };
        const readings = this.readings(this.#cut(input), this.#indexAnalyzer);
        return readings.map((reading): [string, CompletionEntry] => [reading, entry]);
      });
      return { entries, heads };
    } catch (e) {
      // 1.7 doesn't name the field.
      throw mapperParsing('failed to parse', toElasticsearchError(e));
    }
  }

  /** What a text is looked up by, or stands under. */
  readings(text: string, analyzer: string): string[] {
    return readingsOf(this.#registry.analyzer(analyzer)?.analyze(text) ?? [], this.form);
  }

  /** What stands before the inputs of a document: one for each combination of its contexts. */
  #heads(given: unknown): string[] {
    const stated = isObject(given) ? given : {};
    const values = this.contexts.map((each) => each.values(ownValue(stated, each.name), this.document));
    return combinations(values).map(behindContexts);
  }

  #read(value: unknown): Given {
    const given: Given = {
      inputs: [],
      output: undefined,
      weight: NO_WEIGHT,
      payload: '',
      context: undefined,
    };
    if (!isObject(value)) {
      given.inputs.push(textOf(value) ?? '');
      return given;
    }
    for (const [key, each] of Object.entries(value)) {
      if (!KEYS.includes(key)) throw unknownPart(key);
      if (key === 'context') given.context = each;
      else if (key === 'payload') given.payload = this.#payloadOf(each);
      else if (key === 'output') {
        if (typeof each === 'string') given.output = each;
      } else if (key === 'weight') given.weight = weightOf(each) ?? given.weight;
      else if (Array.isArray(each)) given.inputs.push(...each.flatMap((text) => textOf(text) ?? []));
      else if (typeof each === 'string') given.inputs.push(each);
    }
    return given;
  }

  #payloadOf(value: unknown): string {
    if (!this.#payloads)
      throw new ElasticsearchError('MapperException', 'Payloads disabled in mapping', { status: 400 });
    if (Array.isArray(value)) {
      const detail = "payload doesn't support type START_ARRAY";
      throw new ElasticsearchError('MapperException', detail, { status: 400 });
    }
    return value === null ? '' : jsonText(value);
  }

  #cut(input: string): string {
    let length = Math.min(input.length, this.#maxInputLength);
    if (length < input.length && isHighSurrogate(input, length - 1)) length++;
    const cut = input.slice(0, length);
    const at = reservedAt(cut);
    if (at >= 0) {
      const code = cut.charCodeAt(at).toString(16).toUpperCase();
      throw illegalArgument(
        `Illegal input [${input}] UTF-16 codepoint  [0x${code}] at position ${at} is a reserved character`,
      );
    }
    return cut;
  }

  protected override echo(): JsonObject {
    const { preserveSeparators, preservePositionIncrements } = this.form;
    return {
      type: 'completion',
      ...(this.#indexAnalyzer === this.#searchAnalyzer
        ? { analyzer: this.#indexAnalyzer }
        : { index_analyzer: this.#indexAnalyzer, search_analyzer: this.#searchAnalyzer }),
      payloads: this.#payloads,
      preserve_separators: preserveSeparators,
      preserve_position_increments: preservePositionIncrements,
      max_input_length: this.#maxInputLength,
      ...(this.contexts.length === 0
        ? {}
        : { context: Object.fromEntries(this.contexts.map((each) => [each.name, each.toJSON()])) }),
    };
  }

  protected override get analyzerName(): string {
    return this.#indexAnalyzer;
  }

  protected override mergeOwn(other: CompletionField, conflicts: string[], simulate: boolean): void {
    const [mine, its] = [this.echo(), other.echo()];
    const check = (key: string, what: string) => {
      if (JSON.stringify(mine[key]) !== JSON.stringify(its[key]))
        conflicts.push(`mapper [${this.fullName}] has different ${what}`);
    };
    check('payloads', 'payload values');
    check('preserve_position_increments', "'preserve_position_increments' values");
    check('preserve_separators', "'preserve_separators' values");
    check('context', "'context_mapping' values");
    if (simulate) return;
    this.#searchAnalyzer = other.#searchAnalyzer;
    this.#maxInputLength = other.#maxInputLength;
  }
}

/** 400: completions have no part of that name. */
export function unknownPart(name: string): ElasticsearchError {
  return illegalArgument(`Unknown field name[${name}], must be one of [${KEYS.join(', ')}]`);
}

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit < 0xdc00;
}

/** Undefined for what 1.7 reads over. */
function weightOf(value: unknown): number | undefined {
  if (typeof value === 'string') {
    if (!/^[+-]?\d+$/.test(value))
      throw illegalArgument(`Weight must be a string representing a numeric value, but was [${value}]`);
    return checkedWeight(Number(value));
  }
  const text = textOf(value);
  if (typeof value === 'boolean' || text === undefined) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw illegalArgument(`Weight must be an integer, but was [${text}]`);
  return checkedWeight(Number(text));
}

function checkedWeight(weight: number): number {
  if (weight < 0 || weight > MAX_WEIGHT)
    throw illegalArgument(`Weight must be in the interval [0..2147483647], but was [${weight}]`);
  return weight;
}

/** One value of each list, in all ways. */
export function combinations(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>(
    (found, list) => found.flatMap((head) => list.map((value) => [...head, value])),
    [[]],
  );
}
