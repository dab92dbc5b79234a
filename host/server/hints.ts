/**
 * What to do about an error, behind 1.7's own text. Programs compare those texts, so only people get it: whoever asks with curl or another
 * tool for requests by hand, or with a browser.
 */
import { AGGREGATION_KINDS } from '../aggregation/registry.js';
import { kinds } from '../query/frequentKinds.js';
import type { RestResponse } from '../rest/request.js';
import { nearestName } from './nearestName.js';

/** Whether the one who asks reads the answer. */
export function isForPeople(userAgent: string | undefined): boolean {
  return (
    userAgent !== undefined && /^(curl|Wget|HTTPie|xh|PostmanRuntime|insomnia|Mozilla)\b/i.test(userAgent)
  );
}

/** The answer with what to do behind its error; as it is where there is none, or nothing to say of it. @param sent the body of the request */
export function withHint(response: RestResponse, sent: Uint8Array): RestResponse {
  if (response.status < 400 || response.body.length > MOST_BYTES) return response;
  const text = new TextDecoder().decode(response.body);
  const start = /^\s*\{\s*"error"\s*:\s*"/.exec(text)?.[0].length;
  if (start === undefined) return response;
  let end = start;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) return response;
  const error = JSON.parse(text.slice(start - 1, end + 1)) as string;
  const hint = hintFor(error, sent);
  if (hint === undefined) return response;
  const added = JSON.stringify(`${error.endsWith(' ') ? '' : ' '}- ${hint}`).slice(1, -1);
  return { ...response, body: new TextEncoder().encode(text.slice(0, end) + added + text.slice(end)) };
}

/** Longer answers stay as they are. */
const MOST_BYTES = 256 * 1024;
/** So much of an error is looked at: what several shards say is the same. */
const MOST_CHARACTERS = 16 * 1024;
/** So much of a body that was sent. */
const MOST_SENT = 4096;

const namesOf = (list: readonly { names: readonly string[] }[]) =>
  new Set(list.flatMap(({ names }) => names));
const queries = () => namesOf(kinds.loaded.QUERY_KINDS);
const filters = () => namesOf(kinds.loaded.FILTER_KINDS);
/** Parts of a search's body that people write. */
const ELEMENTS = [
  'query',
  'post_filter',
  'filter',
  'highlight',
  'from',
  'size',
  'timeout',
  '_source',
  'fields',
  'fielddata_fields',
  'script_fields',
  'version',
  'sort',
  'explain',
  'min_score',
  'rescore',
  'terminate_after',
  'indices_boost',
  'aggs',
  'aggregations',
  'inner_hits',
  'suggest',
  'facets',
  'track_scores',
];
const ACTIONS: ReadonlySet<string> = new Set(['index', 'create', 'update', 'delete']);

const meant = (name: string, names: Iterable<string>) => {
  const nearest = nearestName(name, names);
  return nearest === undefined ? undefined : `is [${nearest}] meant?`;
};

/** A part of an error, and what to say of it; undefined where that depends, and isn't known. */
interface Rule {
  error: RegExp;
  hint(part: string, sent: () => string): string | undefined;
}

/** The first that fits is taken: what is more exact stands first. */
const RULES: readonly Rule[] = [
  {
    error: /No query registered for \[([^\]]{1,100})\]/,
    hint: (name) =>
      filters().has(name)
        ? `[${name}] is a filter: write {"filtered": {"filter": {"${name}": ...}}}`
        : meant(name, queries()),
  },
  {
    error: /No filter registered for \[([^\]]{1,100})\]/,
    hint: (name) =>
      queries().has(name)
        ? `[${name}] is a query: write {"query": {"${name}": ...}} in the filter's place`
        : meant(name, filters()),
  },
  {
    error: /Could not find aggregator type \[([^\]]{1,100})\]/,
    hint: (name) => meant(name, Object.keys(AGGREGATION_KINDS)),
  },
  {
    error: /No parser for element \[([^\]]{1,100})\]/,
    hint: (name) =>
      queries().has(name) ? `[${name}] is a query: write {"query": {"${name}": ...}}` : meant(name, ELEMENTS),
  },
  {
    error: /\b[Aa]ction\/metadata line \[1\]/,
    hint: (_, sent) => {
      const [first = ''] = sent().trimStart().split('\n');
      if (first.startsWith('[')) return LINES;
      const key = /^\{\s*"([^"\\]{1,200})"/.exec(first)?.[1];
      return key === undefined || ACTIONS.has(key) ? undefined : ACTION_LINES;
    },
  },
  {
    error: /no requests added/,
    hint: (_, sent) => {
      const text = sent();
      if (/^\s*\[/.test(text)) return LINES;
      const key = /^\s*\{\s*"([^"\\]{1,200})"/.exec(text)?.[1];
      if (key !== undefined && !ACTIONS.has(key)) return ACTION_LINES;
      return 'the last line, too, ends with a newline; curl keeps the newlines of a file with --data-binary @FILE, not with -d @FILE';
    },
  },
  {
    error: /HTTP content length exceeded/,
    hint: () =>
      "send it in several requests, or raise http.max_content_length in the server's file of settings",
  },
  {
    error: /Merge failed with failures/,
    hint: () =>
      'how a field is indexed stays as it is: make an index with the new mapping, and copy the documents with resilin copy',
  },
  {
    error: /failed to parse \[([^\]]{1,200})\]|object mapping for \[[^\]]{1,200}\] tried to parse/,
    hint: (field) =>
      `the value doesn't fit the mapping${field === '' ? '' : ` of [${field}]`}, which GET /INDEX/_mapping shows: send another one, or make an index with another mapping`,
  },
  {
    error: /^IndexMissingException\[\[([^\]]{1,200})\] missing\]/,
    hint: () => 'GET /_cat/indices names those that there are',
  },
  {
    error: /IndexClosedException\[\[([^\]]{1,200})\]/,
    hint: (index) => `POST /${index}/_open opens it`,
  },
  {
    error: /^(EsRejectedExecutionException|CircuitBreakingException)\b/,
    hint: (name) =>
      name.startsWith('Es')
        ? 'more is asked at once than the server takes: wait, and send it again'
        : 'it needs more memory than it may have: ask for less, or raise the limit that GET /_nodes/stats/breaker shows',
  },
];

const LINES = 'the body is lines of JSON, each with a newline behind it, not a list';
const ACTION_LINES =
  'a line before each document says what to do with it, such as {"index":{}}; resilin import reads files of documents alone';

function hintFor(error: string, sent: Uint8Array): string | undefined {
  const looked = error.slice(0, MOST_CHARACTERS);
  for (const { error: pattern, hint } of RULES) {
    const found = pattern.exec(looked);
    if (found === null) continue;
    const said = hint(found[1] ?? '', () => new TextDecoder().decode(sent.subarray(0, MOST_SENT)));
    if (said !== undefined) return said;
  }
  return undefined;
}
