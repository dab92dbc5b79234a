/** `include` and `exclude`: which terms may have buckets. */

import type { PlanBytes } from '../core/planBytes.js';
import { ElasticsearchError, numberFormat, parseFailure, toElasticsearchError } from '../errors.js';
import { isNumber, isObject, parseFraction, parseWhole, strictIntOf, textOf } from '../json/values.js';
import { flagsFromNames } from '../regex/flags.js';
import { parsePattern } from '../regex/parser.js';
import { compileRegex } from '../regex/regex.js';
import type { AggregationContext } from './body.js';
import { javaAutomaton, listAutomaton } from '../query/term/javaAutomaton.js';
import { type ValueSource, ValueType } from './source.js';

/** What is said about terms: a pattern or a list. */
export interface TermFilter {
  include?: Given;
  exclude?: Given;
}
type Given = { pattern: string; flags: number; ofTexts?: boolean } | { list: string[] };

/** Marks a pattern that says nothing of numbers. */
export const OF_TEXTS = Symbol('of texts');

/** For the core: an automaton, or numbers ascending. */
interface Written {
  write(bytes: PlanBytes): void;
}

export interface Include {
  include?: Written;
  exclude?: Written;
}

/** Takes a key in if it is one of these. */
export function termFilterKey(filters: TermFilter, value: unknown, token: string, key: string): boolean {
  if (key !== 'include' && key !== 'exclude') return false;
  if (token === 'VALUE_STRING') filters[key] = { pattern: String(value), flags: 0 };
  else if (Array.isArray(value)) {
    const texts = value.map(textOf);
    if (texts.includes(undefined))
      throw parseFailure('Array elements in include/exclude clauses should be string values');
    filters[key] = { list: texts.map((text) => text ?? '') };
  } else if (isObject(value)) {
    // Flags of no pattern are nothing.
    if (typeof value.pattern !== 'string') return true;
    const flags = value.flags;
    const given = isNumber(flags) ? strictIntOf(flags) : flagsFromNames(textOf(flags) ?? '');
    filters[key] = { pattern: value.pattern, flags: given, ofTexts: OF_TEXTS in value };
  } else return false;
  const made = filters[key];
  if (made !== undefined && 'pattern' in made) parsePattern(made.pattern, made.flags);
  return true;
}

/**
 * The filters as the core takes them for values of the source of an aggregation. Where they don't fit these, the search fails when
 * it begins.
 */
export function readIncludes(
  { include, exclude }: TermFilter,
  source: ValueSource,
  name: string,
  context: AggregationContext,
): Include {
  try {
    const says = include !== undefined && (source.type === ValueType.string || !isOfTexts(include));
    return {
      ...(says ? { include: written(include, source, name) } : {}),
      ...(exclude === undefined ? {} : { exclude: written(exclude, source, name) }),
    };
  } catch (thrown) {
    if (source.type === ValueType.string) throw thrown;
    const { exception, detail } = toElasticsearchError(thrown);
    if (source.mapped) context.failure ??= new ElasticsearchError(exception, detail);
    return {};
  }
}

function isOfTexts(given: Given): boolean {
  return 'pattern' in given && given.ofTexts === true;
}

function written(given: Given, { type }: ValueSource, name: string): Written {
  if (type !== ValueType.string) {
    if (!('list' in given)) {
      throw new ElasticsearchError(
        'AggregationExecutionException',
        `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied to string fields. Use an array of numeric values for include/exclude clauses used to filter numeric fields`,
      );
    }
    const numbers = sortedNumbers(given.list, type);
    return {
      write(bytes) {
        bytes.u32(numbers.length);
        for (const number of numbers) bytes.i64(number);
      },
    };
  }
  const automaton = 'list' in given ? listAutomaton(given.list) : javaAutomaton(given.pattern, given.flags);
  return {
    write(bytes) {
      bytes.u32(automaton.length);
      bytes.put(automaton);
    },
  };
}

/** Whether a term may have a bucket, where it is known only here and not in the core. */
export function termTest({ include, exclude }: TermFilter): (term: string) => boolean {
  const [included, excluded] = [include, exclude].map((given) => {
    if (given === undefined) return undefined;
    if ('list' in given) {
      const terms = new Set(given.list);
      return (term: string) => terms.has(term);
    }
    const regex = compileRegex(given.pattern, given.flags);
    return (term: string) => regex.matches(term);
  });
  return (term) => included?.(term) !== false && excluded?.(term) !== true;
}

const view = new DataView(new ArrayBuffer(8));

/** A double as a whole number of the same order, as columns keep them. */
function ordered(value: number): bigint {
  view.setFloat64(0, value);
  const bits = view.getBigInt64(0);
  return bits < 0n ? bits ^ 0x7fff_ffff_ffff_ffffn : bits;
}

function sortedNumbers(list: readonly string[], type: number): bigint[] {
  const numbers = list.map((text) => {
    if (type === ValueType.double) return ordered(parseFraction(text));
    try {
      return BigInt(parseWhole(text, -(2n ** 63n), 2n ** 63n - 1n));
    } catch {
      throw numberFormat(text);
    }
  });
  return numbers.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
