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

/** 500: a place of an array that it doesn't have. */
export function outOfBounds(index: number, length: number, status = 500): ElasticsearchError {
  const detail = `Index ${index} out of bounds for length ${length}`;
  return new ElasticsearchError('ArrayIndexOutOfBoundsException', detail, { status });
}

/** What newer machines of Java tell of a method that is asked of what is null. */
export function invokedOnNull(method: string, what: string): string {
  return `Cannot invoke "${method}" because "${what}" is null`;
}

/** Of the value of an entry of a map, of which the text is asked. */
export const NO_VALUE =
  'Cannot invoke "Object.toString()" because the return value of "java.util.Map$Entry.getValue()" is null';

/** Of the name of a field that no one has given. */
export const NO_FIELD_NAME = invokedOnNull('String.indexOf(int)', 'smartName');

/** Of a text that is no JSON, nor in another of the formats. */
export const NO_FORMAT = invokedOnNull('org.elasticsearch.common.xcontent.XContentType.xContent()', 'type');

/** 500: something that is needed is null; `why` is what newer machines of Java tell of that. */
export function nullPointer(why: string | null = null): ElasticsearchError {
  return new ElasticsearchError('NullPointerException', why, { status: 500 });
}
