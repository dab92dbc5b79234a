/** How 1.7 prints a sort, in the texts of errors. */
import { isCompound, isObject, type JsonObject } from '../../json/values.js';
import type { SortKey } from '../../plan/sortKeys.js';

const FIELD_DATA = 'org.elasticsearch.index.fielddata.fieldcomparator';

/** The keys of a sort, each with the name that the request gives it; the order is that of the JSON. */
export function printSort(json: unknown, keys: readonly SortKey<unknown>[]): string {
  const names = (Array.isArray(json) ? json : [json]).flatMap((each) => {
    if (!isObject(each)) return [String(each)];
    return Object.entries(each).map(([name, value]) =>
      name === '_geo_distance' && isObject(value) ? fieldOf(value) : name,
    );
  });
  return keys.map((key, i) => printKey(names[i] ?? '', key)).join(',');
}

/** Of a sort by distances, whose other keys are scalars, or say which objects count. */
function fieldOf(json: JsonObject): string {
  const isField = (name: string) =>
    (json[name] === null || isCompound(json[name])) && !name.startsWith('nested');
  return Object.keys(json).find(isField) ?? '';
}

function printKey(name: string, key: SortKey<unknown>): string {
  if (key.kind === 'score') return key.descending ? '<score>' : '<score>!';
  const text = key.kind === 'document' ? '<doc>' : `<custom:"${name}": ${comparator(key)}@${HASH}>`;
  return key.descending ? `${text}!` : text;
}

/** What Java prints behind the name of an object's class: no two are the same, and nobody relies on it. */
const HASH = '2f9f7dcb';

function comparator(key: SortKey<unknown>): string {
  if (key.kind === 'distance') return 'org.elasticsearch.search.sort.GeoDistanceSortParser$1';
  if (key.kind === 'script') return `org.elasticsearch.search.sort.ScriptSortParser$${key.textual ? 1 : 2}`;
  if (key.kind !== 'column' || key.type === 'string') return `${FIELD_DATA}.BytesRefFieldComparatorSource`;
  if (key.type === 'long') return `${FIELD_DATA}.LongValuesComparatorSource`;
  return `${FIELD_DATA}.${key.single ? 'Float' : 'Double'}ValuesComparatorSource`;
}
