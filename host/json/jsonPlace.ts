/** Where in a text stands what the parser of 1.7 complains of. */
import { ElasticsearchError } from '../errors.js';
import { decodeBase64, NoBase64 } from '../text/base64.js';
import { placeOf } from './laxJson.js';

/** The place in a text that is no Base64, from the one where it begins; the text has no escapes. */
function withinBase64(place: string, text: string): string {
  const read = readAsBase64(text) ?? 0;
  return place.replace(/(?<=column: )\d+/, (column) => String(Number(column) + read));
}

/** How far a text that is no Base64 can be read; undefined if it is some. */
function readAsBase64(text: string): number | undefined {
  try {
    decodeBase64(text);
    return undefined;
  } catch (e) {
    return e instanceof NoBase64 ? e.read : undefined;
  }
}

const NO_BASE64 = /^Failed to decode VALUE_STRING as base64 [^\n]*$/;

/** The scalar that an error is about, if it is one of a parser's that tell. */
function complaint(error: ElasticsearchError): ((text: string) => boolean) | undefined {
  if (error.exception !== 'JsonParseException') return undefined;
  const number = /^Numeric value \((.*)\) out of range of [^\n]*$/.exec(error.detail ?? '')?.[1];
  if (number !== undefined) return (text) => text === number || Number(text) === Number(number);
  if (NO_BASE64.test(error.detail ?? '')) return (text) => readAsBase64(text) !== undefined;
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
  let meant = '';
  let place =
    isMeant === undefined
      ? undefined
      : placeOf(text, (path, scalar) => {
          const found = isNear(path) && isMeant(scalar);
          if (found) meant = scalar;
          return found;
        });
  if (place !== undefined) {
    if (NO_BASE64.test(error.detail ?? '')) place = withinBase64(place, meant);
    return new ElasticsearchError(error.exception, `${error.detail}\n at ${place}`, { status: error.status });
  }
  if (error.nested === undefined) return error;
  const nested = withPlace(error.nested, text, isNear);
  if (nested === error.nested) return error;
  // Some say again what their cause says.
  const detail = error.detail === error.nested.detail ? nested.detail : error.detail;
  return new ElasticsearchError(error.exception, detail, { status: error.status, nested });
}
