/** What Java says where 1.7 takes a value of a body for a map without looking. */
import { ElasticsearchError } from '../errors.js';
import { isObject, type JsonObject } from '../mapping/values.js';

/** The value as a map; 500 if it is none. */
export function asMap(value: unknown): JsonObject {
  if (isObject(value)) return value;
  if (value === null) throw nullPointer();
  const detail = `${javaClass(value)} cannot be cast to java.util.Map`;
  throw new ElasticsearchError('ClassCastException', detail, { status: 500 });
}

/** 500: something that is needed is null. */
export function nullPointer(): ElasticsearchError {
  return new ElasticsearchError('NullPointerException', null, { status: 500 });
}

/** A value as Java prints it. */
export function javaText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(javaText).join(', ')}]`;
  if (!isObject(value)) return String(value);
  const entries = Object.entries(value).map(([key, each]) => `${key}=${javaText(each)}`);
  return `{${entries.join(', ')}}`;
}

function javaClass(value: unknown): string {
  if (Array.isArray(value)) return 'java.util.ArrayList';
  if (typeof value === 'string') return 'java.lang.String';
  if (typeof value === 'boolean') return 'java.lang.Boolean';
  return `java.lang.${Number.isInteger(Number(value)) ? 'Integer' : 'Double'}`;
}
