/** The methods that scripts may call, by what they are called of. */
import { isEqual, missingMethod } from '../arithmetic.js';
import { GroovyError } from '../tokens.js';
import { elementsOf, HostObject, isNumberValue, Range, textOf, type Value } from '../values.js';
import { ELEMENTS, LISTS } from './lists.js';
import { MAPS } from './maps.js';
import { NUMBERS } from './numbers.js';
import { type Methods, type Spend, Unfit } from './operands.js';
import { TEXTS } from './texts.js';

const ANY: Methods<Value> = {
  toString: (self: Value) => textOf(self),
  equals: (self, [other]) => isEqual(self, other ?? null),
};

function call<T>(
  methods: Methods<T>,
  self: T,
  name: string,
  operands: readonly Value[],
  spend: Spend,
): Value | undefined {
  return Object.hasOwn(methods, name) ? methods[name]!(self, operands, spend) : undefined;
}

/** Methods of lists and maps that take as long for many elements as for few. */
const AT_ONCE = new Set([
  ...['add', 'push', 'leftShift', 'pop', 'set', 'get', 'getAt', 'first', 'last', 'head', 'size', 'isEmpty'],
  ...['put', 'containsKey'],
]);

/** What is added to a list at a place moves all behind it. */
function isAtOnce(name: string, operands: readonly Value[]): boolean {
  return AT_ONCE.has(name) && (name !== 'add' || operands.length < 2);
}

function found(self: Value, name: string, operands: readonly Value[], spend: Spend): Value | undefined {
  if (typeof self === 'string') return call(TEXTS, self, name, operands, spend);
  if (isNumberValue(self)) return call(NUMBERS, self, name, operands, spend);
  if (Array.isArray(self)) {
    if (!isAtOnce(name, operands)) spend(self.length);
    return Object.hasOwn(LISTS, name)
      ? call(LISTS, self, name, operands, spend)
      : call(ELEMENTS, self, name, operands, spend);
  }
  if (self instanceof Range) {
    spend(self.size);
    return call(ELEMENTS, elementsOf(self)!, name, operands, spend);
  }
  if (self instanceof Map) {
    if (!isAtOnce(name, operands)) spend(self.size);
    return call(MAPS, self, name, operands, spend);
  }
  if (typeof self === 'function') return name === 'call' ? self(operands) : undefined;
  return self instanceof HostObject ? self.call(name, operands) : undefined;
}

/** Calls a method of a value. */
export function callMethod(self: Value, name: string, operands: readonly Value[], spend: Spend): Value {
  spend(typeof self === 'string' ? 1 + self.length / 16 : 1);
  if (self === null && name !== 'equals' && name !== 'toString')
    throw new GroovyError('NullPointerException', `Cannot invoke method ${name}() on null object`);
  try {
    const own = found(self, name, operands, spend);
    const result = own === undefined ? call(ANY, self, name, operands, spend) : own;
    if (result !== undefined) return result;
  } catch (e) {
    if (!(e instanceof Unfit)) throw e;
  }
  throw missingMethod(name, self, operands);
}
