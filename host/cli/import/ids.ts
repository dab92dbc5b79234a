/** Ids of documents. */
import { OPEN_OBJECT } from '../../json/jsonSyntax.js';
import { memberOf, NoJson, valueAt } from '../jsonSlices.js';

/** The id that a field gives, as a text; undefined unless it is a text or a number. Dots in its name lead into objects. */
export function idOf(object: Buffer, field: string): string | undefined {
  try {
    let at = 0;
    // A field whose name has dots wins.
    const member = memberOf(object, at, field);
    if (member !== undefined) return textOf(object, member);
    const names = field.split('.');
    for (const [i, name] of names.entries()) {
      if (object[at] !== OPEN_OBJECT) return undefined;
      const found = memberOf(object, at, name);
      if (found === undefined) return undefined;
      if (i === names.length - 1) return textOf(object, found);
      at = found.from;
    }
  } catch (e) {
    if (!(e instanceof NoJson)) throw e;
  }
  return undefined;
}

/** Numbers with all their digits. */
function textOf(object: Buffer, at: { from: number; to: number }): string | undefined {
  const value = valueAt(object, at);
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' ? object.toString('latin1', at.from, at.to) : undefined;
}
