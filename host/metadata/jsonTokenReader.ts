/** A parsed body read again token by token, as 1.7's handlers read theirs: what stands where they expect nothing is passed over. */
import { isCompound } from '../json/values.js';

export type Token =
  | 'START_OBJECT'
  | 'END_OBJECT'
  | 'START_ARRAY'
  | 'END_ARRAY'
  | 'FIELD_NAME'
  | 'VALUE_STRING'
  | 'VALUE_NUMBER'
  | 'VALUE_BOOLEAN'
  | 'VALUE_NULL';

/** An object or a list that is being read. */
interface Open {
  readonly value: object;
  readonly entries: Iterator<[string | undefined, unknown]>;
  /** The name that was read last in it. */
  name: string | undefined;
  /** What stands behind that name. */
  waiting: { value: unknown } | undefined;
}

/** Stands in front of the first token. */
export class Tokens {
  readonly #open: Open[] = [];
  #root: { value: unknown } | undefined;
  /** What the token that was read last stands for: a scalar, a name, or a whole object or list. */
  value: unknown;

  constructor(root: unknown) {
    this.#root = { value: root };
  }

  /** The name that was read last where the reader is; of an object or list that has just begun, its own. */
  get name(): string | undefined {
    const at = this.#open.at(-1);
    return at?.value === this.value ? this.#open.at(-2)?.name : at?.name;
  }

  /** The next token; undefined behind the last. */
  next(): Token | undefined {
    if (this.#root !== undefined) {
      const { value } = this.#root;
      this.#root = undefined;
      return this.#begin(value);
    }
    const at = this.#open.at(-1);
    if (at === undefined) return undefined;
    if (at.waiting !== undefined) {
      const { value } = at.waiting;
      at.waiting = undefined;
      return this.#begin(value);
    }
    const entry = at.entries.next();
    if (entry.done) {
      this.#open.pop();
      this.value = undefined;
      return Array.isArray(at.value) ? 'END_ARRAY' : 'END_OBJECT';
    }
    const [name, value] = entry.value;
    if (name === undefined) return this.#begin(value);
    at.name = name;
    at.waiting = { value };
    this.value = name;
    return 'FIELD_NAME';
  }

  /** Goes to the end of the object or list that has just begun. */
  skip(): void {
    this.#open.pop();
    this.value = undefined;
  }

  #begin(value: unknown): Token {
    this.value = value;
    if (isCompound(value)) {
      const isList = Array.isArray(value);
      const entries = isList
        ? value.map((each): [undefined, unknown] => [undefined, each]).values()
        : Object.entries(value).values();
      this.#open.push({
        value,
        entries,
        name: isList ? this.#open.at(-1)?.name : undefined,
        waiting: undefined,
      });
      return isList ? 'START_ARRAY' : 'START_OBJECT';
    }
    if (typeof value === 'string') return 'VALUE_STRING';
    if (typeof value === 'boolean') return 'VALUE_BOOLEAN';
    return value === null || value === undefined ? 'VALUE_NULL' : 'VALUE_NUMBER';
  }
}

/** Whether a token is a scalar that isn't null. */
export function isScalar(token: Token): boolean {
  return token === 'VALUE_STRING' || token === 'VALUE_NUMBER' || token === 'VALUE_BOOLEAN';
}
