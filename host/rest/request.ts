/** A request and an answer, whatever carried them. */
import { type ElasticsearchError, illegalArgument, numberFormat, toElasticsearchError } from '../errors.js';
import { binaryFormats, type Format, formatNamed } from '../formats/format.js';
import type { Principal } from '../security/principal.js';
import { parseTime } from '../time/durations.js';
import type { Weigh } from '../formats/jsonWriter.js';
import { parsedSizeInTurns, SMALL_JSON } from '../json/parsedSize.js';
import { isFalse } from '../numbers/javaBooleans.js';
import { parseWhole } from '../json/values.js';
import type { IsDue } from '../passes.js';
import { atOnce, inTurns, type Turns, type WorkLimit } from '../workLimit.js';
import { filterPath } from './answerPaths.js';
import type { BodyStream } from './bodyStream.js';
import { type Json, type Raw, writeElements } from './json.js';
import { writeAtOnce, writeInTurns } from './longJson.js';
import type { NodeNames } from './cluster/node.js';
import type { ReadText } from './readText.js';
import { camelCase, withReadableValues } from './shape.js';
import { LatePart } from '../latePart.js';

/** A request as the handlers see it. */
export interface RestRequest {
  method: string;
  /** Path and query as on the request line, for texts of errors. */
  uri: string;
  /** The parameters of the query string; of one that occurs twice the last. */
  query: ReadonlyMap<string, string>;
  body: Uint8Array;
  /** The body, if it was read before the handler was called. */
  read?: ReadText | undefined;
  /** What may be done for it: until when, and whether the answer is wanted any more. */
  limit: WorkLimit;
  /** Told of bytes that are about to be taken for it; throws where they are too many. */
  weigh?: Weigh | undefined;
}

/** A request with the variable parts of its path. */
export interface RoutedRequest extends RestRequest {
  path: Readonly<Record<string, string>>;
  /** Who has sent it. */
  principal: Principal;
  /** What answers tell of the node. */
  node: NodeNames;
}

/** An answer. */
export interface RestResponse {
  status: number;
  contentType: string;
  body: Uint8Array;
  /** Writes the body of a long answer, where `body` isn't it. */
  unwritten?: () => Promise<Uint8Array>;
  /** The body, where it is too long for that; `body` is empty. */
  stream?: BodyStream;
}

export const JSON_TYPE = 'application/json; charset=UTF-8';
export const YAML_TYPE = 'application/yaml';
export const TEXT_TYPE = 'text/plain; charset=UTF-8';

/** A boolean parameter: everything but false, 0, no and off is true, the empty value included. */
export function flag(query: ReadonlyMap<string, string>, name: string, otherwise = false): boolean {
  const value = query.get(name);
  return value === undefined ? otherwise : !isFalse(value);
}

/** A parameter that is a 32-bit integer. */
export function int(query: ReadonlyMap<string, string>, name: string): number | undefined {
  const value = whole(query, name, -(2n ** 31n), 2n ** 31n - 1n);
  return value === undefined ? undefined : Number(value);
}

/** How many documents a shard looks at before it ends; nothing where it is 0. */
export function terminateAfterOf(query: ReadonlyMap<string, string>): number | undefined {
  const count = int(query, 'terminate_after');
  if (count !== undefined && count < 0) throw illegalArgument('terminateAfter must be > 0');
  return count === 0 ? undefined : count;
}

/** A parameter that is a 64-bit integer; the texts of 1.7 call it an int too. */
export function long(query: ReadonlyMap<string, string>, name: string): number | bigint | undefined {
  return whole(query, name, -(2n ** 63n), 2n ** 63n - 1n);
}

function whole(
  query: ReadonlyMap<string, string>,
  name: string,
  least: bigint,
  most: bigint,
): number | bigint | undefined {
  const text = query.get(name);
  if (text === undefined) return undefined;
  try {
    return parseWhole(text, least, most);
  } catch (e) {
    const detail = `Failed to parse int parameter [${name}] with value [${text}]`;
    throw illegalArgument(detail, toElasticsearchError(e));
  }
}

const FLOAT = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?[fd]?$/i;

/** A parameter that is a number with a fraction. */
export function float(query: ReadonlyMap<string, string>, name: string): number | undefined {
  const text = query.get(name);
  if (text === undefined) return undefined;
  if (FLOAT.test(text)) return Number.parseFloat(text);
  throw illegalArgument(`Failed to parse float parameter [${name}] with value [${text}]`, numberFormat(text));
}

/** A parameter that is a duration, in milliseconds. */
export function millis(query: ReadonlyMap<string, string>, name: string): number | undefined;
export function millis(query: ReadonlyMap<string, string>, name: string, otherwise: number): number;
export function millis(
  query: ReadonlyMap<string, string>,
  name: string,
  otherwise?: number,
): number | undefined {
  const text = query.get(name);
  return text === undefined ? otherwise : parseTime(text);
}

/** Whether an answer is written as it is: not pretty, not as YAML, nothing of it left out or renamed. */
export function isPlain(query: ReadonlyMap<string, string>): boolean {
  return !flag(query, 'pretty') && ['filter_path', 'case', 'format'].every((name) => !query.has(name));
}

/** Writes elements of a list of an answer ahead of it; undefined where the answer is looked into before it is written. */
export function elementWriter(
  { query }: Pick<RestRequest, 'query'>,
  depth: number,
): ((elements: readonly Json[]) => Raw) | undefined {
  if (query.has('filter_path') || query.has('case')) return undefined;
  const pretty = formatOf({ query }) === 'json' && flag(query, 'pretty');
  return (elements) => writeElements(elements, pretty, depth);
}

/** A JSON answer, in the form and the shape that the request asks for. */
export function json(
  request: RestRequest,
  status: number,
  body: Json,
  prettyByDefault = false,
): RestResponse {
  const { query, limit } = request;
  const paths = query.get('filter_path');
  const shaped = (kept: Json) => {
    const value = query.get('case') === 'camelCase' ? camelCase(kept) : kept;
    return written(request, status, value, prettyByDefault);
  };
  if (paths === undefined) return shaped(body);
  const filtered = () =>
    inTurns(filterPath(body, paths, limit), limit)
      .then(shaped)
      .then(writtenBody);
  return { status, contentType: typeOf(request), body: EMPTY, unwritten: filtered };
}

const EMPTY = new Uint8Array(0);

/** The body of an answer, which is written if it has not been. */
async function writtenBody({ body, unwritten }: RestResponse): Promise<Uint8Array> {
  return unwritten === undefined ? body : unwritten();
}

/** The same for stats, which may come with human-readable values. */
export function humanJson(request: RestRequest, status: number, body: Json): RestResponse {
  return json(request, status, flag(request.query, 'human') ? withReadableValues(body) : body);
}

/** Answers in YAML. */
const yamlAnswers = new LatePart('what writes YAML', ['=yaml'], () => import('./yaml.js'));

/** Trees that are made of an answer in another format than JSON: the values, and their texts. */
const TREES = 2;

/** Short answers are written at once, long ones in turns. */
function written(request: RestRequest, status: number, value: Json, prettyByDefault: boolean): RestResponse {
  const format = formatOf(request);
  const contentType = typeOf(request);
  const pretty = format === 'json' && flag(request.query, 'pretty', prettyByDefault);
  const short = writeAtOnce(value, pretty);
  if (short !== undefined && (format === 'json' || short.length < SMALL_JSON)) {
    const body = format === 'json' ? short : atOnce(encoded(format, short));
    return { status, contentType, body };
  }
  // What there is when the time is over is the answer, and has to be written.
  const work = request.limit.untimed();
  const unwritten = () => inTurns(writeLong(short ?? value, pretty, format, work, request.weigh), work);
  return { status, contentType, body: EMPTY, unwritten };
}

/** @param value JSON that is written already, or what is to be written */
function* writeLong(
  value: Json | Uint8Array,
  pretty: boolean,
  format: Format | 'json',
  work: WorkLimit,
  weigh: Weigh | undefined,
): Turns<Uint8Array> {
  const json = value instanceof Uint8Array ? value : yield* writeInTurns(value, pretty, work);
  if (format === 'json') return json;
  if (weigh !== undefined) weigh(TREES * (yield* parsedSizeInTurns(json, work)));
  return yield* encoded(format, json, (count) => work.isDue(count));
}

function encoded(format: Format, json: Uint8Array, isDue?: IsDue): Turns<Uint8Array> {
  return format === 'yaml'
    ? yamlAnswers.loaded.yamlOf(json, isDue)
    : binaryFormats.loaded.encodeFormat(format, json, isDue);
}

function formatOf({ query }: Pick<RestRequest, 'query'>): Format | 'json' {
  return formatNamed(query.get('format') ?? 'json') ?? 'json';
}

function typeOf(request: RestRequest): string {
  const format = formatOf(request);
  return format === 'json' ? JSON_TYPE : format === 'yaml' ? YAML_TYPE : `application/${format}`;
}

/** What calls without an answer of their own answer. */
export function acknowledged(request: RestRequest): RestResponse {
  return json(request, 200, { acknowledged: true });
}

/** A plain text answer. */
export function text(status: number, body = ''): RestResponse {
  return { status, contentType: TEXT_TYPE, body: new TextEncoder().encode(body) };
}

/** A script as the answer. */
export function script(status: number, body: string): RestResponse {
  return { status, contentType: 'application/javascript', body: new TextEncoder().encode(body) };
}

/** An error as 1.7 answers it. */
export function failure(request: RestRequest, thrown: unknown): RestResponse {
  const error = toElasticsearchError(thrown);
  const body: Record<string, Json> = { error: error.render(), status: error.status };
  if (flag(request.query, 'error_trace')) body.error_trace = traceOf(error);
  // That there is no room for more has to be told, too.
  return written({ ...request, weigh: undefined }, error.status, body, false);
}

/** The messages of an error and of its causes, each inside the one that it caused; what 1.7 adds is frames of Java. */
function traceOf({ detail, nested }: ElasticsearchError): Json {
  return { message: detail, ...(nested === undefined ? {} : { cause: traceOf(nested) }) };
}

/** Decodes percent escapes; `+` is a space in paths too. Malformed escapes stay as they are. */
export function decodeComponent(part: string): string {
  if (!part.includes('%') && !part.includes('+')) return part;
  const spaced = part.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

/** The parameters of a query string. */
export function parseQuery(query: string): ReadonlyMap<string, string> {
  if (query === '') return NO_PARAMETERS;
  const out = new Map<string, string>();
  for (const part of query.split(/[&;]/)) {
    if (part === '') continue;
    const at = part.indexOf('=');
    if (at < 0) out.set(decodeComponent(part), '');
    else out.set(decodeComponent(part.slice(0, at)), decodeComponent(part.slice(at + 1)));
  }
  return out;
}
