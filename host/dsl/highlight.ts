/** What a search wants highlighted. */

import { ElasticsearchError } from '../errors.js';
import { booleanOf, intOf, isObject, type JsonObject, textOf } from '../mapping/values.js';
import type { PlanNode } from './plan.js';

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

/** Reads `highlight`; what it doesn't know is read over, as in 1.7. `compile` compiles a query of its own. */
export function readHighlight(
  value: unknown,
  compile: (query: unknown) => PlanNode,
): Highlight['fields'] | undefined {
  if (!isObject(value)) return undefined;
  if (value.pre_tags !== undefined && value.post_tags === undefined) {
    const detail = 'Highlighter global preTags are set, but global postTags are not set';
    throw new ElasticsearchError('SearchParseException', detail);
  }
  const common = readOptions(value, DEFAULTS, compile);
  const { fields } = value;
  const list = Array.isArray(fields) ? fields : [fields];
  return list.flatMap((each) =>
    isObject(each)
      ? Object.entries(each).map(([pattern, own]) => ({
          pattern,
          options: isObject(own) ? readOptions(own, common, compile) : common,
        }))
      : [],
  );
}

function readOptions(
  given: JsonObject,
  base: HighlightOptions,
  compile: (query: unknown) => PlanNode,
): HighlightOptions {
  const options = { ...base };
  for (const [key, value] of Object.entries(given)) {
    switch (key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) {
      case 'tags_schema':
        if (value === 'styled') {
          options.before = STYLED;
          options.after = ['</em>'];
        }
        break;
      case 'pre_tags':
        options.before = textsOf(value) ?? options.before;
        break;
      case 'post_tags':
        options.after = textsOf(value) ?? options.after;
        break;
      case 'fragment_size':
        options.fragmentSize = intOf(value);
        break;
      case 'number_of_fragments':
        options.fragments = intOf(value);
        break;
      case 'order':
        options.scoreOrdered = value === 'score';
        break;
      case 'require_field_match':
        options.requireFieldMatch = booleanOf(value);
        break;
      case 'no_match_size':
        options.noMatchSize = intOf(value);
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
        options.fragmentOffset = intOf(value);
        break;
      case 'boundary_chars':
        options.boundaryChars = textOf(value) ?? options.boundaryChars;
        break;
      case 'boundary_max_scan':
        options.boundaryMaxScan = intOf(value);
        break;
      case 'phrase_limit':
        options.phraseLimit = intOf(value);
        break;
      case 'matched_fields':
        options.matchedFields = textsOf(value) ?? [];
        break;
      case 'highlight_filter':
        options.filters = booleanOf(value);
        break;
      case 'highlight_query':
        options.query = compile(value);
        break;
    }
  }
  return options;
}

/** One or several texts; undefined if there are none. */
function textsOf(value: unknown): string[] | undefined {
  const texts = (Array.isArray(value) ? value : [value])
    .map(textOf)
    .filter((text): text is string => text !== undefined);
  return texts.length === 0 ? undefined : texts;
}
