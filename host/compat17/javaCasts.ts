/** What Java says where 1.7 takes a value for a map without looking. */
import { ElasticsearchError } from '../errors.js';
import { isObject, javaClass, type JsonObject } from '../json/values.js';

/** The value as a map; 500 if it is none. */
export function asMap(value: unknown): JsonObject {
  if (isObject(value)) return value;
  if (value === null) throw nullPointer();
  throw classCast(javaClass(value), 'java.util.Map');
}

/** 500: an object of another class than is taken, both by their full names; newer machines of Java tell where both are from. */
export function classCast(own: string, wanted: string): ElasticsearchError {
  const home = own.startsWith('java.')
    ? "module java.base of loader 'bootstrap'"
    : "unnamed module of loader 'app'";
  const detail = `class ${own} cannot be cast to class ${wanted} (${own} and ${wanted} are in ${home})`;
  return new ElasticsearchError('ClassCastException', detail, { status: 500 });
}

/** 500: something that is needed is null; `why` is what newer machines of Java tell of that. */
export function nullPointer(why: string | null = null): ElasticsearchError {
  return new ElasticsearchError('NullPointerException', why, { status: 500 });
}
