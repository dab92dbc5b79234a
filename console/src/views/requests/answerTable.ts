/** Answers as tables: hits with their fields as columns, buckets, the tables of `_cat`. */
import { isObject, type Json, type JsonObject, LosslessNumber, writeJson } from '../../api/json';

export interface AnswerTable {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** How many rows there are; the first of them are made. */
  count: number;
  /** Columns of numbers, by position. */
  numbers: ReadonlySet<number>;
}

/** Columns of a table: documents may have thousands of fields. */
const MAX_COLUMNS = 100;

/**
 * All tables that an answer can be shown as.
 * @param limit rows that are made of each: an answer may have thousands of documents
 */
export function tablesOf(answer: Json | undefined, text: string, limit = 200): AnswerTable[] {
  const ofObjects = (
    title: string,
    objects: readonly Json[],
    rowOf: (object: JsonObject) => JsonObject = same,
  ) => tableOf(title, objects, rowOf, limit);
  if (answer === undefined) return catTable(text, limit);
  if (Array.isArray(answer)) return answer.some(isObject) ? [ofObjects('Rows', answer)] : [];
  if (!isObject(answer)) return [];
  const tables: AnswerTable[] = [];
  const hits = hitsOf(answer);
  if (hits.length > 0) tables.push(ofObjects('Hits', hits, rowOfHit));
  if (Array.isArray(answer.docs)) tables.push(ofObjects('Documents', answer.docs, rowOfHit));
  if (Array.isArray(answer.items)) tables.push(ofObjects('Items', answer.items, rowOfItem));
  if (Array.isArray(answer.tokens)) tables.push(ofObjects('Tokens', answer.tokens));
  if (isObject(answer.aggregations)) addBuckets(tables, answer.aggregations, ofObjects);
  if (isObject(answer.facets)) addFacets(tables, answer.facets, ofObjects);
  return tables;
}

/** Whether there is any, without making them: an answer may have thousands of hits. */
export function hasTables(answer: Json | undefined, text: string): boolean {
  if (answer === undefined) return catTable(text, 1).length > 0;
  if (Array.isArray(answer)) return answer.some(isObject);
  if (!isObject(answer)) return false;
  const { docs, items, tokens, aggregations, facets } = answer;
  const lists = [docs, items, tokens].some((each) => Array.isArray(each) && each.length > 0);
  const objects = [aggregations, facets].some((each) => isObject(each) && Object.keys(each).length > 0);
  return lists || objects || hitsOf(answer).length > 0;
}

/** The hits of a search. */
export function hitsOf(answer: Json | undefined): JsonObject[] {
  if (!isObject(answer) || !isObject(answer.hits) || !Array.isArray(answer.hits.hits)) return [];
  return answer.hits.hits.filter(isObject);
}

function rowOfHit(hit: JsonObject): JsonObject {
  const { _id, _score, _source, fields, found, error } = hit;
  return {
    _id,
    ...(_score === undefined || _score === null ? {} : { _score }),
    ...(isObject(_source) ? flat(_source) : {}),
    ...(isObject(fields) ? flat(fields) : {}),
    ...(found === false ? { found } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

function rowOfItem(item: JsonObject): JsonObject {
  const [action = '', inner] = Object.entries(item)[0] ?? [];
  return { action, ...(isObject(inner) ? inner : {}) };
}

/** Objects in objects become columns with dots in their names. */
function flat(object: JsonObject, above = ''): JsonObject {
  const result: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    if (isObject(value) && Object.keys(value).length > 0)
      Object.assign(result, flat(value, `${above}${name}.`));
    else result[`${above}${name}`] = value;
  }
  return result;
}

function addBuckets(tables: AnswerTable[], aggregations: JsonObject, ofObjects: Maker): void {
  for (const [name, value] of Object.entries(aggregations)) {
    if (!isObject(value) || tables.length >= 20) continue;
    const buckets = Array.isArray(value.buckets)
      ? value.buckets.filter(isObject)
      : isObject(value.buckets)
        ? Object.entries(value.buckets).map(([key, bucket]) => ({ key, ...(isObject(bucket) ? bucket : {}) }))
        : undefined;
    if (buckets === undefined) {
      const { value: single, ...rest } = value;
      tables.push(ofObjects(name, [single === undefined ? flat(rest) : { value: single }]));
      continue;
    }
    tables.push(ofObjects(name, buckets, rowOfBucket));
  }
}

/** A bucket with the metrics below it. */
function rowOfBucket(bucket: JsonObject): JsonObject {
  const row: JsonObject = {};
  for (const [name, value] of Object.entries(bucket)) {
    if (!isObject(value)) row[name] = value;
    else if (value.value !== undefined) row[name] = value.value;
    else if (Array.isArray(value.buckets)) row[name] = `${value.buckets.length} buckets`;
    else if (value.doc_count !== undefined) row[name] = value.doc_count;
    else Object.assign(row, flat(value, `${name}.`));
  }
  return row;
}

function addFacets(tables: AnswerTable[], facets: JsonObject, ofObjects: Maker): void {
  for (const [name, facet] of Object.entries(facets)) {
    if (!isObject(facet)) continue;
    const list = ['terms', 'entries', 'ranges'].map((key) => facet[key]).find(Array.isArray);
    tables.push(ofObjects(name, list ?? [facet]));
  }
}

/** Makes a table of objects. */
type Maker = (
  title: string,
  objects: readonly Json[],
  rowOf?: (object: JsonObject) => JsonObject,
) => AnswerTable;

const same = (object: JsonObject): JsonObject => object;

function tableOf(
  title: string,
  all: readonly Json[],
  rowOf: (object: JsonObject) => JsonObject,
  limit: number,
): AnswerTable {
  const objects = all.slice(0, limit).filter(isObject).map(rowOf);
  const columns = [...new Set(objects.flatMap((each) => Object.keys(each)))].slice(0, MAX_COLUMNS);
  const numbers = new Set<number>();
  for (const [i, column] of columns.entries()) {
    const isNumber = objects.every(
      ({ [column]: value }) => value === undefined || value === null || isDigits(value),
    );
    if (isNumber && column !== '_id') numbers.add(i);
  }
  const rows = objects.map((each) => columns.map((column) => cellText(each[column])));
  return { title, columns, rows, count: all.length, numbers };
}

function isDigits(value: Json): boolean {
  return typeof value === 'number' || value instanceof LosslessNumber;
}

/** A value in one cell. */
export function cellText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (value instanceof LosslessNumber) return value.value;
  if (typeof value === 'object') return writeJson(value);
  return String(value);
}

/** The columns of a table of `_cat` begin where all of its rows have a space before them. */
function catTable(text: string, limit: number): AnswerTable[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 1 || lines.length > 100_000 || !/\S\s+\S/.test(lines[0]!)) return [];
  const width = Math.max(...lines.slice(0, 1000).map((line) => line.length));
  const starts: number[] = [];
  let wasSpace = true;
  for (let at = 0; at < width; at++) {
    const isSpace = lines.every((line) => (line[at] ?? ' ') === ' ');
    if (!isSpace && wasSpace) starts.push(at);
    wasSpace = isSpace;
  }
  const cells = lines.map((line) =>
    starts.map((start, i) => line.slice(start, starts[i + 1] ?? undefined).trim()),
  );
  const hasHead = /^[a-z]/.test(lines[0]!) && cells[0]!.every((cell) => /^[a-zA-Z][\w.:]*$/.test(cell));
  const columns = hasHead ? cells[0]! : starts.map((_, i) => String(i + 1));
  const rows = (hasHead ? cells.slice(1) : cells).slice(0, limit);
  const numbers = new Set(
    columns.flatMap((_, i) => (rows.every((row) => /^-?[\d.]+[a-z%]{0,2}$/.test(row[i]!)) ? [i] : [])),
  );
  return [{ title: 'Table', columns, rows, count: cells.length - (hasHead ? 1 : 0), numbers }];
}
