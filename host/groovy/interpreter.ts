/**
 * Runs scripts. A script has what it is given by name and nothing else; the methods it may call are those of methods.ts. Each part that is
 * worked out, each element that is walked over or copied and every sixteen letters of a text count as work, of which there is so much.
 */
import { inverted, negated, operate } from './arithmetic.js';
import { made } from './casts.js';
import { CLASSES } from './classes.js';
import { keyOf } from './methods/maps.js';
import { callMethod } from './methods/callMethod.js';
import type { Spend } from './methods/operands.js';
import type { Block, Node, Statement } from './syntax.js';
import { GroovyError } from './tokens.js';
import {
  BigWhole,
  bigOf,
  type Closure,
  decimalOf,
  elementsOf,
  HostObject,
  Int,
  isTrue,
  isWhole,
  type NumberValue,
  Range,
  textOf,
  typeOf,
  type Value,
  wholeOf,
} from './values.js';

/** Units of work that the scripts of a request have for a document, together. */
export const MOST_WORK = 200_000;

/** What is left of a number of them. */
export class Work {
  readonly most: number;
  left: number;

  constructor(most = MOST_WORK) {
    this.most = most;
    this.left = most;
  }
}
/** Closures within closures. */
const MOST_CALLS = 50;
const LETTERS = 16;
/** Values within values. */
const MOST_LEVELS = 200;

/** How a statement ended. */
type Ending = 'break' | 'continue' | { value: Value } | undefined;

/** Variables; those of the block around are seen from within. */
class Scope {
  readonly #values = new Map<string, Value>();
  readonly #around: Scope | undefined;

  constructor(around?: Scope) {
    this.#around = around;
  }

  define(name: string, value: Value): void {
    this.#values.set(name, value);
  }

  get(name: string): Value | undefined {
    return this.#values.has(name) ? this.#values.get(name) : this.#around?.get(name);
  }

  /** False where there is no such variable. */
  set(name: string, value: Value): boolean {
    if (this.#values.has(name)) {
      this.#values.set(name, value);
      return true;
    }
    return this.#around?.set(name, value) ?? false;
  }
}

/**
 * The value of a script: of its `return`, or of its last statement.
 * @param given what it may name besides a few of Java's classes; assignments to other names make new ones
 */
export function runGroovy(script: Block, given: ReadonlyMap<string, Value>, work: Work = new Work()): Value {
  return new Run(given, work).value(script);
}

class Run {
  readonly #top = new Scope();
  readonly #work: Work;
  #calls = 0;

  constructor(given: ReadonlyMap<string, Value>, work: Work) {
    this.#work = work;
    for (const [name, value] of given) this.#top.define(name, value);
  }

  value(script: Block): Value {
    try {
      return this.#body(script, this.#top);
    } catch (e) {
      // A value that holds itself can be compared with another one for ever.
      if (e instanceof RangeError) throw new GroovyError('StackOverflowError', 'too many levels');
      throw e;
    }
  }

  readonly #spend: Spend = (units) => {
    this.#work.left -= units;
    if (this.#work.left < 0)
      throw new GroovyError('ScriptException', `the script takes more than ${this.#work.most} steps`);
  };

  /** The value of a script or a closure. */
  #body(block: Block, scope: Scope): Value {
    let last: Value = null;
    for (const [i, statement] of block.entries()) {
      if (statement.kind === 'value') {
        last = this.#value(statement.value, scope);
        continue;
      }
      // The value of a condition at the end is that of its last statement.
      if (statement.kind === 'if' && i === block.length - 1) {
        const chosen = isTrue(this.#value(statement.condition, scope)) ? statement.yes : (statement.no ?? []);
        return this.#body(chosen, new Scope(scope));
      }
      const ending = this.#statement(statement, scope);
      if (typeof ending === 'object') return ending.value;
      last = null;
    }
    return last;
  }

  #block(block: Block, around: Scope): Ending {
    const scope = new Scope(around);
    for (const statement of block) {
      const ending = this.#statement(statement, scope);
      if (ending !== undefined) return ending;
    }
    return undefined;
  }

  #statement(statement: Statement, scope: Scope): Ending {
    this.#spend(1);
    switch (statement.kind) {
      case 'value':
        this.#value(statement.value, scope);
        return undefined;
      case 'define': {
        const { name, type, value } = statement;
        scope.define(name, made(type, value === undefined ? null : this.#value(value, scope)));
        return undefined;
      }
      case 'if':
        if (isTrue(this.#value(statement.condition, scope))) return this.#block(statement.yes, scope);
        return statement.no === undefined ? undefined : this.#block(statement.no, scope);
      case 'forIn':
        return this.#forIn(statement, scope);
      case 'for':
        return this.#for(statement, scope);
      case 'return':
        return { value: statement.value === undefined ? null : this.#value(statement.value, scope) };
      default:
        return statement.kind;
    }
  }

  #forIn({ name, list, body }: Extract<Statement, { kind: 'forIn' }>, around: Scope): Ending {
    const value = this.#value(list, around);
    const entries = value instanceof Map ? callMethod(value, 'entrySet', [], this.#spend) : value;
    if (entries instanceof Range) this.#spend(entries.size);
    const elements = entries === null ? [] : (elementsOf(entries) ?? [entries]);
    for (const each of elements) {
      this.#spend(1);
      const scope = new Scope(around);
      scope.define(name, each);
      const ending = this.#block(body, scope);
      if (ending === 'break') return undefined;
      if (typeof ending === 'object') return ending;
    }
    return undefined;
  }

  #for({ first, condition, step, body }: Extract<Statement, { kind: 'for' }>, around: Scope): Ending {
    const scope = new Scope(around);
    for (const statement of first) this.#statement(statement, scope);
    while (isTrue(this.#value(condition, scope))) {
      this.#spend(1);
      const ending = this.#block(body, scope);
      if (ending === 'break') return undefined;
      if (typeof ending === 'object') return ending;
      for (const each of step) this.#value(each, scope);
    }
    return undefined;
  }

  #value(node: Node, scope: Scope): Value {
    this.#spend(1);
    switch (node.kind) {
      case 'number':
        return numberOf(node.text);
      case 'text':
        return this.#text(node.parts, scope);
      case 'constant':
        return node.value;
      case 'name':
        return this.#named(node.name, scope);
      case 'list':
        return node.items.map((item) => this.#value(item, scope));
      case 'map':
        return new Map(
          node.entries.map(([key, value]) => [keyOf(this.#value(key, scope)), this.#value(value, scope)]),
        );
      case 'closure':
        return this.#closure(node, scope);
      case 'unary':
        return this.#unary(node.operator, this.#value(node.operand, scope));
      case 'binary':
        return this.#operate(node.operator, this.#value(node.left, scope), this.#value(node.right, scope));
      case 'logical':
        return this.#logical(node, scope);
      case 'conditional':
        return this.#value(isTrue(this.#value(node.condition, scope)) ? node.yes : node.no, scope);
      case 'cast':
        return made(node.type, this.#value(node.operand, scope));
      case 'member':
      case 'index':
        return this.#read(node, scope);
      case 'call':
        return this.#call(node, scope);
      case 'assign': {
        const { target, operator, value } = node;
        if (operator === undefined) return this.#assign(target, scope, () => this.#value(value, scope));
        return this.#assign(target, scope, (before) =>
          this.#operate(operator, before(), this.#value(value, scope)),
        );
      }
      case 'step': {
        let old: Value = null;
        const next = this.#assign(node.target, scope, (before) => {
          old = before();
          return this.#operate(node.by, old, new Int(1));
        });
        return node.prefix ? next : old;
      }
    }
  }

  #text(parts: readonly (string | Node)[], scope: Scope): string {
    let text = '';
    for (const part of parts)
      text += typeof part === 'string' ? part : this.#written(this.#value(part, scope));
    this.#spend(text.length / LETTERS);
    return text;
  }

  /** A value as a text; long ones are counted before they are made. */
  #written(value: Value): string {
    this.#weigh(value);
    return textOf(value);
  }

  #weigh(value: Value, depth = 0): void {
    if (depth > MOST_LEVELS) throw new GroovyError('StackOverflowError', 'a value of too many levels');
    if (typeof value === 'string') this.#spend(value.length / LETTERS);
    else if (Array.isArray(value)) for (const each of value) this.#weighed(each, depth + 1);
    else if (value instanceof Map) for (const each of value.values()) this.#weighed(each, depth + 1);
  }

  #weighed(value: Value, depth: number): void {
    this.#spend(1);
    this.#weigh(value, depth);
  }

  #operate(operator: Parameters<typeof operate>[0], left: Value, right: Value): Value {
    if (operator === '..' || operator === '..<') return rangeOf(left, right, operator === '..<');
    if (typeof left === 'string' || typeof right === 'string' || typeof left === 'object') {
      this.#weigh(left);
      this.#weigh(right);
    }
    return operate(operator, left, right);
  }

  #unary(operator: '-' | '+' | '!' | '~', value: Value): Value {
    if (operator === '!') return !isTrue(value);
    if (operator === '-') return negated(value);
    return operator === '~' ? inverted(value) : value;
  }

  #logical({ operator, left, right }: Extract<Node, { kind: 'logical' }>, scope: Scope): Value {
    const first = this.#value(left, scope);
    if (operator === '?:') return isTrue(first) ? first : this.#value(right, scope);
    if (isTrue(first) === (operator === '||')) return operator === '||';
    return isTrue(this.#value(right, scope));
  }

  #named(name: string, scope: Scope): Value {
    const value = scope.get(name);
    if (value !== undefined) return value;
    if (Object.hasOwn(CLASSES, name)) return CLASSES[name]!;
    throw new GroovyError('MissingPropertyException', `No such property: ${name} for class: Script1`);
  }

  #closure({ parameters, body }: Extract<Node, { kind: 'closure' }>, around: Scope): Closure {
    const run = (operands: readonly Value[]): Value => {
      this.#spend(1);
      if (++this.#calls > MOST_CALLS)
        throw new GroovyError('StackOverflowError', `more than ${MOST_CALLS} closures within closures`);
      const scope = new Scope(around);
      const names = parameters ?? ['it'];
      for (const [i, name] of names.entries()) scope.define(name, operands[i] ?? null);
      const value = this.#body(body, scope);
      this.#calls--;
      return value;
    };
    // Whoever calls it can ask how many values it takes.
    Object.defineProperty(run, 'length', { value: parameters?.length ?? 1 });
    return run;
  }

  #call({ object, name, safe, operands }: Extract<Node, { kind: 'call' }>, scope: Scope): Value {
    const self = this.#value(object, scope);
    if (self === null && safe) return null;
    const given = operands.map((each) => this.#value(each, scope));
    return callMethod(self, name, given, this.#spend);
  }

  #read(node: Extract<Node, { kind: 'member' | 'index' }>, scope: Scope): Value {
    const self = this.#value(node.object, scope);
    if (node.kind === 'index') return this.#element(self, this.#value(node.index, scope));
    if (self === null && node.safe) return null;
    return this.#member(self, node.name);
  }

  #member(self: Value, name: string): Value {
    if (self === null)
      throw new GroovyError('NullPointerException', `Cannot get property '${name}' on null object`);
    if (self instanceof Map) return self.get(name) ?? null;
    if (self instanceof HostObject) {
      const value = self.member(name);
      if (value !== undefined) return value;
    }
    // The members of all elements.
    if (Array.isArray(self)) {
      this.#spend(self.length);
      return self.map((each) => this.#member(each, name));
    }
    throw new GroovyError('MissingPropertyException', `No such property: ${name} for class: ${typeOf(self)}`);
  }

  #element(self: Value, index: Value): Value {
    if (self === null)
      throw new GroovyError('NullPointerException', 'Cannot invoke method getAt() on null object');
    if (self instanceof Map) return self.get(keyOf(index)) ?? null;
    if (self instanceof HostObject) return this.#member(self, keyOf(index));
    if (typeof self === 'string') return letters(self, index);
    const elements = elementsOf(self);
    if (elements === undefined) return this.#member(self, keyOf(index));
    if (index instanceof Range) {
      this.#spend(index.size);
      return elementsOf(index)!.map((at) => elements[placeIn(elements.length, at)] ?? null);
    }
    // Behind the end there is nothing; before the beginning is a mistake.
    const at = placeIn(elements.length, index);
    if (at < 0)
      throw new GroovyError(
        'ArrayIndexOutOfBoundsException',
        `Negative array index [${at - elements.length}] too large for array size ${elements.length}`,
      );
    return elements[at] ?? null;
  }

  /** Gives a name, a member or an element another value, which is returned. @param next may ask for the one before */
  #assign(target: Node, scope: Scope, next: (before: () => Value) => Value): Value {
    if (target.kind === 'name') {
      const value = next(() => this.#named(target.name, scope));
      if (!scope.set(target.name, value)) this.#top.define(target.name, value);
      return value;
    }
    if (target.kind !== 'member' && target.kind !== 'index')
      throw new GroovyError('GroovyBugError', 'no target of an assignment');
    const self = this.#value(target.object, scope);
    const key = target.kind === 'member' ? target.name : this.#value(target.index, scope);
    if (self === null)
      throw new GroovyError('NullPointerException', `Cannot set property '${keyOf(key)}' on null object`);
    const value = next(() =>
      target.kind === 'member' ? this.#member(self, target.name) : this.#element(self, key),
    );
    this.#put(self, key, value);
    return value;
  }

  #put(self: Value, key: Value, value: Value): void {
    if (self instanceof Map) {
      self.set(keyOf(key), value);
      return;
    }
    if (!Array.isArray(self) || !isWhole(key))
      throw new GroovyError(
        'MissingPropertyException',
        `No such property: ${keyOf(key)} for class: ${typeOf(self)}`,
      );
    const at = placeIn(self.length, key);
    if (at < 0)
      throw new GroovyError(
        'ArrayIndexOutOfBoundsException',
        `Negative array index [${at - self.length}] too large for array size ${self.length}`,
      );
    this.#spend(Math.max(0, at - self.length));
    while (self.length < at) self.push(null);
    self[at] = value;
  }
}

/** A place in a list, from its end where it is negative. */
function placeIn(length: number, index: Value): number {
  if (index === null || !isWhole(index))
    throw new GroovyError('MissingMethodException', `a list has no element ${textOf(index)}`);
  const at = Number(bigOf(index));
  return at < 0 ? length + at : at;
}

function letters(self: string, index: Value): string {
  const { length } = self;
  const one = (value: Value) => {
    const at = placeIn(length, value);
    if (at < 0 || at >= length)
      throw new GroovyError('StringIndexOutOfBoundsException', `String index out of range: ${textOf(value)}`);
    return self[at]!;
  };
  return index instanceof Range ? elementsOf(index)!.map(one).join('') : one(index);
}

/** Ranges of more numbers are refused. */
const MOST_NUMBERS = 100_000;

function rangeOf(from: Value, to: Value, withoutEnd: boolean): Value {
  if (!isWhole(from) || !isWhole(to))
    throw new GroovyError('IllegalArgumentException', 'ranges are of whole numbers in scripts here');
  const [first, last] = [Number(bigOf(from)), Number(bigOf(to))];
  if (withoutEnd && first === last) return [];
  const end = withoutEnd ? (last > first ? last - 1 : last + 1) : last;
  const range = new Range(first, end);
  if (range.size > MOST_NUMBERS)
    throw new GroovyError('IllegalArgumentException', `a range of more than ${MOST_NUMBERS} numbers`);
  return range;
}

/** The number that digits with a suffix are. */
export function numberOf(text: string): NumberValue {
  const isHex = /^0[xX]/.test(text);
  const suffix = isHex ? /[lLiIgG]$/.exec(text)?.[0] : /[lLiIgGdDfF]$/.exec(text)?.[0];
  const digits = suffix === undefined ? text : text.slice(0, -1);
  const kind = suffix?.toLowerCase();
  if (kind === 'd') return Number(digits);
  if (kind === 'f') return Math.fround(Number(digits));
  if (!isHex && /[.eE]/.test(digits)) return decimalOf(digits);
  const value = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
  if (kind === 'l') return BigInt.asIntN(64, value);
  return kind === 'g' ? new BigWhole(value) : wholeOf(value);
}
