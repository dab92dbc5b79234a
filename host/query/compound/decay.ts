/** Decay functions: a score that falls with the distance of a document's value from an origin. */

import { illegalArgument, numberFormat, parseFailure, queryParsing } from '../../errors.js';
import { parseDistance, readPoint } from '../../geo/geoPoints.js';
import { isObject, type JsonObject, parseFraction, strictFractionOf, textOf } from '../../json/values.js';
import { columnOf, type LeafField } from '../../mapping/field.js';
import { DecayShape, type ScoreFunction, ValueMode } from '../../plan/scoreFunction.js';
import { UTC } from '../../time/calendar.js';
import { TIME_UNITS } from '../../time/durations.js';
import { type Dsl, resolve } from '../context.js';
import { isNumeric, wholeOf } from '../term/numericTerms.js';

const DEFAULT_DECAY = 0.5;

/** `gauss`, `exp` or `linear`: `{field: {origin, scale, offset, decay}, multi_value_mode}`. */
export function decayFunction(name: keyof typeof DecayShape, body: JsonObject, dsl: Dsl): ScoreFunction {
  const { multi_value_mode, multiValueMode, ...rest } = body;
  const given = multi_value_mode ?? multiValueMode;
  const mode = given === undefined ? ValueMode.min : modeOf(textOf(given) ?? '');
  const [entry, second] = Object.entries(rest);
  if (entry === undefined || !isObject(entry[1]) || second !== undefined) {
    throw parseFailure('Malformed score function score parameters.');
  }
  const [fieldName, parameters] = entry;
  const { field } = resolve(dsl, fieldName);
  const number = columnOf(field);
  if (field === undefined) throw queryParsing(dsl.index, `Unknown field [${fieldName}]`);
  const p = readParameters(parameters);
  const shape = DecayShape[name];
  const decay = p.decay === undefined ? DEFAULT_DECAY : parseFraction(textOf(p.decay) ?? '');
  if (field.type === 'date') {
    const scale = duration(p.scale, 'scale must be set for date fields.');
    const offset = p.offset === undefined ? 0 : duration(p.offset, '');
    const origin = p.origin === undefined ? dsl.now : moment(field, p.origin ?? 'null', dsl);
    check(scale, offset, decay);
    return { type: 'decay', shape, field: number, origin, scale, offset, decay, mode };
  }
  if (field.type === 'geo_point') {
    if (p.origin === undefined || p.scale === undefined) {
      throw parseFailure('origin and scale must be set for geo fields.');
    }
    const { lat, lon } = readPoint(p.origin);
    const metres = (value: unknown) => parseDistance(textOf(value) ?? '');
    const scale = metres(p.scale);
    const offset = p.offset === undefined ? 0 : metres(p.offset);
    check(scale, offset, decay);
    return { type: 'geoDecay', shape, field: number, lat, lon, scale, offset, decay, mode };
  }
  if (!isNumeric(field.type)) {
    throw queryParsing(
      dsl.index,
      `Field name is of type ${luceneType(field)}, but only numeric types are supported.`,
    );
  }
  if (p.scale === undefined || p.origin === undefined) {
    throw parseFailure('Both scale and origin must be set for numeric fields.');
  }
  const [origin, scale] = [numberOf(p.origin), numberOf(p.scale)];
  const offset = p.offset === undefined ? 0 : numberOf(p.offset);
  check(scale, offset, decay);
  return { type: 'decay', shape, field: number, origin, scale, offset, decay, mode };
}

interface Parameters {
  origin?: unknown;
  scale?: unknown;
  offset?: unknown;
  decay?: unknown;
}

function readParameters(given: JsonObject): Parameters {
  for (const key of Object.keys(given)) {
    if (!['origin', 'scale', 'offset', 'decay', 'reference'].includes(key)) {
      throw parseFailure(`Parameter ${key} not supported!`);
    }
  }
  return given;
}

function modeOf(name: string): ValueMode {
  const lower = name.toLowerCase();
  if (!Object.hasOwn(ValueMode, lower)) throw illegalArgument(`Illegal sort_mode ${name}`);
  return ValueMode[lower as keyof typeof ValueMode];
}

/** The checks of every decay function, in 1.7's order. */
function check(scale: number, offset: number, decay: number): void {
  if (!(scale > 0)) throw illegalArgument('function_score : scale must be > 0.0.');
  if (!(decay > 0 && decay < 1)) {
    throw illegalArgument('function_score : decay must be in the range [0..1].');
  }
  if (!(offset >= 0)) throw illegalArgument('function_score : offset must be > 0.0');
}

function numberOf(value: unknown): number {
  return strictFractionOf(value);
}

/** Milliseconds. */
function duration(value: unknown, missing: string): number {
  const text = textOf(value);
  if (text === undefined) throw parseFailure(missing);
  const [, digits, unit = 'ms'] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|H|d|D|w|W|S)?$/.exec(text) ?? [];
  if (digits === undefined) throw parseFailure(`Failed to parse [${text}]`, numberFormat(text));
  return Number(digits) * TIME_UNITS[unit.toLowerCase()]!;
}

/** Epoch milliseconds of a date, which may be math. */
function moment(field: LeafField, value: unknown, dsl: Dsl): number {
  const { lower } = field.range({
    from: value,
    to: undefined,
    includeLower: true,
    includeUpper: true,
    zone: UTC,
    asFilter: true,
    now: dsl.now,
  });
  return Number(wholeOf(lower!));
}

/** How Lucene describes the field's type. */
function luceneType(field: LeafField): string {
  const flags = field.core === undefined ? 0 : field.core.flags & 7;
  const options =
    (flags & 2) !== 0 ? '' : (flags & 1) !== 0 ? ',indexOptions=DOCS_AND_FREQS' : ',indexOptions=DOCS_ONLY';
  const parts = ['indexed'];
  if (!field.isExact && field.searchAnalyzer() !== 'keyword') parts.push('tokenized');
  if ((flags & 4) === 0) parts.push('omitNorms');
  return parts.join(',') + options;
}
