/** What a search wants highlighted. */

import { ElasticsearchError } from '../errors.js';
import { booleanOf, strictIntOf, isObject, type JsonObject, textOf, underscore } from '../json/values.js';
import type { PlanNode } from '../plan/nodes.js';

/** How a field is highlighted. */
export interface HighlightOptions {
  /** What stands before and after a marked term; the fast vector highlighter takes one of several by the number of the query's part. */
  before: readonly string[];
  after: readonly string[];
  fragmentSize: number;
  /** 0: whole values. */
  fragments: number;
  scoreOrdered: boolean;
  requireFieldMatch: boolean;
  noMatchSize: number;
  html: boolean;
  forceSource: boolean;
  /** `plain`, `fvh`, `postings` or whatever was given. */
  type: string | undefined;
  fragmenter: string | undefined;
  /** Of the fast vector highlighter: room before a fragment's first term, in units; undefined: the usual one. */
  fragmentOffset: number | undefined;
  boundaryChars: string;
  boundaryMaxScan: number;
  phraseLimit: number;
  /** Other fields of the same text whose terms are marked too. */
  matchedFields: readonly string[];
  /** Whether terms of filters are marked. */
  filters: boolean;
  query: PlanNode | undefined;
}

/** The highlights that a search wants. */
export interface Highlight {
  /** The query whose terms are marked, where a field has none of its own. */
  query: PlanNode;
  fields: { pattern: string; options: HighlightOptions }[];
}

const DEFAULTS: HighlightOptions = {
  before: ['<em>'],
  after: ['</em>'],
  fragmentSize: 100,
  fragments: 5,
  scoreOrdered: false,
  requireFieldMatch: false,
  noMatchSize: 0,
  html: false,
  forceSource: false,
  type: undefined,
  fragmenter: undefined,
  fragmentOffset: undefined,
  boundaryChars: '.,!? \t\n',
  boundaryMaxScan: 20,
  phraseLimit: 256,
  matchedFields: [],
  filters: false,
  query: undefined,
};
/** The tags of `tags_schema: styled`. */
const STYLED = Array.from({ length: 10 }, (_, i) => `<em class="hlt${i + 1}">`);

/** Why a `fields` array is refused. */
const NO_SINGLE_FIELD = new ElasticsearchError(
  'SearchParseException',
  'Error while trying to parse Highlighter element in request',
);

/** Options that only a field has, and those that only all of them have. */
const OF_FIELDS = new Set(['fragment_offset', 'matched_fields']);
const OF_ALL = new Set(['tags_schema', 'encoder']);
/** Numbers for which -1 of a field says that it goes by what is said of all. */
const INHERITED = new Set([
  'fragment_size',
  'number_of_fragments',
  'boundary_max_scan',
  'no_match_size',
  'phrase_limit',
]);

/** Reads `highlight`; what it doesn't know is read over, as in 1.7. `compile` compiles a query of its own. */
export function readHighlight(
  value: unknown,
  compile: (query: unknown) => PlanNode,
): Highlight['fields'] | undefined {
  if (!isObject(value)) return undefined;
  const common = readOptions(value, DEFAULTS, OF_FIELDS, compile);
  return fieldsIn(value.fields).map(([pattern, own]) => ({
    pattern,
    options: readOptions(own, common, OF_ALL, compile),
  }));
}

/** The fields that have options: an object of them, or an array of objects with one each. */
function fieldsIn(fields: unknown): [string, JsonObject][] {
  if (!Array.isArray(fields)) return isObject(fields) ? withOptions(fields) : [];
  return fields.flatMap((each) => {
    if (!isObject(each) || Object.keys(each).length > 1) throw NO_SINGLE_FIELD;
    return withOptions(each);
  });
}

function withOptions(fields: JsonObject): [string, JsonObject][] {
  return Object.entries(fields).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
}

/** @param foreign options that are read over here */
function readOptions(
  given: JsonObject,
  base: HighlightOptions,
  foreign: ReadonlySet<string>,
  compile: (query: unknown) => PlanNode,
): HighlightOptions {
  const options = { ...base };
  for (const [key, value] of Object.entries(given)) {
    const name = underscore(key);
    if (foreign.has(name) || (base !== DEFAULTS && INHERITED.has(name) && value === -1)) continue;
    if (Array.isArray(value)) readTexts(name, value, options);
    else if (isObject(value)) {
      if (name === 'highlight_query') options.query = compile(value);
    } else if (value !== null) readScalar(name, value, options);
  }
  return options;
}

function readTexts(name: string, value: readonly unknown[], options: HighlightOptions): void {
  const texts = () => value.map((each) => textOf(each) ?? '');
  if (name === 'pre_tags') options.before = texts();
  else if (name === 'post_tags') options.after = texts();
  else if (name === 'matched_fields') options.matchedFields = [...new Set(texts())];
}

function readScalar(name: string, value: unknown, options: HighlightOptions): void {
  switch (name) {
    case 'tags_schema':
      if (value === 'styled') {
        options.before = STYLED;
        options.after = ['</em>'];
      }
      break;
    case 'fragment_size':
      options.fragmentSize = strictIntOf(value);
      break;
    case 'number_of_fragments':
      options.fragments = strictIntOf(value);
      break;
    case 'order':
      options.scoreOrdered = value === 'score';
      break;
    case 'require_field_match':
      options.requireFieldMatch = booleanOf(value);
      break;
    case 'no_match_size':
      options.noMatchSize = strictIntOf(value);
      break;
    case 'encoder':
      options.html = value === 'html';
      break;
    case 'force_source':
      options.forceSource = booleanOf(value);
      break;
    case 'type':
      options.type = textOf(value);
      break;
    case 'fragmenter':
      options.fragmenter = textOf(value);
      break;
    case 'fragment_offset':
      options.fragmentOffset = strictIntOf(value);
      break;
    case 'boundary_chars':
      options.boundaryChars = textOf(value) ?? options.boundaryChars;
      break;
    case 'boundary_max_scan':
      options.boundaryMaxScan = strictIntOf(value);
      break;
    case 'phrase_limit':
      options.phraseLimit = strictIntOf(value);
      break;
    case 'highlight_filter':
      options.filters = booleanOf(value);
      break;
  }
}
