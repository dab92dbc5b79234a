/** Where in a text stands what the parser of 1.7 complains of. */
import { ElasticsearchError } from '../errors.js';
import { placeOf } from './laxJson.js';

/** The scalar that an error is about, if it is one of a parser's that tell. */
function complaint(error: ElasticsearchError): ((text: string) => boolean) | undefined {
  if (error.exception !== 'JsonParseException') return undefined;
  const number = /^Numeric value \((.*)\) out of range of [^\n]*$/.exec(error.detail ?? '')?.[1];
  if (number !== undefined) return (text) => text === number || Number(text) === Number(number);
  if (error.detail?.startsWith('Current token (END_ARRAY) not numeric')) return (text) => text === ']';
  const token = /^Current token \(VALUE_(\w+)\) not numeric[^\n]*$/.exec(error.detail ?? '')?.[1];
  if (token === 'STRING') return (text) => !/^(true|false|null)$/.test(text);
  return token === undefined ? undefined : (text) => text === token.toLowerCase();
}

/**
 * An error of reading a JSON text, with the place that the parser had come to. Errors of other kinds, and those that
 * have one, stay as they are.
 * @param isNear whether what is complained of may stand under these names
 */
export function withPlace(
  error: ElasticsearchError,
  text: string,
  isNear: (path: readonly string[]) => boolean,
): ElasticsearchError {
  const isMeant = complaint(error);
  const place =
    isMeant === undefined ? undefined : placeOf(text, (path, scalar) => isNear(path) && isMeant(scalar));
  if (place !== undefined) {
    return new ElasticsearchError(error.exception, `${error.detail}\n at ${place}`, { status: error.status });
  }
  if (error.nested === undefined) return error;
  const nested = withPlace(error.nested, text, isNear);
  if (nested === error.nested) return error;
  return new ElasticsearchError(error.exception, error.detail, { status: error.status, nested });
}
