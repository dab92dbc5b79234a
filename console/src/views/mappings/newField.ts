/** The request that adds a field, or another form of one. */
import { isObject, type JsonObject, parseJson } from '../../api/json';
import type { FieldNode } from './mappingTree';

export interface NewField {
  /** With dots where it stands in objects. */
  path: string;
  type: string;
  /** Of strings; empty for that of the index, {@link NOT_ANALYZED} for one term. */
  analyzer: string;
  /** More parameters as JSON; empty for none. */
  more: string;
}

export const NOT_ANALYZED = '(not analyzed)';

/** The mapping of the field alone. Throws `SyntaxError` where `more` is no JSON. */
export function mappingOf({ type, analyzer, more }: NewField): JsonObject {
  const extra = more.trim() === '' ? {} : parseJson(more);
  if (!isObject(extra)) throw new SyntaxError('More parameters have to be a JSON object.');
  if (type !== 'string' || analyzer === '') return { type, ...extra };
  return analyzer === NOT_ANALYZED ? { type, index: 'not_analyzed', ...extra } : { type, analyzer, ...extra };
}

/**
 * The body of `PUT /{index}/_mapping/{type}`.
 * @param known the fields there are: objects keep being what they are, and a form of a field is sent with all that the field has
 * @param mapping of the type: what it says of `_timestamp`, `_parent` and their kin is sent along, as leaving it out would change it
 */
export function addingBody(
  typeName: string,
  field: NewField,
  known: readonly FieldNode[],
  mapping: JsonObject = {},
): JsonObject {
  const kept = Object.fromEntries(Object.entries(mapping).filter(([name]) => name.startsWith('_')));
  return { [typeName]: { ...kept, properties: below(field.path.split('.'), mappingOf(field), known) } };
}

function below(parts: readonly string[], mapping: JsonObject, known: readonly FieldNode[]): JsonObject {
  const [first = '', ...rest] = parts;
  if (rest.length === 0) return { [first]: mapping };
  const found = known.find(({ name }) => name === first);
  if (found === undefined) return { [first]: { properties: below(rest, mapping, []) } };
  const isObjectField = found.type === 'object' || found.type === 'nested';
  if (isObjectField)
    return {
      [first]: {
        ...(found.type === 'nested' ? { type: 'nested' } : {}),
        properties: below(rest, mapping, found.inner),
      },
    };
  const { fields, ...own } = found.mapping;
  return { [first]: { ...own, fields: { ...(isObject(fields) ? fields : {}), [rest.join('.')]: mapping } } };
}

/** Whether the path is a further form of a field: it stands below one that is no object. */
export function isForm(path: string, known: readonly FieldNode[]): boolean {
  const [first = '', ...rest] = path.split('.');
  const found = known.find(({ name }) => name === first);
  if (found === undefined || rest.length === 0) return false;
  if (found.type === 'object' || found.type === 'nested') return isForm(rest.join('.'), found.inner);
  return true;
}

/** The field of that path, if there is one. */
export function existing(path: string, known: readonly FieldNode[]): FieldNode | undefined {
  for (const node of known) {
    if (node.path === path) return node;
    const found = existing(path, [...node.inner, ...node.forms]);
    if (found !== undefined) return found;
  }
  return undefined;
}
