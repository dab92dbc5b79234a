/** A search's answer, as the view shows it. */
import { type Client, encodeNames, RequestError } from '../../api/client';
import { isObject, type Json, type JsonObject, LosslessNumber, parseExactJson } from '../../api/json';
import { type ExplanationNode, readExplanation } from './explanation/explanationNode';

/** A hit. */
export interface Hit {
  /** Unique in an answer, and the same in others. */
  key: string;
  index: string;
  type: string;
  id: string;
  /** From 1. */
  rank: number;
  /** As the server wrote it; undefined where nothing is scored. */
  score: string | undefined;
  sort: readonly Json[] | undefined;
  shard: string | undefined;
  /** Undefined where it isn't its id. */
  routing: string | undefined;
  /** What the document has, and values that were asked for as `fields`. */
  source: JsonObject | undefined;
  highlight: readonly { field: string; fragments: readonly string[] }[];
  explanation: ExplanationNode | undefined;
}

/** A shard that has failed. */
export interface ShardProblem {
  /** `books[2]`; empty where the server names none. */
  shard: string;
  reason: string;
}

export interface SearchAnswer {
  total: number;
  hits: readonly Hit[];
  /** Milliseconds that the server says it took. */
  took: number;
  /** Milliseconds of each phase, as the server says; empty where it doesn't. */
  phases: readonly { name: string; ms: number }[];
  /** Milliseconds from sending the request to having read the answer, measured here. */
  roundTrip: number;
  shards: { total: number; failed: number; problems: readonly ShardProblem[] };
  isTimedOut: boolean;
}

/** Searches. Throws {@link RequestError} where the server refuses. */
export async function runSearch(
  client: Client,
  index: string,
  body: JsonObject,
  options: { isDfs: boolean; signal: AbortSignal; isQuiet?: boolean },
): Promise<SearchAnswer> {
  const place = index === '' ? '' : `/${encodeNames(index)}`;
  const type = options.isDfs ? '&search_type=dfs_query_then_fetch' : '';
  const path = `${place}/_search?phase_took=true${type}`;
  const answer = await client.send('POST', path, body, {
    signal: options.signal,
    quiet: options.isQuiet ?? false,
  });
  if (answer.status >= 400) throw new RequestError(answer, `POST ${path}`);
  const json = parseExactJson(answer.text);
  return readAnswer(isObject(json) ? json : {}, Number(body.from ?? 0), answer.took);
}

function readAnswer(json: JsonObject, from: number, roundTrip: number): SearchAnswer {
  const shards = isObject(json._shards) ? json._shards : {};
  const found = isObject(json.hits) ? json.hits : {};
  const list = Array.isArray(found.hits) ? found.hits.filter(isObject) : [];
  const failures = Array.isArray(shards.failures) ? shards.failures.filter(isObject) : [];
  return {
    total: numberOf(found.total),
    hits: list.map((hit, i) => readHit(hit, from + i + 1)),
    took: numberOf(json.took),
    phases: Object.entries(isObject(json.phase_took) ? json.phase_took : {}).map(([name, ms]) => ({
      name,
      ms: numberOf(ms),
    })),
    roundTrip,
    shards: {
      total: numberOf(shards.total),
      failed: numberOf(shards.failed),
      problems: failures.map(({ index, shard, reason }) => ({
        shard: index === undefined || index === null ? '' : `${textOf(index)}[${textOf(shard)}]`,
        reason: textOf(reason),
      })),
    },
    isTimedOut: json.timed_out === true,
  };
}

function readHit(hit: JsonObject, rank: number): Hit {
  const [index, type, id] = [textOf(hit._index), textOf(hit._type), textOf(hit._id)];
  const highlight = isObject(hit.highlight) ? hit.highlight : {};
  const { _routing: routing, ...fields } = isObject(hit.fields) ? hit.fields : {};
  const source = isObject(hit._source) ? hit._source : undefined;
  return {
    key: JSON.stringify([index, type, id]),
    index,
    type,
    id,
    rank,
    score: hit._score === null || hit._score === undefined ? undefined : textOf(hit._score),
    sort: Array.isArray(hit.sort) ? hit.sort : undefined,
    shard: hit._shard === undefined ? undefined : textOf(hit._shard),
    routing: routing === undefined ? undefined : textOf(routing),
    source: Object.keys(fields).length === 0 ? source : { ...source, ...fields },
    highlight: Object.entries(highlight).map(([field, fragments]) => ({
      field,
      fragments: Array.isArray(fragments) ? fragments.map(textOf) : [],
    })),
    explanation: readExplanation(hit._explanation),
  };
}

/** A value as one line of text, with its digits. */
export function textOf(value: Json | undefined): string {
  if (value instanceof LosslessNumber) return value.value;
  return typeof value === 'string' ? value : String(value ?? '');
}

function numberOf(value: Json | undefined): number {
  return value instanceof LosslessNumber ? Number(value.value) : typeof value === 'number' ? value : 0;
}
