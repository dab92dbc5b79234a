/** The JSON of an aggregation, read the way 1.7's parsers walk through it. */

import { invokedOnNull } from '../compat17/javaCasts.js';
import { ElasticsearchError } from '../errors.js';
import type { BoundExpression } from '../expression/program.js';
import { tokenOf } from '../json/jsonTokens.js';
import type { JsonObject } from '../json/values.js';
import { UNKNOWN_FIELD } from '../mapping/field.js';
import { ownValue } from '../ownNames.js';
import type { PlanNode } from '../plan/nodes.js';
import type { Sort } from '../plan/sortKeys.js';
import type { Dsl } from '../query/context.js';
import { scripts } from '../script/lateScripts.js';
import { type ScriptSpec, scriptKey } from '../script/script.js';
import type { Aggregation } from './aggregation.js';
import { ADDRESS, dateValuesOf, numberValues, RAW, type ValueFormat } from './format.js';
import { forbiddenLoad, sourceOf, type ValueSource, ValueType, wrongFielddata } from './source.js';

/** What aggregations are compiled for. */
export interface AggregationContext {
  dsl: Dsl;
  /** How many shards the search has. */
  shards: number;
  /** The filters of the aggregations, in the order of their numbers. */
  filters: PlanNode[];
  /** What is asked beside, for other aggregations: at the top, and not shown. */
  extras: Aggregation[];
  /** The first thing that is wrong and that 1.7 finds out when it begins to search. */
  failure: ElasticsearchError | undefined;
  /** The nested field whose objects are aggregated; undefined: documents themselves are. */
  inside: string | undefined;
  /** Whether a nested aggregation stands above. */
  nested: boolean;
  /** What a global aggregation is of: the documents of the search's types and alias; undefined: all. */
  everything(): PlanNode | undefined;
  /** Compiles what a search's body says of hits. */
  hits(body: JsonObject): HitsView;
  /** How many aggregations above have several buckets. */
  depth: number;
  /** The name of the aggregation above. */
  parent: string | undefined;
  /** Where the values of the nearest aggregation above that has any come from: those below may leave theirs out. */
  above: ValueSource | undefined;
  /** Where the values of the aggregation being read come from. */
  own: ValueSource | undefined;
}

/** How hits are chosen and shown; the rest of it is for those who show them. */
export interface HitsView {
  readonly from: number;
  readonly size: number;
  readonly sort: Sort | undefined;
}

/** 400: a body that can't be meant; the index stands around it. */
export function malformed(detail: string): ElasticsearchError {
  return new ElasticsearchError('SearchParseException', detail);
}

/** What an aggregation may have of each thing that it lists: ranges, percents, filters. */
const MAX_LISTED = 10_000;

/** 400: more of something than an aggregation may list. */
export function checkListed(count: number, what: string, name: string): void {
  if (count <= MAX_LISTED) return;
  throw malformed(`aggregation [${name}] has ${count} ${what}, and may have at most ${MAX_LISTED}`);
}

/** Reads the keys of a body, each by a function of its value's token. */
export type KeyReader = (value: unknown, token: string, key: string) => boolean;

/** The tokens whose keys a parser names where it doesn't know them; of others it says only which token is unexpected. */
export type NamedTokens = readonly string[] | 'all';

export function readKeys(
  name: string,
  body: JsonObject,
  read: KeyReader,
  named: NamedTokens = 'all',
  what = `[${name}]`,
): void {
  for (const [key, value] of Object.entries(body)) {
    const token = tokenOf(value);
    if (read(value, token, key)) continue;
    throw named === 'all' || named.includes(token)
      ? malformed(`Unknown key for a ${token} in ${what}: [${key}].`)
      : unexpectedToken(token, what);
  }
}

/** 400: a token that a parser has no use for, whatever its key. */
export function unexpectedToken(token: string, what: string): ElasticsearchError {
  return malformed(`Unexpected token ${token} in ${what}.`);
}

/** What tokens say that simple values are; null is none. */
export const VALUES: readonly string[] = ['VALUE_STRING', 'VALUE_NUMBER', 'VALUE_BOOLEAN'];

/** What an aggregation says of where its values come from, and what it may say. */
export interface SourceKeys {
  field?: string;
  format?: string;
  valueType?: ValueType;
  /** How values of that type are shown where no mapping says it. */
  valueFormat?: ValueFormat;
  script?: ScriptSpec;
  readonly rules: SourceRules;
}

export interface SourceRules {
  /** The type of the aggregation. */
  readonly type: string;
  readonly name: string;
  /** Whether scripts may make values; then `value_type` may say what they are. */
  readonly scripts?: boolean;
  /** Whether `format` may say how values are shown. */
  readonly formats?: boolean;
  /** What values must be. */
  readonly wanted?: 'numeric' | 'date' | 'ip';
}

/** What is said of a source, whoever may say what. */
export type GivenSource = Omit<SourceKeys, 'rules'>;

export function sourceKeys(rules: SourceRules): SourceKeys {
  return { rules };
}

/** Takes a key in if it says where values come from. */
export function sourceKey(keys: SourceKeys, value: unknown, token: string, key: string): boolean {
  const { scripts = true, formats = false } = keys.rules;
  const isText = token === 'VALUE_STRING';
  if (key === 'field' && isText) keys.field = String(value);
  else if (formats && key === 'format' && isText) keys.format = String(value);
  else if (scripts && (key === 'value_type' || key === 'valueType') && isText) readType(keys, String(value));
  else if (scripts && (isText || (token === 'START_OBJECT' && key === 'params'))) {
    const spec: ScriptSpec = keys.script ?? { source: 'inline' };
    if (!scriptKey(spec, key, value)) return false;
    keys.script = spec;
  } else return false;
  return true;
}

/** Types of values by the names that scripts may give them; numbers that are no texts are numbers of all kinds. */
const VALUE_TYPES: Record<string, [type: ValueType, shown: string, format?: ValueFormat] | undefined> = {
  string: [ValueType.string, 'string'],
  double: [ValueType.double, 'float|double'],
  float: [ValueType.double, 'float|double'],
  long: [ValueType.long, 'byte|short|integer|long'],
  integer: [ValueType.long, 'byte|short|integer|long'],
  short: [ValueType.long, 'byte|short|integer|long'],
  byte: [ValueType.long, 'byte|short|integer|long'],
  date: [ValueType.long, 'date', dateValuesOf('dateOptionalTime')],
  ip: [ValueType.long, 'ip', ADDRESS],
};

function readType(keys: SourceKeys, name: string): void {
  const { type: kind, name: aggregation, wanted } = keys.rules;
  const found = ownValue(VALUE_TYPES, name);
  if (found === undefined) {
    if (wanted !== undefined) throw noType();
    return;
  }
  const [type, shown, format] = found;
  if (wanted !== undefined && type === ValueType.string)
    throw malformed(
      `${kind} aggregation [${aggregation}] was configured with an incompatible value type [${shown}]. [${kind}] aggregation can only work on value of type [${wanted}]`,
    );
  keys.valueType = type;
  if (format !== undefined) keys.valueFormat = format;
}

/** 400: 1.7 asks what is no type whether it fits. */
function noType(): ElasticsearchError {
  const type = 'org.elasticsearch.search.aggregations.support.ValueType';
  const why = invokedOnNull(`${type}.isNotA(${type})`, 'this.input.valueType');
  return new ElasticsearchError('NullPointerException', why, { status: 400 });
}

export function scriptsDisabled(): ElasticsearchError {
  return new ElasticsearchError(
    'ScriptException',
    'scripts of type [inline], operation [aggs] and lang [groovy] are disabled',
    { status: 400 },
  );
}

/** What an aggregation can take. */
export type Wanted = 'any' | 'number' | 'point';

/**
 * The source that the keys name, or else that of an aggregation above. Where its values don't fit, the search fails when
 * it begins.
 */
export function sourceFrom(
  keys: GivenSource,
  name: string,
  wanted: Wanted,
  context: AggregationContext,
): ValueSource {
  const script = scriptOf(keys, context);
  if (keys.field === undefined && script !== undefined) {
    context.own = scripted(keys, wanted, script, context);
    return context.own;
  }
  const unmapped = unmappedType(keys, wanted);
  const source =
    keys.field === undefined ? context.above : sourceOf(context.dsl.model, keys.field, unmapped, keys.format);
  if (source === undefined) {
    throw new ElasticsearchError(
      'AggregationExecutionException',
      `could not find the appropriate value context to perform aggregation [${name}]`,
      { status: 400 },
    );
  }
  context.own = source;
  const numeric = source.type === ValueType.long || source.type === ValueType.double;
  const fits =
    wanted === 'any' || !source.mapped || (wanted === 'number' ? numeric : source.type === ValueType.point);
  if (!fits) {
    context.failure ??= wrongFielddata(source, wanted === 'number' ? 'number' : 'point');
    return { ...source, field: 0xffff, type: unmapped };
  }
  if (source.forbidden !== undefined)
    context.failure ??= wanted === 'any' ? forbiddenLoad(source.forbidden) : wrongFielddata(source, wanted);
  if (script !== undefined && source.mapped) context.own = withScript(source, script, context);
  return context.own;
}

function unmappedType({ valueType }: GivenSource, wanted: Wanted): ValueType {
  if (valueType !== undefined) return valueType;
  return wanted === 'point' ? ValueType.point : wanted === 'number' ? ValueType.double : ValueType.string;
}

function scriptOf({ script }: GivenSource, { dsl }: AggregationContext): BoundExpression | undefined {
  return script?.text === undefined ? undefined : scripts.loaded.compileScript(script, 'aggs', dsl);
}

/** The values of a script alone; where it is not said what they are, they are texts. */
function scripted(
  { valueType, valueFormat, format }: GivenSource,
  wanted: Wanted,
  script: BoundExpression,
  context: AggregationContext,
): ValueSource {
  if (wanted === 'point') {
    context.failure ??= new ElasticsearchError(
      'AggregationExecutionException',
      'value source of type [GeoPoint] is not supported by scripts',
    );
  }
  const type = valueType ?? (wanted === 'number' ? ValueType.double : ValueType.string);
  const kept = type === ValueType.long ? ValueType.long : ValueType.double;
  return {
    field: UNKNOWN_FIELD,
    type,
    format: scriptedFormat(type, format, valueFormat),
    mapped: true,
    fieldType: '',
    script: { script, field: 0, kept },
  };
}

function scriptedFormat(type: ValueType, format: string | undefined, usual: ValueFormat = RAW): ValueFormat {
  if (format === undefined || type === ValueType.string || usual !== RAW) return usual;
  return numberValues(format);
}

/** The values of a field, changed by a script: fractions, whatever they were. */
function withScript(source: ValueSource, script: BoundExpression, context: AggregationContext): ValueSource {
  const { type } = source;
  if (type !== ValueType.long && type !== ValueType.double) {
    context.failure ??= new ElasticsearchError(
      'ExpressionScriptExecutionException',
      'Cannot use expression with text variable',
    );
    return source;
  }
  return { ...source, type: ValueType.double, script: { script, field: type, kept: ValueType.double } };
}
