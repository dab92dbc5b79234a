/** Methods of maps. */
import { isEqual } from '../arithmetic.js';
import { type Closure, HostObject, Int, isTrue, textOf, type Value } from '../values.js';
import { closure, map, type Methods } from './operands.js';

/** Calls a closure with an entry of a map, or with key and value where it takes two. */
function withEntry(call: Closure, key: string, value: Value): Value {
  return call.length === 2 ? call([key, value]) : call([new Entry(key, value)]);
}

/** An entry of a map. */
class Entry extends HostObject {
  readonly type = 'java.util.Map$Entry';
  readonly #key: string;
  readonly #value: Value;

  constructor(key: string, value: Value) {
    super();
    this.#key = key;
    this.#value = value;
  }

  member(name: string): Value | undefined {
    return name === 'key' ? this.#key : name === 'value' ? this.#value : undefined;
  }

  override call(name: string): Value | undefined {
    return name === 'getKey' ? this.#key : name === 'getValue' ? this.#value : undefined;
  }
}

export const MAPS: Methods<Map<string, Value>> = {
  size: (self) => new Int(self.size),
  isEmpty: (self) => self.size === 0,
  get: (self, [key, otherwise]) => {
    if (otherwise === undefined) return self.get(keyOf(key)) ?? null;
    // Groovy keeps what was missing.
    if (!self.has(keyOf(key))) self.set(keyOf(key), otherwise);
    return self.get(keyOf(key))!;
  },
  put: (self, [key, value]) => {
    const before = self.get(keyOf(key)) ?? null;
    self.set(keyOf(key), value ?? null);
    return before;
  },
  putAll: (self, [other], spend) => {
    const added = map(other);
    spend(added.size);
    for (const [key, value] of [...added]) self.set(key, value);
    return null;
  },
  remove: (self, [key]) => {
    const before = self.get(keyOf(key)) ?? null;
    self.delete(keyOf(key));
    return before;
  },
  containsKey: (self, [key]) => self.has(keyOf(key)),
  containsValue: (self, [value], spend) => {
    spend(self.size);
    return [...self.values()].some((each) => isEqual(each, value ?? null));
  },
  keySet: (self) => [...self.keys()],
  values: (self) => [...self.values()],
  entrySet: (self) => [...self].map(([key, value]) => new Entry(key, value)),
  clear: (self) => {
    self.clear();
    return null;
  },
  each: (self, [call]) => {
    const called = closure(call);
    for (const [key, value] of [...self]) withEntry(called, key, value);
    return self;
  },
  collect: (self, [call]) => {
    const called = closure(call);
    return [...self].map(([key, value]) => withEntry(called, key, value));
  },
  find: (self, [call]) => {
    const called = closure(call);
    const found = [...self].find(([key, value]) => isTrue(withEntry(called, key, value)));
    return found === undefined ? null : new Entry(...found);
  },
  findAll: (self, [call]) => {
    const called = closure(call);
    return new Map([...self].filter(([key, value]) => isTrue(withEntry(called, key, value))));
  },
  any: (self, [call]) => [...self].some(([key, value]) => isTrue(withEntry(closure(call), key, value))),
  every: (self, [call]) => [...self].every(([key, value]) => isTrue(withEntry(closure(call), key, value))),
  plus: (self, [other]) => new Map([...self, ...map(other)]),
};

/** A key as it stands in JSON. */
export function keyOf(value: Value | undefined): string {
  return textOf(value ?? null);
}
