/** What shards say of searches that they can't run, as 1.7 says it. */

import { forbiddenLoad } from '../aggregation/source.js';
import { CoreError, Status } from '../core/status.js';
import { filterProblem } from '../query/term/fielddataFilters.js';
import { Modifier, nameIn } from '../plan/scoreFunction.js';
import type { CompiledSearch } from '../searchBody/compile.js';
import { type Progress, stateOf } from '../query/searchContext.js';
import { noScore, readsScore } from '../script/script.js';
import {
  ElasticsearchError,
  illegalArgument,
  queryParsing,
  searchParse,
  shortened,
  toElasticsearchError,
} from '../errors.js';
import { doubleText } from '../numbers/javaNumbers.js';
import { withPlace } from '../json/jsonPlace.js';
import { BrokenJson } from '../json/brokenJson.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { SearchedShard } from '../shard/searchedShard.js';

const MAX_WINDOW = 2_147_483_647;

/** An error shows a body once per shard: in all so many characters, and of each at least so many. */
const SHOWN_IN_ALL = 95_000;
const LEAST_SHOWN = 1000;

/** What went wrong in the core, as 1.7 names it; `search` is what was searched for. */
export function queryError(thrown: unknown, { index, shard, search }: Searched): ElasticsearchError {
  const refused = refusedValue(thrown, search?.tree);
  if (refused !== undefined) return notExecuted(refused, { index, shard, search });
  const error = toElasticsearchError(thrown);
  return error.exception === 'IllegalStateException' ? notExecuted(error, { index, shard, search }) : error;
}

/** Why a function of a value has none, where `tree` was asked of the core; undefined for what went wrong otherwise. */
export function refusedValue(thrown: unknown, tree: unknown): ElasticsearchError | undefined {
  if (!(thrown instanceof CoreError)) return undefined;
  if (thrown.code === Status.number)
    return new ElasticsearchError('ElasticsearchException', refusedNumber(thrown));
  if (thrown.code !== Status.value) return undefined;
  const name = lackedField(tree);
  const text =
    name === undefined ? thrown.message.replace(/^search: /, '') : `Missing value for field [${name}]`;
  return new ElasticsearchError('ElasticsearchException', text);
}

/** A query that is understood and failed as it was run. */
function notExecuted(nested: ElasticsearchError, { index, shard, search }: Searched): ElasticsearchError {
  if (search === undefined) return nested;
  const place = `[${index.name}][${shard.number}]: ${search.state()}`;
  const detail = `${place}: Query Failed [Failed to execute main query]`;
  return new ElasticsearchError('QueryPhaseExecutionException', detail, { status: 500, nested });
}

/** What a function of a value says that makes no finite number of it. */
function refusedNumber({ detail = new Uint8Array(9) }: CoreError): string {
  const view = new DataView(detail.buffer, detail.byteOffset, detail.byteLength);
  const modifier = nameIn(Modifier, view.getUint8(8));
  return `Result of field modification [${modifier}(${doubleText(view.getFloat64(0, true))})] must be a number`;
}

/** What went wrong as the hits of a shard were read. */
export function fetchError(
  error: ElasticsearchError,
  {
    index,
    shard,
    state,
  }: { index: { name: string }; shard: { number: number }; state?: (() => string) | undefined },
): ElasticsearchError {
  if (error.exception !== 'FetchPhaseExecutionException' || state === undefined) return error;
  const { status, nested } = error;
  const detail = `[${index.name}][${shard.number}]: ${state()}: ${error.detail}`;
  return new ElasticsearchError(error.exception, detail, { status, nested });
}

/** Whose search it was. */
interface Searched {
  index: Pick<OpenIndex, 'name'>;
  shard: Pick<SearchedShard, 'number'>;
  search: Pick<CompiledSearch, 'tree' | 'state'> | undefined;
}

/** What a body that is no JSON says; where it breaks inside the query, that is told by who reads queries. */
export function brokenIn(cause: ElasticsearchError, index: string): ElasticsearchError {
  const inQuery = cause instanceof BrokenJson && cause.within === 'query';
  return inQuery ? queryParsing(index, 'Failed to parse', cause) : cause;
}

/** The first field of a query whose value scores count by, and that documents must not lack. */
function lackedField(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null || ArrayBuffer.isView(node)) return undefined;
  const { type, name, missing } = node as { type?: unknown; name?: unknown; missing?: unknown };
  if (type === 'fieldValue' && typeof name === 'string' && missing === undefined) return name;
  for (const each of Object.values(node)) {
    const found = lackedField(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function windowError(
  index: OpenIndex,
  shard: SearchedShard,
  { from, size, state }: CompiledSearch,
): ElasticsearchError | undefined {
  if (from + size <= MAX_WINDOW) return undefined;
  return new ElasticsearchError(
    'QueryPhaseExecutionException',
    `[${index.name}][${shard.number}]: ${state(true)}: Result window is too large, from + size must be less than or equal to: [${MAX_WINDOW}] but was [${from + size}]`,
  );
}

/** Why the aggregations can't be begun with; a complaint about the body stands behind what was understood of it. */
export function aggregationError(
  index: OpenIndex,
  shard: SearchedShard,
  { aggregations, state }: CompiledSearch,
): ElasticsearchError | undefined {
  const failure = aggregations?.failure;
  if (failure?.exception !== 'SearchParseException') return failure;
  return searchParse(index.name, shard.number, state(), failure.detail ?? '');
}

/** Why the hits of an index can't be shown: by a script that reads scores, or by a field without values in memory. */
export function unshownError(
  { model }: OpenIndex,
  { scriptFields, fielddata }: Pick<CompiledSearch, 'scriptFields' | 'fielddata'>,
): ElasticsearchError | undefined {
  if (scriptFields.some(({ script }) => typeof script !== 'function' && readsScore(script))) return noScore();
  for (const name of fielddata) {
    const field = model.find(name)?.field;
    if (field?.type === 'completion' || field?.type === 'geo_shape')
      return illegalArgument(`found no fielddata type for field [${field.fullName}]`);
    const problem = field === undefined ? undefined : filterProblem(field);
    if (problem !== undefined) return problem;
    if (field?.forbidsFielddata === true) return forbiddenLoad(field.fullName);
  }
  return undefined;
}

/** 400: a field that hits are to show, and that has no value of its own. */
export function objectField(
  { model }: OpenIndex,
  fields: readonly string[] | undefined,
  types: readonly string[] | undefined,
): ElasticsearchError | undefined {
  const name = fields?.find((each) => model.isObject(each, types));
  return name === undefined ? undefined : illegalArgument(`field [${name}] isn't a leaf field`);
}

/** An error in which those of the search tell its state. */
function stated(error: ElasticsearchError, tell: (detail: string) => ElasticsearchError): ElasticsearchError {
  if (error.exception === 'SearchParseException') return tell(error.detail ?? '');
  if (error.nested === undefined) return error;
  const nested = stated(error.nested, tell);
  if (nested === error.nested) return error;
  return new ElasticsearchError(error.exception, error.detail, { status: error.status, nested });
}

/**
 * What a shard says of a body that it can't read: its own text, then the cause.
 * @param shards how many will say it
 */
export function parseError(
  thrown: unknown,
  index: OpenIndex,
  shard: SearchedShard,
  text: string,
  progress: Progress,
  shards: number,
): ElasticsearchError {
  const state = stateOf(progress);
  let cause = withPlace(toElasticsearchError(thrown), text, ([part]) => part === progress.part);
  if (cause.exception === 'QueryPhaseExecutionException') {
    const detail = `[${index.name}][${shard.number}]: ${cause.detail}`;
    const { status, nested } = cause;
    return new ElasticsearchError(cause.exception, detail, { status, nested });
  }
  // What fails only as it is run has no parser to blame.
  if (cause.exception === 'NullPointerException' && cause.status === 500) return cause;
  const inner = stateOf(progress.inside ?? progress);
  cause = stated(cause, (detail) => searchParse(index.name, shard.number, inner, detail));
  const shown = shortened(text, Math.max(LEAST_SHOWN, Math.floor(SHOWN_IN_ALL / shards)));
  const outer = searchParse(index.name, shard.number, state, `Failed to parse source [${shown}]`, cause);
  return new ElasticsearchError(outer.exception, outer.detail, { status: outer.status, nested: cause });
}
