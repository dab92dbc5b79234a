/** What Java says where 1.7 takes a value for a map without looking. */
import { ElasticsearchError } from '../errors.js';
import { isObject, javaClass, type JsonObject } from './values.js';

/** The value as a map; 500 if it is none. */
export function asMap(value: unknown): JsonObject {
  if (isObject(value)) return value;
  if (value === null) throw nullPointer();
  const detail = `${javaClass(value)} cannot be cast to java.util.Map`;
  throw new ElasticsearchError('ClassCastException', detail, { status: 500 });
}

/** 500: something that is needed is null; `why` is what newer machines of Java tell of that. */
export function nullPointer(why: string | null = null): ElasticsearchError {
  return new ElasticsearchError('NullPointerException', why, { status: 500 });
}
