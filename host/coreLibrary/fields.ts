/** The fields of a shard: how they are indexed, and their values as terms. */
import { type AnalyzerRegistry, NO_ANALYZER } from '../analysis/registry.js';
import type { BatchWriter } from '../core/batch.js';
import type { CoreField } from '../core/instance.js';
import { Column, FREQS, NORMS, POSITIONS, UNKNOWN_FIELD } from '../mapping/field.js';
import {
  doubleTerm,
  encodeDouble,
  encodeLong,
  halves,
  longTerm,
  MAX_TERM_BYTES,
  textTerm,
} from '../mapping/terms.js';
import type { Similarity as PlanSimilarity } from '../similarity/similarities.js';
import { CoreError, wrong } from './coreErrors.js';
import type { CoreDocument, FieldDefinition, ShardDefinition, Similarity, Value } from './definitions.js';
import { planSimilarity } from './similarity.js';

const INDEXED = { documents: 0, frequencies: FREQS, positions: FREQS | POSITIONS } as const;
const COLUMNS = { keyword: Column.ordinal, long: Column.long, double: Column.double } as const;
const WHOLE = { least: -(2n ** 63n), most: 2n ** 63n - 1n };

/** One field. */
export interface Field {
  readonly name: string;
  readonly number: number;
  readonly definition: FieldDefinition;
  /** The analyzer of its values, and that of what is looked for; empty: each value is one term. */
  readonly analyzer: string;
  readonly searchAnalyzer: string;
}

/** The fields of one shard. */
export class Fields {
  readonly registry: AnalyzerRegistry;
  readonly list: readonly Field[];
  readonly names: readonly string[];
  /** Those that aren't scored by Lucene's default. */
  readonly similarities: ReadonlyMap<number, PlanSimilarity>;
  readonly #byName: ReadonlyMap<string, Field>;

  constructor({ fields, similarity }: ShardDefinition, registry: AnalyzerRegistry) {
    this.registry = registry;
    this.list = Object.entries(fields).map(([name, definition], number) =>
      this.#read(name, definition, number),
    );
    if (this.list.length >= UNKNOWN_FIELD) throw wrong(`a shard has at most ${UNKNOWN_FIELD - 1} fields`);
    this.names = this.list.map(({ name }) => name);
    this.#byName = new Map(this.list.map((field) => [field.name, field]));
    this.similarities = this.#similaritiesOf(similarity ?? { type: 'TF-IDF' });
  }

  #read(name: string, definition: FieldDefinition, number: number): Field {
    if (definition.type !== 'text') {
      if (!Object.hasOwn(COLUMNS, definition.type))
        throw wrong(`the field ${name} can't be of the type ${definition.type}`, name);
      return { name, number, definition, analyzer: NO_ANALYZER, searchAnalyzer: NO_ANALYZER };
    }
    const { analyzer = 'standard', searchAnalyzer = analyzer } = definition;
    for (const each of [analyzer, searchAnalyzer])
      if (!this.registry.has(each)) throw wrong(`there is no analyzer ${each}`, name);
    return { name, number, definition, analyzer, searchAnalyzer };
  }

  #similaritiesOf(ofShard: Similarity): ReadonlyMap<number, PlanSimilarity> {
    const byDefault = planSimilarity(ofShard);
    const found = new Map<number, PlanSimilarity>();
    for (const { number, definition } of this.list) {
      const own = 'similarity' in definition ? definition.similarity : undefined;
      const similarity = own === undefined ? byDefault : planSimilarity(own);
      if (similarity !== undefined) found.set(number, similarity);
    }
    // Stands for what joins clauses: no coord, and no norm of queries.
    if (byDefault !== undefined) found.set(UNKNOWN_FIELD, byDefault);
    return found;
  }

  /** As the core takes them. */
  forCore(): CoreField[] {
    return this.list.map(({ number, definition, analyzer }) => {
      if (definition.type !== 'text')
        return { field: number, flags: COLUMNS[definition.type], analyzer: 0, boost: 1, positionGap: 0 };
      const { index = 'positions', norms = true, boost = 1, positionGap = 0 } = definition;
      if (!Object.hasOwn(INDEXED, index))
        throw wrong(`a field can't be indexed with ${index}`, this.names[number]);
      return {
        field: number,
        flags: INDEXED[index] | (norms ? NORMS : 0),
        analyzer: this.registry.core(analyzer),
        boost,
        positionGap: positionGap > 0 ? positionGap : this.registry.positionGap(analyzer),
      };
    });
  }

  /** A field by its name; throws where there is none. */
  named(name: string): Field {
    const field = this.#byName.get(name);
    if (field === undefined) throw wrong(`the shard has no field ${name}`, name);
    return field;
  }

  /** The tokens of what is looked for in a field. */
  tokens({ searchAnalyzer }: Field, text: string): { term: string; position: number }[] {
    if (searchAnalyzer === NO_ANALYZER) return [{ term: text, position: 1 }];
    return this.registry.analyzer(searchAnalyzer)!.analyze(text);
  }

  /** A value as a term of a field. */
  term({ definition, name }: Field, value: Value): Uint8Array {
    switch (definition.type) {
      case 'long':
        return longTerm(wholeOf(value, name));
      case 'double':
        return doubleTerm(fractionOf(value, name));
      default:
        return checked(textTerm(textOf(value, name)), name);
    }
  }

  /** Writes the values of a document. */
  write(batch: BatchWriter, document: CoreDocument): void {
    for (const name of Object.keys(document)) {
      const given = document[name];
      if (given === undefined || given === null) continue;
      const field = this.named(name);
      if (Array.isArray(given)) for (const value of given) this.#writeValue(batch, field, value);
      else this.#writeValue(batch, field, given as Value);
    }
  }

  #writeValue(batch: BatchWriter, field: Field, value: Value): void {
    const { definition, number, name } = field;
    switch (definition.type) {
      case 'long':
        encodeLong(wholeOf(value, name));
        batch.term64(number, halves.high, halves.low);
        return;
      case 'double':
        encodeDouble(fractionOf(value, name));
        batch.term64(number, halves.high, halves.low);
        return;
      case 'keyword':
        batch.term(number, this.term(field, value));
        return;
      default:
        this.#writeText(batch, field, textOf(value, name));
    }
  }

  #writeText(batch: BatchWriter, { analyzer, number, name }: Field, text: string): void {
    const { registry } = this;
    if (text.length > MAX_TERM_BYTES / 3 && registry.givesLongTerms(analyzer))
      for (const { term } of registry.analyzer(analyzer)!.analyze(text)) checked(textTerm(term), name);
    if (registry.onHost(analyzer)) batch.term(number, registry.prepare(analyzer, text));
    else batch.text(number, text);
  }
}

function checked(term: Uint8Array, field: string): Uint8Array {
  if (term.length > MAX_TERM_BYTES)
    throw new CoreError('limit', `${field}: a term of ${term.length} bytes; it may have ${MAX_TERM_BYTES}`, {
      field,
    });
  return term;
}

function textOf(value: Value, field: string): string {
  if (typeof value !== 'string') throw wrong(`${field} takes texts, not ${typeof value}`, field);
  return value;
}

function wholeOf(value: Value, field: string): number | bigint {
  const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
  if (!isWhole || value < WHOLE.least || value > WHOLE.most)
    throw wrong(
      `${field} takes whole numbers of 64 bits, not ${typeof value === 'string' ? 'texts' : value}`,
      field,
    );
  return value;
}

function fractionOf(value: Value, field: string): number {
  const number = typeof value === 'string' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) throw wrong(`${field} takes finite numbers, not ${value}`, field);
  return number;
}
