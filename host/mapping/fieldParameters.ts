/**
 * The parameters that 1.7 reads of the mapping of every field before its type reads its own: they are refused alike,
 * whether they mean something to the type or not. In the order in which they stand.
 */

import type { AnalyzerRegistry } from '../analysis/registry.js';
import { mapperParsing, parseFailure } from '../errors.js';
import { invokedOnNull, nullPointer } from '../compat17/javaCasts.js';
import {
  floatOf,
  isObject,
  type JsonObject,
  javaClass,
  javaText,
  textOf,
  underscore,
} from '../json/values.js';

const INDEX = ['analyzed', 'not_analyzed', 'no'] as const;
const INDEX_OPTIONS = ['docs', 'freqs', 'positions', 'offsets'];
const TERM_VECTORS = [
  'no',
  'yes',
  'with_offsets',
  'with_positions',
  'with_positions_offsets',
  'with_positions_payloads',
  'with_positions_offsets_payloads',
];
const LOADINGS = ['eager', 'eager_global_ordinals', 'lazy'];

/** A check of one parameter; `name` is that of the field. */
type Check = (name: string, value: unknown, registry: AnalyzerRegistry) => void;

const analyzer: Check = (name, value, registry) => {
  const given = textOrCrash(value);
  if (!registry.has(given)) throw mapperParsing(`Analyzer [${given}] not found for field [${name}]`);
};

const CHECKS: Readonly<Record<string, Check>> = {
  index(name, value) {
    const text = textOrCrash(value);
    if (!INDEX.some((each) => each === text || each.replace('_', '') === text))
      throw mapperParsing(`Wrong value for index [${text}] for field [${name}]`);
  },
  term_vector(name, value) {
    const text = textOrCrash(value);
    if (!TERM_VECTORS.includes(text))
      throw mapperParsing(`Wrong value for termVector [${text}] for field [${name}]`);
  },
  index_options(_, value) {
    const text = textOrCrash(value);
    if (!INDEX_OPTIONS.includes(text.toLowerCase()))
      throw parseFailure(`Failed to parse index option [${text}]`);
  },
  boost(_, value) {
    if (value === null) throw nullPointer(invokedOnNull('Object.toString()', 'node'));
    floatOf(value);
  },
  norms(_, value) {
    const { loading } = mapOf(value, 'norms');
    if (loading !== undefined && loading !== null && !LOADINGS.includes(javaText(loading).toLowerCase()))
      throw mapperParsing(`Unknown [loading] value: [${javaText(loading).toLowerCase()}]`);
  },
  omit_term_freq_and_positions() {
    throw parseFailure(
      "'omit_term_freq_and_positions' is not supported anymore - use ['index_options' : 'docs']  instead",
    );
  },
  fielddata(_, value) {
    mapOf(value, 'fielddata');
  },
  analyzer,
  index_analyzer: analyzer,
  search_analyzer: analyzer,
};

/** Refuses what no field may have. */
export function checkParameters(name: string, definition: JsonObject, registry: AnalyzerRegistry): void {
  for (const [key, value] of Object.entries(definition)) {
    if (Object.hasOwn(CHECKS, key)) CHECKS[key]!(name, value, registry);
  }
}

/** Refuses null as what stands for null. */
export function checkNullValue(definition: JsonObject): void {
  if (definition.null_value === null) throw mapperParsing('Property [null_value] cannot be null.');
}

/** Whether what stands in an object or a field is known by its own name only; refuses another path than the two there are. */
export function isJustName(name: string, value: unknown): boolean {
  if (value === undefined) return false;
  const text = underscore(textOrCrash(value));
  if (text !== 'just_name' && text !== 'full')
    throw mapperParsing(`Wrong value for pathType [${text}] for object [${name}]`);
  return text === 'just_name';
}

function mapOf(value: unknown, name: string): JsonObject {
  if (value === null) throw nullPointer(invokedOnNull('Object.getClass()', 'node'));
  if (isObject(value)) return value;
  throw parseFailure(`${name} should be a hash but was of type: class ${javaClass(value)}`);
}

function textOrCrash(value: unknown): string {
  if (value === null) throw nullPointer(invokedOnNull('Object.toString()', 'propNode'));
  return textOf(value) ?? javaText(value);
}
