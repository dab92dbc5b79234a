/** Where the values of an aggregation come from: a field as the shards keep it, and how its values are shown. */

import type { PlanBytes } from '../core/planBytes.js';
import { familyIds } from '../query/sort/sortMeta.js';
import { filterProblem } from '../query/term/fielddataFilters.js';
import { ElasticsearchError, fielddataForbidden, illegalArgument } from '../errors.js';
import { classCast } from '../compat17/javaCasts.js';
import { type BoundExpression, writeProgram } from '../expression/program.js';
import { Column, columnOf, type LeafField, TYPE, UNKNOWN_FIELD } from '../mapping/field.js';
import type { MappingModel } from '../mapping/model.js';
import { DateField } from '../mapping/scalars.js';
import { ADDRESS, dateValues, dateValuesOf, numberValues, RAW, type ValueFormat } from './format.js';
import type { StoredDocument } from '../storage/storedDocuments.js';

/** The types of values, as plans number columns. */
export const ValueType = { long: 1, double: 2, string: 3, point: 4 } as const;
export type ValueType = (typeof ValueType)[keyof typeof ValueType];

export interface ValueSource {
  /** The field's number in the core; one that no shard knows where the name means nothing. */
  field: number;
  type: ValueType;
  format: ValueFormat;
  /** Whether the mapping knows the field. */
  mapped: boolean;
  fieldType: string;
  /** The values are the documents' own names, `type#id`: the core gives their keys. */
  uids?: boolean;
  /** What else stands for a document in their place. */
  namesOf?: (document: StoredDocument) => readonly string[];
  /** The name of a field whose mapping forbids to look at its values. */
  forbidden?: string;
  /** Whether the mapping keeps the values as doc values. */
  inColumns?: boolean;
  /** What makes the values. */
  script?: ScriptedValues | undefined;
}

/** Values that a script makes: of those of the field, or of a document. */
export interface ScriptedValues {
  script: BoundExpression;
  /** The type of the field's values; 0: there is no field. */
  field: 0 | typeof ValueType.long | typeof ValueType.double;
  /** The type in which the core keeps them; fractions that count as strings are shown as texts. */
  kept: typeof ValueType.long | typeof ValueType.double;
}

/** Writes where values come from: the field, their type, and the script that makes them. */
export function writeSource(bytes: PlanBytes, { field, type, script, uids }: ValueSource): void {
  bytes.u16(field);
  const kept = uids === true ? ValueType.long : type;
  bytes.u8(script === undefined ? kept : script.kept | SCRIPTED);
  if (script !== undefined) writeScript(bytes, script);
}

const SCRIPTED = 0x80;
/** What the core takes for the field of the documents' keys. */
const KEYS = 0xfffe;

export function writeScript(bytes: PlanBytes, { script, field }: ScriptedValues): void {
  writeProgram(script, bytes);
  bytes.u8(field);
}

const KINDS = Column.long | Column.double | Column.ordinal | Column.geo;

function typeOf(field: LeafField): ValueType {
  switch ((field.core?.flags ?? 0) & KINDS) {
    case Column.long:
      return ValueType.long;
    case Column.double:
      return ValueType.double;
    case Column.geo:
      return ValueType.point;
    default:
      return BY_NAME[field.type] ?? ValueType.string;
  }
}

const BY_NAME: Record<string, ValueType> = {
  geo_point: ValueType.point,
  date: ValueType.long,
  ip: ValueType.long,
  long: ValueType.long,
  integer: ValueType.long,
  short: ValueType.long,
  byte: ValueType.long,
  double: ValueType.double,
  float: ValueType.double,
};

/** The source of a field of any type, as one of children that stand in a bucket; `wanted` is the type of one that is not mapped. */
export function sourceOf(
  model: MappingModel,
  name: string,
  wanted: ValueType,
  pattern?: string | undefined,
): ValueSource {
  if (name === '_type')
    return { field: TYPE, type: ValueType.string, format: RAW, mapped: true, fieldType: 'string' };
  if (name === '_uid')
    return {
      field: KEYS,
      type: ValueType.string,
      format: RAW,
      mapped: true,
      fieldType: 'string',
      uids: true,
    };
  // Ids are not indexed; the terms of indices are found without values.
  if (name === '_id' || name === '_index')
    return { field: UNKNOWN_FIELD, type: ValueType.string, format: RAW, mapped: true, fieldType: name };
  const field = model.find(name)?.field;
  if (field === undefined) {
    return {
      field: UNKNOWN_FIELD,
      type: wanted,
      format: pattern === undefined || wanted === ValueType.string ? RAW : numberValues(pattern),
      mapped: false,
      fieldType: '',
    };
  }
  const problem = filterProblem(field);
  if (problem !== undefined) throw problem;
  if (field.type === 'completion' || field.type === 'geo_shape')
    throw illegalArgument(`found no fielddata type for field [${field.fullName}]`);
  return {
    field: columnOf(field),
    type: typeOf(field),
    format: formatOf(field, pattern),
    mapped: true,
    fieldType: field.forbidsFielddata ? 'disabled' : field.type,
    inColumns: field.traits.docValues,
    ...(field.forbidsFielddata ? { forbidden: field.fullName } : {}),
  };
}

function formatOf(field: LeafField, pattern: string | undefined): ValueFormat {
  if (field instanceof DateField)
    return pattern === undefined ? dateValues(field.format) : dateValuesOf(pattern);
  if (field.type === 'ip') return ADDRESS;
  const numeric = typeOf(field) === ValueType.long || typeOf(field) === ValueType.double;
  return pattern === undefined || !numeric ? RAW : numberValues(pattern);
}

/** The ids by which documents are tied to parents and children: those of their parents, and of parents their own. */
export function familyIdsOf(model: MappingModel): ValueSource {
  return {
    ...sourceOf(model, '_uid', ValueType.string),
    namesOf: (document) => [...new Set(familyIds(document, model))],
  };
}

/** 500: what 1.7 says when it would load the values of a field whose mapping forbids that. */
export function forbiddenLoad(field: string): ElasticsearchError {
  const cause = fielddataForbidden(field);
  const detail = `org.elasticsearch.${cause.exception}: ${cause.detail}`;
  const nested = new ElasticsearchError('UncheckedExecutionException', detail, { nested: cause });
  return new ElasticsearchError('ElasticsearchException', detail, { nested });
}

const FIELDDATA = 'org.elasticsearch.index.fielddata';

/** 500: the values of a field are asked for as what they aren't. */
export function wrongFielddata(
  { fieldType, type, inColumns }: ValueSource,
  wanted: 'number' | 'point',
): ElasticsearchError {
  const wantedClass = `${FIELDDATA}.Index${wanted === 'number' ? 'Numeric' : 'GeoPoint'}FieldData`;
  const own = CLASSES[fieldType] ?? (type === ValueType.string ? CLASSES.string : CLASSES.long);
  const name = (inColumns === true ? own?.[1] : undefined) ?? own?.[0];
  return classCast(`${FIELDDATA}.plain.${name}`, wantedClass);
}

/** What 1.7 calls the values of fields: those that it makes of the index, and those that are kept as doc values. */
const CLASSES: Record<string, readonly [string, string?] | undefined> = {
  string: ['PagedBytesIndexFieldData', 'SortedSetDVOrdinalsIndexFieldData'],
  long: ['PackedArrayIndexFieldData', 'SortedNumericDVIndexFieldData'],
  double: ['DoubleArrayIndexFieldData', 'SortedNumericDVIndexFieldData'],
  float: ['FloatArrayIndexFieldData', 'SortedNumericDVIndexFieldData'],
  geo_point: ['GeoPointDoubleArrayIndexFieldData', 'GeoPointBinaryDVIndexFieldData'],
  binary: ['BytesBinaryDVIndexFieldData'],
  disabled: ['DisabledIndexFieldData', 'DisabledIndexFieldData'],
  _index: ['IndexIndexFieldData'],
  _parent: ['ParentChildIndexFieldData'],
};
