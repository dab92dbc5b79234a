/** Methods of lists, and of what can be walked over as they can. */
import { compare, holds, isEqual, operate } from '../arithmetic.js';
import { elementsOf, Int, isTrue, textOf, truncated, type Value } from '../values.js';
import { closure, list, type Methods, number, outside, place, type Spend, text } from './operands.js';

/** What may be asked of elements, whether they can be changed or not. */
export const ELEMENTS: Methods<readonly Value[]> = {
  size: (self) => new Int(self.length),
  isEmpty: (self) => self.length === 0,
  get: (self, [at]) => elementAt(self, place(at)),
  getAt: (self, [at]) => elementAt(self, place(at)),
  contains: (self, [value], spend) => {
    spend(self.length);
    return holds([...self], value ?? null);
  },
  containsAll: (self, [other], spend) => {
    const wanted = list(other);
    spend(self.length * wanted.length);
    return wanted.every((each) => self.some((own) => isEqual(own, each)));
  },
  indexOf: (self, [value], spend) => {
    spend(self.length);
    return new Int(self.findIndex((each) => isEqual(each, value ?? null)));
  },
  first: (self) => elementAt(self, 0),
  last: (self) => elementAt(self, self.length - 1),
  head: (self) => elementAt(self, 0),
  take: (self, [count]) => self.slice(0, Math.max(0, place(count))),
  drop: (self, [count]) => self.slice(Math.max(0, place(count))),
  subList: (self, [from, to]) => {
    const [first, end] = [place(from), place(to)];
    if (first < 0 || end > self.length || first > end)
      throw outside('IndexOutOfBoundsException', `fromIndex: ${first}, toIndex: ${end}`);
    return self.slice(first, end);
  },
  join: (self, [by]) => self.map((each) => textOf(each)).join(by === undefined ? '' : text(by)),
  reverse: (self) => [...self].reverse(),
  each: (self, [call]) => {
    const called = closure(call);
    for (const each of self) called([each]);
    return [...self];
  },
  eachWithIndex: (self, [call]) => {
    const called = closure(call);
    for (const [i, each] of self.entries()) called([each, new Int(i)]);
    return [...self];
  },
  collect: (self, [call]) => {
    const called = closure(call);
    return self.map((each) => called([each]));
  },
  find: (self, [call]) => {
    const called = closure(call);
    return self.find((each) => isTrue(called([each]))) ?? null;
  },
  findAll: (self, [call]) => {
    const called = closure(call);
    return self.filter((each) => isTrue(called([each])));
  },
  any: (self, [call]) => self.some((each) => isTrue(call === undefined ? each : closure(call)([each]))),
  every: (self, [call]) => self.every((each) => isTrue(call === undefined ? each : closure(call)([each]))),
  count: (self, [what]) => {
    const fits =
      typeof what === 'function'
        ? (each: Value) => isTrue(what([each]))
        : (each: Value) => isEqual(each, what ?? null);
    return new Int(self.filter(fits).length);
  },
  sum: (self, [call]) => {
    const values = call === undefined ? self : self.map((each) => closure(call)([each]));
    return values.length === 0 ? null : values.reduce((sum, each) => operate('+', sum, each));
  },
  max: (self, [call]) => best(self, call, 1),
  min: (self, [call]) => best(self, call, -1),
  inject: (self, [first, call]) => {
    const called = closure(call);
    return self.reduce<Value>((sum, each) => called([sum, each]), first ?? null);
  },
  plus: (self, [other]) => operate('+', [...self], other ?? null),
  minus: (self, [other], spend) => {
    spend(self.length * (elementsOf(other ?? null)?.length ?? 1));
    return operate('-', [...self], other ?? null);
  },
  flatten: (self, _, spend) => flat(self, spend),
  unique: (self, operands, spend) => distinct(self, operands, spend),
  sort: (self, operands, spend) => sorted(self, operands, spend),
  toList: (self) => [...self],
};

function flat(values: readonly Value[], spend: Spend): Value[] {
  return values.flatMap((each) => {
    spend(1);
    const inner = elementsOf(each);
    return inner === undefined ? [each] : flat(inner, spend);
  });
}

function distinct(self: readonly Value[], [call]: readonly Value[], spend: Spend): Value[] {
  const found: { key: Value; value: Value }[] = [];
  for (const value of self) {
    spend(found.length);
    const key = typeof call === 'function' ? call([value]) : value;
    if (!found.some((each) => isEqual(each.key, key))) found.push({ key, value });
  }
  return found.map(({ value }) => value);
}

function sorted(self: readonly Value[], [call]: readonly Value[], spend: Spend): Value[] {
  spend(self.length);
  if (typeof call !== 'function') return [...self].sort(compare);
  if (call.length === 2) return [...self].sort((a, b) => Number(truncated(number(call([a, b])))));
  const keyed = self.map((value) => ({ key: call([value]), value }));
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ value }) => value);
}

function best(self: readonly Value[], call: Value | undefined, sign: number): Value {
  let found: { key: Value; value: Value } | undefined;
  for (const value of self) {
    const key = typeof call === 'function' ? call([value]) : value;
    if (found === undefined || compare(key, found.key) * sign > 0) found = { key, value };
  }
  return found?.value ?? null;
}

function elementAt(self: readonly Value[], at: number): Value {
  const found = self[at];
  if (found !== undefined) return found;
  throw outside('IndexOutOfBoundsException', `Index: ${at}, Size: ${self.length}`);
}

/** What changes a list. */
export const LISTS: Methods<Value[]> = {
  add: (self, operands) => {
    if (operands.length < 2) {
      self.push(operands[0] ?? null);
      return true;
    }
    const at = place(operands[0]);
    if (at < 0 || at > self.length)
      throw outside('IndexOutOfBoundsException', `Index: ${at}, Size: ${self.length}`);
    self.splice(at, 0, operands[1]!);
    return null;
  },
  push: (self, [value]) => {
    self.push(value ?? null);
    return true;
  },
  leftShift: (self, [value]) => {
    self.push(value ?? null);
    return self;
  },
  pop: (self) => self.pop() ?? empty(),
  addAll: (self, [other], spend) => {
    const added = list(other);
    spend(added.length);
    for (const each of [...added]) self.push(each);
    return added.length > 0;
  },
  set: (self, [at, value]) => {
    const before = elementAt(self, place(at));
    self[place(at)] = value ?? null;
    return before;
  },
  // An int is a place, anything else a value.
  remove: (self, [what]) => {
    if (!(what instanceof Int)) return removed(self, what ?? null);
    const gone = elementAt(self, what.value);
    self.splice(what.value, 1);
    return gone;
  },
  removeElement: (self, [what]) => removed(self, what ?? null),
  removeAll: (self, [what], spend) => kept(self, what, false, spend),
  retainAll: (self, [what], spend) => kept(self, what, true, spend),
  clear: (self) => {
    self.length = 0;
    return null;
  },
  unique: (self, operands, spend) => replaced(self, distinct(self, operands, spend)),
  sort: (self, operands, spend) => replaced(self, sorted(self, operands, spend)),
};

function empty(): never {
  throw outside('NoSuchElementException', 'Cannot pop() an empty List');
}

function removed(self: Value[], what: Value): boolean {
  const at = self.findIndex((each) => isEqual(each, what));
  if (at >= 0) self.splice(at, 1);
  return at >= 0;
}

function kept(self: Value[], what: Value | undefined, wanted: boolean, spend: Spend): boolean {
  const others = typeof what === 'function' ? [] : list(what);
  spend(self.length * Math.max(1, others.length));
  const fits =
    typeof what === 'function'
      ? (each: Value) => isTrue(what([each]))
      : (each: Value) => others.some((other) => isEqual(each, other));
  const left = self.filter((each) => fits(each) === wanted);
  const changed = left.length < self.length;
  replaced(self, left);
  return changed;
}

function replaced(self: Value[], by: readonly Value[]): Value[] {
  const values = [...by];
  self.length = 0;
  for (const each of values) self.push(each);
  return self;
}
