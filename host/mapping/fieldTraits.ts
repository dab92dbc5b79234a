/**
 * What the mapping of a field of any type may say of how it is kept in an index of Lucene. Much of it changes nothing here, but all of
 * it is shown, and compared when mappings are merged.
 */

import { illegalArgument } from '../errors.js';
import { Float } from '../numbers/javaNumbers.js';
import {
  booleanOf,
  floatOf,
  isObject,
  type JsonObject,
  javaText,
  textOf,
  underscore,
} from '../json/values.js';
import { putOwn } from '../ownNames.js';

/** What a type has where its mapping says nothing. */
export interface UsualTraits {
  readonly tokenized: boolean;
  readonly norms: boolean;
  /** `docs`, `freqs`, `positions` or `offsets`. */
  readonly indexOptions: string;
  /** Where it isn't indexed. */
  readonly indexed?: boolean;
  /** What is not tokenized is as if its type kept documents only and no norms. */
  readonly followsIndex?: boolean;
  /** Whether a boost needs norms, and brings them along. */
  readonly boostsByNorms?: boolean;
}

/** Strings. */
export const TEXT_TRAITS: UsualTraits = {
  tokenized: true,
  norms: true,
  indexOptions: 'positions',
  followsIndex: true,
};
/** Values that are one term each. */
export const TERM_TRAITS: UsualTraits = { tokenized: false, norms: false, indexOptions: 'docs' };
/** Numbers and dates. */
export const NUMBER_TRAITS: UsualTraits = { ...TERM_TRAITS, boostsByNorms: true };

export interface FieldTraits {
  readonly usual: UsualTraits;
  boost: number;
  indexed: boolean;
  tokenized: boolean;
  stored: boolean;
  docValues: boolean;
  vectors: boolean;
  vectorOffsets: boolean;
  vectorPositions: boolean;
  vectorPayloads: boolean;
  norms: boolean;
  normsLoading: string | undefined;
  indexOptions: string;
  postingsFormat: string | undefined;
  docValuesFormat: string | undefined;
  similarity: string | undefined;
  /** Settings by their dotted names. */
  fielddata: Readonly<Record<string, string>> | undefined;
}

/** Lucene's ways to write postings, by the names of both. */
const POSTINGS_FORMATS = new Set(
  (
    'default direct memory pulsing bloom_default bloom_pulsing Direct Memory Pulsing41 Lucene40 Lucene41 BloomFilter XBloomFilter ' +
    'SimpleText es090 completion090 FST41 FSTOrd41 FSTPulsing41 FSTOrdPulsing41 Lucene41WithOrds'
  ).split(' '),
);
const DOC_VALUES_FORMATS = new Set(
  'default disk memory Disk Memory Direct Lucene40 Lucene42 Lucene45 Lucene49 Lucene410 SimpleText'.split(
    ' ',
  ),
);

/** What is as nobody says. */
export function usualTraits(usual: UsualTraits): FieldTraits {
  return {
    usual,
    boost: 1,
    indexed: usual.indexed ?? true,
    tokenized: usual.tokenized,
    stored: false,
    docValues: false,
    vectors: false,
    vectorOffsets: false,
    vectorPositions: false,
    vectorPayloads: false,
    norms: usual.norms,
    normsLoading: undefined,
    indexOptions: usual.indexOptions,
    postingsFormat: undefined,
    docValuesFormat: undefined,
    similarity: undefined,
    fielddata: undefined,
  };
}

/** Takes one parameter over; what it may be has been checked. */
type Reader = (traits: FieldTraits, value: unknown) => void;

const READERS: Readonly<Record<string, Reader>> = {
  boost(traits, value) {
    traits.boost = floatOf(value);
  },
  index(traits, value) {
    const text = (textOf(value) ?? '').replace('_', '');
    traits.indexed = text !== 'no';
    if (traits.indexed) traits.tokenized = text === 'analyzed';
  },
  tokenized(traits, value) {
    traits.tokenized = booleanOf(value);
  },
  store(traits, value) {
    traits.stored = storeOf(value);
  },
  doc_values(traits, value) {
    traits.docValues = booleanOf(value);
  },
  term_vector(traits, value) {
    const text = textOf(value) ?? '';
    if (text === 'no') traits.vectors = false;
    else traits.vectors = true;
    if (text.includes('offsets')) traits.vectorOffsets = true;
    if (text.includes('positions')) traits.vectorPositions = true;
    if (text.includes('payloads')) traits.vectorPayloads = true;
  },
  store_term_vectors(traits, value) {
    traits.vectors = booleanOf(value);
  },
  store_term_vector_offsets(traits, value) {
    traits.vectorOffsets = booleanOf(value);
    traits.vectors ||= traits.vectorOffsets;
  },
  store_term_vector_positions(traits, value) {
    traits.vectorPositions = booleanOf(value);
    traits.vectors ||= traits.vectorPositions;
  },
  store_term_vector_payloads(traits, value) {
    traits.vectorPayloads = booleanOf(value);
    traits.vectors ||= traits.vectorPayloads;
  },
  postings_format(traits, value) {
    const name = textOf(value) ?? '';
    if (!POSTINGS_FORMATS.has(name)) throw illegalArgument(`failed to find postings_format [${name}]`);
    traits.postingsFormat = name === 'default' ? undefined : name;
  },
  doc_values_format(traits, value) {
    const name = textOf(value) ?? '';
    if (DOC_VALUES_FORMATS.has(name)) traits.docValuesFormat = name === 'default' ? undefined : name;
  },
  similarity(traits, value) {
    traits.similarity = textOf(value);
  },
  fielddata(traits, value) {
    if (!isObject(value)) return;
    traits.fielddata = flattened(value);
  },
};

/** Reads what a mapping says, whose names are in snake case. */
export function readTraits(definition: JsonObject, usual: UsualTraits): FieldTraits {
  const traits = usualTraits(usual);
  for (const [key, value] of Object.entries(definition)) {
    if (Object.hasOwn(READERS, key)) READERS[key]!(traits, value);
  }
  const exact = usual.followsIndex === true && traits.indexed && !traits.tokenized;
  traits.indexOptions =
    textOf(definition.index_options)?.toLowerCase() ?? (exact ? 'docs' : usual.indexOptions);
  const norms = readNorms(definition, traits);
  const isBoosted = traits.boost !== 1;
  if (usual.boostsByNorms === true) traits.norms = norms === true || isBoosted;
  else traits.norms = norms ?? (exact ? isBoosted : usual.norms);
  if (definition.doc_values === undefined) traits.docValues = traits.fielddata?.format === 'doc_values';
  return traits;
}

/** Whether norms are asked for; undefined where nothing is said of that. */
function readNorms(definition: JsonObject, traits: FieldTraits): boolean | undefined {
  let given: boolean | undefined;
  for (const [key, value] of Object.entries(definition)) {
    if (key === 'omit_norms') given = !booleanOf(value);
    if (key !== 'norms' || !isObject(value)) continue;
    for (const [part, what] of Object.entries(value)) {
      if (underscore(part) === 'enabled') given = booleanOf(what);
      else if (part === 'loading') traits.normsLoading = textOf(what ?? undefined)?.toLowerCase();
    }
  }
  return given;
}

/** Settings by their dotted names, as texts. */
function flattened(
  given: JsonObject,
  prefix = '',
  into: Record<string, string> = {},
): Record<string, string> {
  for (const [key, value] of Object.entries(given)) {
    const name = `${prefix}${key}`;
    if (isObject(value)) flattened(value, `${name}.`, into);
    else if (Array.isArray(value))
      for (const [i, each] of value.entries()) putOwn(into, `${name}.${i}`, javaText(each));
    else if (value !== null && value !== undefined) putOwn(into, name, javaText(value));
  }
  return into;
}

/** What `store` says. */
export function storeOf(value: unknown): boolean {
  return value !== 'no' && booleanOf(value);
}

/** What is not as usual, as GET _mapping shows it. */
export function shownTraits(traits: FieldTraits): JsonObject {
  const { usual } = traits;
  const json: JsonObject = {};
  const exact = usual.followsIndex === true && traits.indexed && !traits.tokenized;
  const usualNorms = usual.norms && !exact;
  const usualOptions = exact ? 'docs' : usual.indexOptions;
  if (traits.boost !== 1) json.boost = new Float(traits.boost);
  if (traits.indexed !== (usual.indexed ?? true) || traits.tokenized !== usual.tokenized)
    json.index = indexText(traits);
  if (traits.stored) json.store = true;
  if (traits.docValues) json.doc_values = true;
  if (traits.vectors) json.term_vector = vectorText(traits);
  if (traits.norms !== usualNorms || traits.normsLoading !== undefined) {
    json.norms = {
      ...(traits.norms === usualNorms ? {} : { enabled: traits.norms }),
      ...(traits.normsLoading === undefined ? {} : { loading: traits.normsLoading }),
    };
  }
  if (traits.indexOptions !== usualOptions) json.index_options = traits.indexOptions;
  if (traits.postingsFormat !== undefined) json.postings_format = traits.postingsFormat;
  if (traits.docValuesFormat !== undefined) json.doc_values_format = traits.docValuesFormat;
  if (traits.similarity !== undefined) json.similarity = traits.similarity;
  if (traits.fielddata !== undefined) json.fielddata = traits.fielddata;
  return json;
}

function indexText({ indexed, tokenized }: FieldTraits): string {
  return indexed ? (tokenized ? 'analyzed' : 'not_analyzed') : 'no';
}

function vectorText({ vectorOffsets, vectorPositions, vectorPayloads }: FieldTraits): string {
  if (!vectorPositions) return vectorOffsets ? 'with_offsets' : 'yes';
  return `with_positions${vectorOffsets ? '_offsets' : ''}${vectorPayloads ? '_payloads' : ''}`;
}

/** What in the way of keeping one field can't become what another says, in 1.7's words and order. */
export function traitConflicts(mine: FieldTraits, its: FieldTraits): string[] {
  const found: string[] = [];
  const cut = mine.tokenized !== its.tokenized;
  if (mine.indexed !== its.indexed || cut) found.push('has different index values');
  if (mine.stored !== its.stored) found.push('has different store values');
  if (!mine.docValues && its.docValues) found.push('has different doc_values values');
  if (!mine.norms && its.norms) found.push('cannot enable norms (`norms.enabled`)');
  if (cut) found.push('has different tokenize values');
  if (mine.vectors !== its.vectors) found.push('has different store_term_vector values');
  if (mine.vectorOffsets !== its.vectorOffsets) found.push('has different store_term_vector_offsets values');
  if (mine.vectorPositions !== its.vectorPositions)
    found.push('has different store_term_vector_positions values');
  if (mine.vectorPayloads !== its.vectorPayloads)
    found.push('has different store_term_vector_payloads values');
  return found;
}

/** What can change when another mapping of the field is merged in. */
export function mergeTraits(mine: FieldTraits, its: FieldTraits): void {
  mine.boost = its.boost;
  mine.norms &&= its.norms;
  mine.normsLoading = its.normsLoading;
  mine.postingsFormat = its.postingsFormat ?? mine.postingsFormat;
  mine.docValuesFormat = its.docValuesFormat ?? mine.docValuesFormat;
  mine.fielddata = its.fielddata ?? mine.fielddata;
}
