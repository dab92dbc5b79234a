/** Completion within a body: names and values by their place, and the fields of the index. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { MappedField } from '../api/mappingFields';
import { type BodyPlace, kindOfValue, parametersOf, placeBelow, rootOf } from './bodyPlace';
import { type JsonCursor, jsonCursor } from './jsonCursor';
import type { DslTables, ValueKind } from './tables';

/** What is completed with. */
export interface Known {
  tables: DslTables;
  fields: readonly MappedField[];
  types: readonly string[];
  /** Analyzers that the index defines. */
  analyzers: readonly string[];
}

/** One thing that may stand at the cursor. */
export interface Offer {
  text: string;
  /** What it is: `query`, `number`, a field's type. */
  detail: string;
  /** What stands behind a name: brackets, quotes, or nothing. */
  value: '{}' | '[]' | '""' | '';
}

/** Parameters that are names of fields. */
const FIELD_PARAMETERS = new Set([
  'field',
  'fields',
  'default_field',
  'fielddata_fields',
  'path',
  'nested_path',
  '_source',
  'include',
  'exclude',
  'sort',
  'matched_fields',
]);
const TYPE_PARAMETERS = new Set(['type', 'types', 'parent_type', 'child_type', '_type']);

/**
 * What may stand where a cursor is, in a body that is sent to `path`.
 * @param below names of what the text stands in, where it is a part of the body
 */
export function offersAt(
  cursor: JsonCursor,
  path: string,
  known: Known,
  below: readonly string[] = [],
): Offer[] {
  const root = placeBelow(rootOf(path), below, known.tables);
  if (cursor.isName) {
    const inner = placeBelow(root, cursor.path, known.tables);
    const names = new Set(cursor.names);
    return namesAt(inner, known).filter(({ text }) => !names.has(text));
  }
  const isList = typeof cursor.path.at(-1) === 'number';
  const above = isList ? cursor.path.slice(0, lastName(cursor.path)) : cursor.path;
  const name = isList ? cursor.path[lastName(cursor.path)] : cursor.name;
  if (typeof name !== 'string') return [];
  return valuesAt(placeBelow(root, above, known.tables), name, known);
}

/** Where the last name of a path stands. */
function lastName(path: readonly (string | number)[]): number {
  let at = path.length - 1;
  while (at >= 0 && typeof path[at] === 'number') at--;
  return at;
}

function namesAt(place: BodyPlace, known: Known): Offer[] {
  const { tables } = known;
  const kinds = (names: readonly string[], detail: string): Offer[] =>
    names.map((text) => ({ text, detail, value: '{}' }));
  switch (place.is) {
    case 'query':
      return kinds(tables.queries, 'query');
    case 'filter':
      return tables.filters.map((text) => ({
        text,
        detail: 'filter',
        value: text === 'and' || text === 'or' ? '[]' : '{}',
      }));
    case 'aggregation':
      return [...kinds(tables.aggregations, 'aggregation'), ...kinds(['aggs'], 'below each bucket')];
    case 'sort':
      return [...kinds(['_score', '_geo_distance', '_script'], 'sort'), ...fieldOffers(known, '{}')];
    case 'parameters': {
      const own = Object.entries(parametersOf(place, tables)).map(([text, kind]) =>
        parameterOffer(text, kind, tables, place),
      );
      if (place.fields === undefined) return own;
      return [...fieldOffers(known, place.fields === '' ? '""' : '{}'), ...own];
    }
    default:
      return [];
  }
}

function parameterOffer(text: string, kind: ValueKind, tables: DslTables, place: BodyPlace): Offer {
  const detail = typeof kind === 'string' ? (kind === 'any' ? '' : kind) : kind.slice(0, 3).join(' | ');
  if (typeof kind !== 'string' || kind === 'analyzer' || kind === 'field')
    return { text, detail, value: '""' };
  if (kind === 'queries' || kind === 'filters' || kind === 'query' || kind === 'filter') {
    const isList = /^(must|must_not|should|queries|clauses)$/.test(text);
    return { text, detail, value: isList ? '[]' : '{}' };
  }
  if (text === 'fields' && place.is === 'parameters' && place.place === 'highlight')
    return { text, detail, value: '{}' };
  if (/^(fields|ranges|percents|functions|ids|values|types|indices)$/.test(text))
    return { text, detail, value: '[]' };
  const inner = placeBelow(place, [text], tables);
  return {
    text,
    detail,
    value: inner.is === 'unknown' ? (kind === 'any' && FIELD_PARAMETERS.has(text) ? '""' : '') : '{}',
  };
}

function fieldOffers({ fields }: Known, value: Offer['value']): Offer[] {
  return fields.map(({ path, type, isAnalyzed }) => ({
    text: path,
    detail: type === 'string' && !isAnalyzed ? 'string, not analyzed' : type,
    value,
  }));
}

function valuesAt(place: BodyPlace, name: string, known: Known): Offer[] {
  const kind = kindOfValue(place, name, known.tables);
  const texts = (list: readonly string[], detail: string): Offer[] =>
    list.map((text) => ({ text, detail, value: '' }));
  if (place.is === 'sort' || name === 'sort')
    return [...texts(['_score', '_doc'], 'sort'), ...fieldOffers(known, '')];
  if (kind === 'boolean') return texts(['true', 'false'], 'boolean');
  if (kind === 'analyzer') return texts([...known.analyzers, ...known.tables.analyzers], 'analyzer');
  if (kind === 'field' || (kind !== undefined && FIELD_PARAMETERS.has(name))) return fieldOffers(known, '');
  if (kind === 'any' && TYPE_PARAMETERS.has(name)) return texts(known.types, 'type');
  return typeof kind === 'object' ? texts(kind, '') : [];
}

/** A body within a document: where it is, where it is sent to, and the names of what it stands in. */
interface Body {
  from: number;
  to: number;
  path: string;
  below?: readonly string[];
}

/**
 * A source of completions for CodeMirror.
 * @param bodyAt the body that an offset of the document stands in: where it begins, and the path that it is sent to
 */
export function bodyCompletion(
  bodyAt: (context: CompletionContext) => Body | undefined,
  knownFor: (path: string) => Promise<Known | undefined>,
) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const body = bodyAt(context);
    if (body === undefined) return null;
    const text = context.state.sliceDoc(body.from, body.to);
    const cursor = jsonCursor(text, context.pos - body.from);
    const isTyping = cursor.isInString || cursor.from < context.pos - body.from;
    if (!isTyping && !context.explicit) return null;
    const known = await knownFor(body.path);
    if (known === undefined || context.aborted) return null;
    const offers = offersAt(cursor, body.path, known, body.below);
    if (offers.length === 0) return null;
    return {
      from: body.from + cursor.from,
      options: offers.map((offer) => completion(offer, cursor)),
      // What is typed goes on within the same token.
      validFor: /^"?[\w.*-]*$/,
    };
  };
}

function completion({ text, detail, value }: Offer, { isName, isInString }: JsonCursor): Completion {
  const isBare = !isName && /^(true|false)$/.test(text) && !isInString;
  const quoted = isBare ? text : JSON.stringify(text);
  return {
    label: quoted,
    displayLabel: text,
    detail,
    apply(view, _, from, to) {
      const after = view.state.sliceDoc(to, to + 1);
      const end = after === '"' && isInString ? to + 1 : to;
      const hasValue = /^\s*:/.test(view.state.sliceDoc(end, end + 20));
      const insert = isName && !hasValue ? `${quoted}: ${value}` : quoted;
      const inside = isName && !hasValue && value !== '' ? 1 : 0;
      view.dispatch({
        changes: { from, to: end, insert },
        selection: { anchor: from + insert.length - inside },
        userEvent: 'input.complete',
      });
    },
  };
}
