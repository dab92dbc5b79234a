/** The values of a document, flat. */
import { isObject, type Json, type JsonObject } from '../../api/json';

/** A field with its values: texts, numbers, booleans, null. */
export interface FlatValue {
  /** With dots: `author.name`. */
  field: string;
  values: Json[];
}

/** Fields of documents that are read, at most: the rest is in the source. */
const MOST_FIELDS = 200;
const MOST_VALUES = 100;

/** In the order in which they stand in the document. */
export function flatValues(source: JsonObject): FlatValue[] {
  const found = new Map<string, FlatValue>();
  const visit = (value: Json | undefined, field: string): void => {
    if (Array.isArray(value)) {
      for (const each of value.slice(0, MOST_VALUES)) visit(each, field);
    } else if (isObject(value)) {
      for (const [name, inner] of Object.entries(value))
        visit(inner, field === '' ? name : `${field}.${name}`);
    } else if (value !== undefined) {
      const known = found.get(field);
      if (known !== undefined) known.values.push(value);
      else if (found.size < MOST_FIELDS) found.set(field, { field, values: [value] });
    }
  };
  visit(source, '');
  return [...found.values()];
}

const TITLES = /(^|\.)(title|name|headline|subject|label)$/i;
const TITLE_CHARS = 120;

/** What a document is called: its title or its name, otherwise its first short text. */
export function titleOf(values: readonly FlatValue[]): string | undefined {
  const texts = values.filter(({ values: [first] }) => typeof first === 'string' && first !== '');
  const named = texts.find(({ field }) => TITLES.test(field));
  const found =
    named ?? texts.find(({ values: [first] }) => (first as string).length <= TITLE_CHARS) ?? texts[0];
  if (found === undefined) return undefined;
  const text = found.values[0] as string;
  return text.length > TITLE_CHARS ? `${text.slice(0, TITLE_CHARS)}…` : text;
}
