/** What methods are made of: operands as what they have to be, and the work that is counted. */
import { GroovyError } from '../tokens.js';
import {
  bigOf,
  type Closure,
  elementsOf,
  isNumberValue,
  isWhole,
  type NumberValue,
  type Value,
} from '../values.js';

/** Counts work, and throws where there has been too much of it. */
export type Spend = (units: number) => void;

type Method<T> = (self: T, operands: readonly Value[], spend: Spend) => Value;
export type Methods<T> = Readonly<Record<string, Method<T>>>;

/** A call can't be made with these operands. */
export class Unfit extends Error {}

export function text(value: Value | undefined): string {
  if (typeof value !== 'string') throw new Unfit();
  return value;
}

export function number(value: Value | undefined): NumberValue {
  if (value === undefined || value === null || !isNumberValue(value)) throw new Unfit();
  return value;
}

export function place(value: Value | undefined): number {
  if (value === undefined || value === null || !isWhole(value)) throw new Unfit();
  return Number(bigOf(value));
}

export function closure(value: Value | undefined): Closure {
  if (typeof value !== 'function') throw new Unfit();
  return value;
}

export function list(value: Value | undefined): readonly Value[] {
  const elements = value === undefined ? undefined : elementsOf(value);
  if (elements === undefined) throw new Unfit();
  return elements;
}

export function map(value: Value | undefined): Map<string, Value> {
  if (!(value instanceof Map)) throw new Unfit();
  return value;
}

export function outside(name: string, detail: string): GroovyError {
  return new GroovyError(name, detail);
}
