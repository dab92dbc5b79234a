/**
 * Filters of fielddata (`fielddata.filter` of a mapping): which terms of a field sorting, aggregations and `fielddata_fields` see.
 * They go by what a term is in a segment, not in the index.
 */

import { ElasticsearchError, illegalArgument } from '../errors.js';
import { regularExpressions } from '../regex/lateRegex.js';
import type { FieldTraits } from './fieldTraits.js';
import { intOf, parseFraction } from '../json/values.js';

export interface FielddataFilter {
  /** The least and the most document frequency; up to 1 as a part of the documents that have a term. */
  min: number;
  /** NaN: no limit. */
  max: number;
  /** A segment with up to so many documents that have a term keeps all of them. */
  minSegmentSize: number;
  /** What terms must match as a whole, as Java reads it. */
  pattern: string | undefined;
}

const PREFIX = 'filter.';

/** The filter of a field; undefined where all terms are seen. Throws what 1.7 says when it would load the values. */
export function fielddataFilter(
  { fielddata, docValues }: FieldTraits,
  name: string,
): FielddataFilter | undefined {
  if (fielddata === undefined || !Object.keys(fielddata).some((key) => key.startsWith(PREFIX)))
    return undefined;
  if (docValues) throw illegalArgument(`Doc values field data doesn't support filters [${name}]`);
  const {
    'filter.regex.pattern': pattern,
    'filter.frequency.min': min,
    'filter.frequency.max': max,
  } = fielddata;
  const size = fielddata['filter.frequency.min_segment_size'];
  if (pattern !== undefined) regularExpressions.loaded.parsePattern(pattern, 0);
  const isFrequency = min !== undefined || max !== undefined;
  if (!isFrequency && pattern === undefined) return undefined;
  return {
    min: setting('double', 'min', min, parseFraction) ?? 0,
    max: setting('double', 'max', max, parseFraction) ?? Number.NaN,
    minSegmentSize: setting('int', 'min_segment_size', size, intOf) ?? 0,
    pattern,
  };
}

function setting(
  kind: string,
  name: string,
  text: string | undefined,
  read: (text: string) => number,
): number | undefined {
  if (text === undefined) return undefined;
  try {
    return read(text);
  } catch {
    throw new ElasticsearchError(
      'SettingsException',
      `Failed to parse ${kind} setting [${name}] with value [${text}]`,
    );
  }
}
