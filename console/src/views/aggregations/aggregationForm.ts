/** What is built by clicks, and the JSON that it stands for: buckets within buckets, and numbers of each bucket. */
import { isObject, type Json, type JsonObject, LosslessNumber } from '../../api/json';
import type { MappedField } from '../../api/mappingFields';
import { type KindOption, kindOf } from './kinds';

/** One aggregation, with its options as they are typed. */
export interface Part {
  kind: string;
  field: string;
  options: Readonly<Record<string, string>>;
}

export interface Form {
  /** From the outermost to the innermost. */
  levels: readonly Part[];
  /** In each bucket of each level; alone where there are no levels. */
  metrics: readonly Part[];
}

/** Levels that can be built by clicks. */
export const MOST_LEVELS = 3;

/** Why a form is no aggregation yet, or its JSON. */
export function jsonOf(form: Form): { json: JsonObject } | { missing: string } {
  try {
    const metrics: JsonObject = {};
    for (const part of form.metrics) metrics[unusedName(metrics, part)] = { [part.kind]: bodyOf(part) };
    let json: JsonObject = metrics;
    for (const part of [...form.levels].reverse()) {
      const made: JsonObject = { [part.kind]: bodyOf(part) };
      if (Object.keys(json).length > 0) made.aggs = json;
      json = part === form.levels[0] ? { [nameOf(part)]: made } : { [nameOf(part)]: made, ...metrics };
    }
    return Object.keys(json).length === 0 ? { missing: 'Choose a field.' } : { json };
  } catch (error) {
    if (error instanceof Missing) return { missing: error.message };
    throw error;
  }
}

/** The form of an aggregation; undefined where clicks can't build it. */
export function formOf(json: Json | undefined): Form | undefined {
  const levels: Part[] = [];
  let metrics: Part[] = [];
  for (let inner = json; inner !== undefined; ) {
    if (!isObject(inner)) return undefined;
    let next: Json | undefined;
    let buckets = 0;
    metrics = [];
    for (const aggregation of Object.values(inner)) {
      const read = partOf(aggregation);
      if (read === undefined) return undefined;
      if (!kindOf(read.part.kind)!.hasBuckets) metrics.push(read.part);
      else if (++buckets > 1) return undefined;
      else {
        levels.push(read.part);
        next = read.aggs;
      }
    }
    inner = next;
  }
  const form = { levels, metrics };
  if (levels.length > MOST_LEVELS) return undefined;
  // What it doesn't say of the JSON would be lost.
  const again = jsonOf(form);
  return 'json' in again && isSame(again.json, json) ? form : undefined;
}

/** Something to begin with: the first field that fits. */
export function firstForm(fields: readonly MappedField[]): Form | undefined {
  const whole = fields.find(
    ({ type, isAnalyzed, nested }) => type === 'string' && !isAnalyzed && nested === undefined,
  );
  const field = whole ?? fields.find((each) => kindOf('terms')!.takes(each) && each.nested === undefined);
  return field === undefined
    ? undefined
    : { levels: [{ kind: 'terms', field: field.path, options: {} }], metrics: [] };
}

/** `by_country`, `avg_price`. */
export function nameOf({ kind, field }: Part): string {
  const what = (field === '' ? kind : field).replaceAll(/[^\p{L}\p{N}_]+/gu, '_');
  return kindOf(kind)?.hasBuckets === true ? `by_${what}` : `${kind}_${what}`;
}

class Missing extends Error {}

function bodyOf(part: Part): JsonObject {
  const kind = kindOf(part.kind)!;
  const body: JsonObject = {};
  if (kind.hasNoField !== true) {
    if (part.field === '') throw new Missing(`${kind.title}: choose a field.`);
    body.field = part.field;
  }
  for (const option of kind.options) {
    const text = part.options[option.name]?.trim() ?? '';
    if (text !== '') body[option.name] = optionJson(option, text, kind.title);
    else if (option.isRequired) throw new Missing(`${kind.title}: ${option.title.toLowerCase()} is missing.`);
  }
  return body;
}

function optionJson({ type, title }: KindOption, text: string, kind: string): Json {
  const number = (digits: string): number => {
    const value = Number(digits);
    if (digits.trim() === '' || !Number.isFinite(value))
      throw new Missing(`${kind}: ${title.toLowerCase()} needs numbers, not “${digits.trim()}”.`);
    return value;
  };
  switch (type) {
    case 'number':
      return number(text);
    case 'numbers':
      return text.split(',').map(number);
    case 'order': {
      const at = text.lastIndexOf(':');
      return { [text.slice(0, at)]: text.slice(at + 1) };
    }
    case 'ranges':
      return text.split(',').map((range) => rangeOf(range.trim(), number));
    case 'filters':
      return Object.fromEntries(text.split('\n').flatMap((line) => filterOf(line)));
    case 'text':
      return text;
  }
}

/** `10-20`, `-10`, `10-`; of dates, and of numbers below zero, `..` between them. */
function rangeOf(text: string, number: (digits: string) => number): JsonObject {
  const isDate = text.includes('..');
  const numbers = /^(\d*\.?\d*)\s*-\s*(\d*\.?\d*)$/.exec(text);
  const [from = '', to = ''] = isDate ? text.split('..', 2) : (numbers?.slice(1) ?? [text]);
  if (!isDate && numbers === null)
    throw new Missing('A range is written 10-20, -10 or 10-; of dates 2020-01-01..2021-01-01.');
  const range: JsonObject = {};
  const value = (end: string) => (isDate && !/^-?\d+(\.\d+)?$/.test(end) ? end : number(end));
  if (from.trim() !== '') range.from = value(from.trim());
  if (to.trim() !== '') range.to = value(to.trim());
  return range;
}

function filterOf(line: string): [string, Json][] {
  const text = line.trim();
  if (text === '') return [];
  const at = text.indexOf(': ');
  const [name, query] = at < 0 ? [text, text] : [text.slice(0, at), text.slice(at + 2).trim()];
  return [[name, { query: { query_string: { query } } }]];
}

function partOf(aggregation: Json | undefined): { part: Part; aggs: Json | undefined } | undefined {
  if (!isObject(aggregation)) return undefined;
  const { aggs, aggregations, ...rest } = aggregation;
  const [entry, ...more] = Object.entries(rest);
  if (entry === undefined || more.length > 0 || !isObject(entry[1])) return undefined;
  const kind = kindOf(entry[0]);
  if (kind === undefined) return undefined;
  const { field, ...told } = entry[1];
  const options: Record<string, string> = {};
  for (const [name, value] of Object.entries(told)) {
    const option = kind.options.find((each) => each.name === name);
    if (option === undefined) return undefined;
    options[name] = optionText(option, value);
  }
  return {
    part: { kind: kind.name, field: typeof field === 'string' ? field : '', options },
    aggs: aggs ?? aggregations,
  };
}

function optionText({ type }: KindOption, value: Json | undefined): string {
  if (type === 'order' && isObject(value)) {
    const [[name, direction] = ['', '']] = Object.entries(value);
    return `${name}:${String(direction)}`;
  }
  if (type === 'ranges' && Array.isArray(value)) return value.map(rangeText).join(', ');
  if (type === 'filters' && isObject(value))
    return Object.entries(value)
      .map(([name, filter]) => `${name}: ${queryStringOf(filter)}`)
      .join('\n');
  if (Array.isArray(value)) return value.map(String).join(', ');
  return value instanceof LosslessNumber ? value.value : String(value);
}

function rangeText(range: Json): string {
  if (!isObject(range)) return '';
  const { from = '', to = '' } = range;
  const isPlain = [from, to].every((end) => end === '' || (typeof end === 'number' && end >= 0));
  return `${String(from)}${isPlain ? '-' : '..'}${String(to)}`;
}

function queryStringOf(filter: Json | undefined): string {
  const query = isObject(filter) && isObject(filter.query) ? filter.query.query_string : undefined;
  return isObject(query) ? String(query.query) : '';
}

function unusedName(taken: JsonObject, part: Part): string {
  const name = nameOf(part);
  let unused = name;
  for (let i = 2; taken[unused] !== undefined; i++) unused = `${name}_${i}`;
  return unused;
}

/** The same JSON but for the names of aggregations, which a form makes by itself. */
function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return JSON.stringify(withoutNames(a)) === JSON.stringify(withoutNames(b));
}

function withoutNames(aggs: Json | undefined): unknown {
  if (!isObject(aggs)) return undefined;
  return Object.values(aggs)
    .map((each) => {
      if (!isObject(each)) return undefined;
      const { aggs: inner, aggregations, ...rest } = each;
      return JSON.stringify([sorted(rest), withoutNames(inner ?? aggregations)]);
    })
    .sort();
}

function sorted(value: Json | undefined): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value instanceof LosslessNumber ? value.value : value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
