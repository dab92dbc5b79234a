/** Methods of numbers. */
import { arithmetic, compare, operate, roundedNumber } from '../arithmetic.js';
import {
  bigOf,
  Decimal,
  decimalOf,
  Int,
  isWhole,
  type NumberValue,
  textOf,
  toDouble,
  toInt,
  toLongValue,
  type Value,
  wholeOf,
} from '../values.js';
import { type Methods, number, outside, Unfit } from './operands.js';

export const NUMBERS: Methods<NumberValue> = {
  intValue: (self) => toInt(self),
  longValue: (self) => toLongValue(self),
  doubleValue: (self) => toDouble(self),
  floatValue: (self) => Math.fround(toDouble(self)),
  toInteger: (self) => toInt(self),
  toLong: (self) => toLongValue(self),
  toDouble: (self) => toDouble(self),
  toFloat: (self) => Math.fround(toDouble(self)),
  toBigDecimal: (self) => (self instanceof Decimal ? self : decimalOf(textOf(self))),
  abs: (self) => absolute(self),
  round: (self) => roundedNumber(self),
  intdiv: (self, [by]) => {
    const divisor = number(by);
    if (!isWhole(self) || !isWhole(divisor)) throw new Unfit();
    if (bigOf(divisor) === 0n) throw outside('ArithmeticException', '/ by zero');
    const value = bigOf(self) / bigOf(divisor);
    return typeof self === 'bigint' || typeof divisor === 'bigint' ? value : wholeOf(value);
  },
  compareTo: (self, [other]) => new Int(compare(self, number(other))),
  plus: (self, [other]) => arithmetic('+', self, number(other)),
  minus: (self, [other]) => arithmetic('-', self, number(other)),
  multiply: (self, [other]) => arithmetic('*', self, number(other)),
  div: (self, [other]) => arithmetic('/', self, number(other)),
  mod: (self, [other]) => arithmetic('%', self, number(other)),
};

export function absolute(value: NumberValue): Value {
  return toDouble(value) < 0 ? operate('*', value, new Int(-1)) : value;
}
