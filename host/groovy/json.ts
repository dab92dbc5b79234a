/** Values out of JSON as Jackson reads it, and back as XContent of 1.7 writes them. */

import { MAX_JSON_DEPTH } from '../json/jsonDepth.js';
import { jsonText } from '../json/jsonText.js';
import { isRawObject, parseRaw, type Raw } from '../json/rawJson.js';
import type { JsonObject } from '../json/values.js';
import { Double, doubleText } from '../numbers/javaNumbers.js';
import { GroovyError } from './tokens.js';
import {
  BigWhole,
  Decimal,
  decimalText,
  elementsOf,
  HostObject,
  Int,
  textOf,
  type Value,
  wholeOf,
} from './values.js';

const utf8 = new TextDecoder();

/** The value of a JSON text's part. */
export function valueOfJson(raw: Raw): Value {
  if (typeof raw === 'string') return leafOf(raw);
  if (!isRawObject(raw)) return raw.map(valueOfJson);
  return new Map(raw.entries.map(([key, value]) => [key, valueOfJson(value)]));
}

function leafOf(token: string): Value {
  if (token.startsWith('"')) return JSON.parse(token) as string;
  if (token === 'true' || token === 'false') return token === 'true';
  if (token === 'null') return null;
  return /^-?\d+$/.test(token) ? wholeOf(BigInt(token)) : Number(token);
}

/** A value as a part of a JSON text. What JSON has no numbers for is written as a text, decimals too: 1.7 does so. */
export function rawOf(value: Value, depth = 0): Raw {
  if (depth > MAX_JSON_DEPTH) throw new GroovyError('StackOverflowError', 'a value of too many levels');
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? doubleText(value) : `"${doubleText(value)}"`;
  if (typeof value === 'bigint' || value instanceof Int || value instanceof BigWhole) return textOf(value);
  if (value instanceof Decimal) return `"${decimalText(value)}"`;
  if (value instanceof Map)
    return { entries: [...value].map(([key, each]) => [key, rawOf(each, depth + 1)]) };
  const elements = elementsOf(value);
  if (elements !== undefined) return elements.map((each) => rawOf(each, depth + 1));
  if (value instanceof HostObject) return rawOf(value.json, depth + 1);
  return JSON.stringify(textOf(value));
}

/** Parameters of a request, as variables. */
export function variablesOf(params: JsonObject): Map<string, Value> {
  const given = new Map<string, Value>();
  for (const [name, value] of Object.entries(params)) given.set(name, valueOfJson(parseRaw(jsonText(value))));
  return given;
}

/** A document's source. */
export function sourceOf(source: Uint8Array): Value {
  return valueOfJson(parseRaw(utf8.decode(source)));
}

/** A value as answers of aggregations show it: as {@link rawOf}, but not yet written. */
export function shownOf(value: Value, depth = 0): unknown {
  if (depth > MAX_JSON_DEPTH) throw new GroovyError('StackOverflowError', 'a value of too many levels');
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? new Double(value) : doubleText(value);
  if (typeof value === 'bigint') return value;
  if (value instanceof Int || value instanceof BigWhole) return value.value;
  if (value instanceof Decimal) return decimalText(value);
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, each]) => [key, shownOf(each, depth + 1)]));
  const elements = elementsOf(value);
  if (elements !== undefined) return elements.map((each) => shownOf(each, depth + 1));
  if (value instanceof HostObject) return shownOf(value.json, depth + 1);
  return textOf(value);
}
