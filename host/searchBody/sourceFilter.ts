/** Which parts of the sources hits show. */

import { parseFailure } from '../errors.js';
import { isNumber, isObject, textOf } from '../json/values.js';

/** Which parts of the sources are wanted. */
export interface SourceFilter {
  enabled: boolean;
  includes: string[];
  excludes: string[];
}

export function readSource(value: unknown): SourceFilter {
  const filter: SourceFilter = { enabled: true, includes: [], excludes: [] };
  if (value === null || value === undefined) return filter;
  if (typeof value === 'boolean') return { ...filter, enabled: value };
  if (isNumber(value)) return filter;
  if (!isObject(value)) return { ...filter, includes: patterns(value) };
  for (const [key, list] of Object.entries(value)) {
    if (key === 'include' || key === 'includes') filter.includes = patterns(list);
    else if (key === 'exclude' || key === 'excludes') filter.excludes = patterns(list);
    else throw parseFailure(`Source definition may not contain ${key}`);
  }
  return filter;
}

export function readPartialFields(json: unknown): Map<string, SourceFilter> {
  if (!isObject(json)) throw parseFailure('End of query source reached but query is not complete.');
  const fields = new Map<string, SourceFilter>();
  for (const [name, body] of Object.entries(json)) {
    if (!isObject(body)) continue;
    const { include, includes = include, exclude, excludes = exclude } = body;
    fields.set(name, {
      enabled: true,
      includes: includes === undefined ? [] : patterns(includes),
      excludes: excludes === undefined ? [] : patterns(excludes),
    });
  }
  return fields;
}

export function patterns(value: unknown): string[] {
  // What is no text is a pattern that nothing matches.
  return (Array.isArray(value) ? value : [value]).map((each) => textOf(each) ?? '');
}
