/**
 * Objects whose keys are names that requests give. All objects of JavaScript have names of their own beside those, such as
 * `constructor`, and what is assigned to `__proto__` becomes no key.
 */

/** What an object has under a name itself. */
export function ownValue<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Puts a value under a name, whatever that is. */
export function putOwn<T>(object: Record<string, T>, name: string, value: T): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  else object[name] = value;
}

/** Puts all of an object's values into another one, as `Object.assign` does. */
export function putAll<T>(object: Record<string, T>, values: Readonly<Record<string, T>>): void {
  for (const name of Object.keys(values)) putOwn(object, name, values[name]!);
}
