/** Values as those of another type: `x as int`, `(String) x`, `long x = ...`. */
import { doubleFrom, wholeFrom } from './parsedNumbers.js';
import { GroovyError } from './tokens.js';
import {
  BigWhole,
  decimalOf,
  elementsOf,
  Int,
  isNumberValue,
  isTrue,
  type NumberValue,
  textOf,
  toDouble,
  toInt,
  toLongValue,
  truncated,
  typeOf,
  type Value,
} from './values.js';

/** A value as one of another type. */
export function made(type: string, value: Value): Value {
  if (value === null || type === 'def' || type === 'Object') return type === 'boolean' ? false : value;
  switch (type) {
    case 'int':
    case 'Integer':
      return typeof value === 'string' ? wholeFrom(value, 32) : toInt(castable(value, type));
    case 'short':
    case 'Short':
      return new Int((toInt(castable(value, type)).value << 16) >> 16);
    case 'byte':
    case 'Byte':
      return new Int((toInt(castable(value, type)).value << 24) >> 24);
    case 'long':
    case 'Long':
      return typeof value === 'string' ? wholeFrom(value, 64) : toLongValue(castable(value, type));
    case 'double':
    case 'Double':
      return typeof value === 'string' ? doubleFrom(value) : toDouble(castable(value, type));
    case 'float':
    case 'Float':
      return Math.fround(typeof value === 'string' ? doubleFrom(value) : toDouble(castable(value, type)));
    case 'BigDecimal':
      return decimalOf(textOf(castable(value, type)));
    case 'BigInteger':
      return new BigWhole(truncated(castable(value, type)));
    case 'boolean':
    case 'Boolean':
      return isTrue(value);
    case 'String':
      return textOf(value);
    case 'Number':
      return castable(value, type);
    case 'List':
    case 'ArrayList':
      return [...(elementsOf(value) ?? notCast(value, type))];
    case 'Map':
    case 'HashMap':
    case 'LinkedHashMap':
      return value instanceof Map ? value : notCast(value, type);
    default:
      return notCast(value, type);
  }
}

function castable(value: Value, type: string): NumberValue {
  return isNumberValue(value) ? value : notCast(value, type);
}

function notCast(value: Value, type: string): never {
  const detail = `Cannot cast object '${textOf(value).slice(0, 60)}' with class '${typeOf(value)}' to class '${type}'`;
  throw new GroovyError('GroovyCastException', detail);
}
