/** What aggregations find, as facets read and show it. */

import { illegalArgument } from '../errors.js';
import { isObject, type JsonObject, textOf } from '../json/values.js';
import { OF_TEXTS } from './include.js';
import { Double, type Rendered } from './rendered.js';

/** What an aggregation has found, or what a facet shows of it. */
export type Found = { readonly [key: string]: Rendered | undefined };

/** A facet's aggregation, and how what it finds is shown. */
export interface Shown {
  readonly aggregation: JsonObject;
  show(found: Found): Found;
}

/** An option under the first of its names that is given, as text. */
export function option(body: JsonObject, ...names: string[]): string | undefined {
  for (const name of names) if (body[name] !== undefined) return textOf(body[name]);
  return undefined;
}

/**
 * The values of a field, or those that a script makes, as an aggregation is told of them; undefined where neither is named.
 * A script goes before a field.
 */
export function valuesOf(
  body: JsonObject,
  fields: readonly string[],
  scripts: readonly string[],
): JsonObject | undefined {
  const script = option(body, ...scripts);
  const field = option(body, ...fields);
  if (script === undefined) return field === undefined ? undefined : { field };
  return {
    script,
    ...(body.lang === undefined ? {} : { lang: body.lang }),
    ...(isObject(body.params) ? { params: body.params } : {}),
  };
}

export const number = (value: Rendered | undefined): number =>
  value instanceof Double ? value.value : value === null || value === undefined ? Number.NaN : Number(value);

export const buckets = (found: Rendered | undefined): readonly Found[] =>
  ((found as Found | undefined)?.buckets ?? []) as readonly Found[];

/** The values of a bucket in the order in which facets show them. */
export function summary(stats: Found): {
  min: Double;
  max: Double;
  total: Double;
  total_count: Rendered;
  mean: Double;
} {
  const count = number(stats.count);
  const total = count === 0 ? 0 : number(stats.sum);
  return {
    min: new Double(count === 0 ? Number.POSITIVE_INFINITY : number(stats.min)),
    max: new Double(count === 0 ? Number.NEGATIVE_INFINITY : number(stats.max)),
    total: new Double(total),
    total_count: count,
    mean: new Double(count === 0 ? 0 : total / count),
  };
}

const ORDER = /^(reverse_|reverse)?(count|term|total|min|max|mean)$/i;

/** Equal ones go by their terms, backwards where the larger ones go first. */
export function orderOf(text: string, names: Readonly<Record<string, string>>, facet: string): JsonObject[] {
  const match = ORDER.exec(text);
  const by = match === null ? undefined : names[match[2]!.toLowerCase()];
  if (match === null || by === undefined)
    throw illegalArgument(`No type argument match for ${facet} facet comparator [${text}]`);
  const reversed = match[1] !== undefined;
  if (by === '_term') return [{ _term: reversed ? 'desc' : 'asc' }];
  const direction = reversed ? 'asc' : 'desc';
  return [{ [by]: direction }, { _term: direction }];
}

/** The orders of terms that are only counted. */
export const TERM_ORDERS = { count: '_count', term: '_term' };

/** The options of a `terms` aggregation that say which terms a facet counts. */
export function whichTerms(body: JsonObject): JsonObject {
  const regex = option(body, 'regex');
  const flags = option(body, 'regex_flags', 'regexFlags');
  return {
    ...(option(body, 'all_terms', 'allTerms') === 'true' ? { min_doc_count: 0 } : {}),
    ...(Array.isArray(body.exclude) ? { exclude: body.exclude.map((each) => textOf(each)) } : {}),
    ...(regex === undefined
      ? {}
      : { include: { pattern: regex, ...(flags === undefined ? {} : { flags }), [OF_TEXTS]: true } }),
  };
}

/** A `statistical` facet of what `extended_stats` finds. */
export function statistics(found: Found): Found {
  const { min, max, total, total_count, mean } = summary(found);
  const none = number(found.count) === 0;
  return {
    _type: 'statistical',
    count: total_count,
    total,
    min,
    max,
    mean,
    sum_of_squares: new Double(none ? 0 : number(found.sum_of_squares)),
    variance: new Double(none ? Number.NaN : number(found.variance)),
    std_deviation: new Double(none ? Number.NaN : number(found.std_deviation)),
  };
}
