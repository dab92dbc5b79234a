/**
 * The one error table: every exception name that a client of the 1.7 interface can see, with its status, and the
 * constructors that fill in the texts. An error renders as 1.7 prints it: `Name[message]; nested: Name[message]; `.
 */

import { DiskFull, StoreFailed } from './storeErrors.js';
import { LeaderOnly } from './leaderOnly.js';
import { MappingNeeded } from './mappingNeeded.js';
import { TurnOver } from './turn.js';

/** Status by exception name; names that are not here are 500, as in 1.7. */
const STATUS = {
  AliasesMissingException: 404,
  AuthenticationException: 401,
  AuthorizationException: 403,
  ActionRequestValidationException: 400,
  ClusterBlockException: 403,
  ConcurrentSnapshotExecutionException: 503,
  DocumentAlreadyExistsException: 409,
  DocumentMissingException: 404,
  DocumentSourceMissingException: 400,
  ElasticsearchIllegalArgumentException: 400,
  ElasticsearchIllegalStateException: 500,
  ElasticsearchParseException: 400,
  EsRejectedExecutionException: 429,
  IndexAlreadyExistsException: 400,
  IndexClosedException: 403,
  IndexMissingException: 404,
  IndexTemplateAlreadyExistsException: 400,
  IndexTemplateMissingException: 404,
  IndexWarmerMissingException: 404,
  InvalidAliasNameException: 400,
  InvalidIndexNameException: 400,
  InvalidIndexTemplateException: 400,
  InvalidSnapshotNameException: 400,
  InvalidTypeNameException: 400,
  MapperParsingException: 400,
  MergeMappingException: 400,
  QueryParsingException: 400,
  RepositoryMissingException: 404,
  RoutingMissingException: 400,
  SearchContextMissingException: 404,
  SearchParseException: 400,
  SnapshotMissingException: 404,
  StrictDynamicMappingException: 400,
  TypeMissingException: 404,
  VersionConflictEngineException: 409,
} as const satisfies Record<string, number>;

/** The status of an exception of that name when nothing else decides it. */
export function statusOf(exception: string): number {
  return (STATUS as Record<string, number>)[exception] ?? 500;
}

/** What a constructor of {@link ElasticsearchError} may be told beside name and message. */
export interface ErrorOptionsOf17 {
  /** Overrides the status of the table. */
  status?: number;
  /** The cause; its own causes follow it. */
  nested?: ElasticsearchError | undefined;
  /** Characters that the message may have. */
  longest?: number;
  /** {@link ElasticsearchError.isLimit} */
  isLimit?: boolean;
}

/** Characters of a text; what clients sent is in many of them. */
const MAX_DETAIL = 100_000;

/** A text, cut where it is longer. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}...`;
}

/** V8 has it; elsewhere errors have their traces. */
const traces: ErrorConstructor & { stackTraceLimit?: number | undefined } = Error;

/**
 * An exception as a client of 1.7 sees it: a name, a message that may be missing, a status, nested causes. Its text says what is wrong with
 * the request; a trace it has in tests only, since it holds all that the functions in it have worked on, such as the query of each shard.
 */
export class ElasticsearchError extends Error {
  /** Whether errors have traces. */
  static hasTraces = false;
  override readonly name = 'ElasticsearchError';
  /** The simple class name of the exception in 1.7, such as `IndexMissingException`. */
  readonly exception: string;
  /** The text between the brackets; null prints as 1.7 prints an exception without a message. */
  readonly detail: string | null;
  /** The HTTP status. */
  readonly status: number;
  /** The cause. */
  readonly nested: ElasticsearchError | undefined;
  /** Whether this server has a limit here that 1.7 hasn't: whatever is put around the error has its status then. */
  readonly isLimit: boolean;

  constructor(exception: string, detail: string | null, options: ErrorOptionsOf17 = {}) {
    const { longest = MAX_DETAIL } = options;
    const text = detail === null ? null : shortened(detail, longest);
    const frames = traces.stackTraceLimit;
    if (!ElasticsearchError.hasTraces) traces.stackTraceLimit = 0;
    super(text === null ? exception : `${exception}[${text}]`);
    traces.stackTraceLimit = frames;
    this.exception = exception;
    this.detail = text;
    this.status = options.status ?? statusOf(exception);
    this.nested = options.nested;
    this.isLimit = options.isLimit ?? false;
  }

  /** The string of the `error` key: `Name[message]`, or the whole chain, which then ends in `; `. */
  render(): string {
    if (this.nested === undefined) return `${this.exception}[${this.detail}]`;
    let out = '';
    for (let e: ElasticsearchError | undefined = this; e !== undefined; e = e.nested) {
      if (e !== this) out += 'nested: ';
      out += e.detail === null ? `${e.exception}; ` : `${e.exception}[${e.detail}]; `;
    }
    return out;
  }
}

/** Whatever was thrown, as an error of the interface; a stranger becomes a 500 under its own name. The end of a turn is none. */
export function toElasticsearchError(thrown: unknown): ElasticsearchError {
  if (thrown instanceof TurnOver || thrown instanceof LeaderOnly || thrown instanceof MappingNeeded)
    throw thrown;
  if (thrown instanceof ElasticsearchError) return thrown;
  if (isStackOverflow(thrown)) return parseFailure('the request is nested too deeply');
  if (thrown instanceof DiskFull || thrown instanceof StoreFailed) return notWritten(thrown.message);
  if (thrown instanceof Error) return new ElasticsearchError(thrown.name, thrown.message, { status: 500 });
  return new ElasticsearchError('Exception', String(thrown), { status: 500 });
}

/** The same error, as what a limit of this server says that 1.7 hasn't. */
export function ofLimit({ exception, detail, status, nested }: ElasticsearchError): ElasticsearchError {
  return new ElasticsearchError(exception, detail, { status, nested, isLimit: true });
}

/** The status of an error that says, or is caused by one that says, that there is a limit here or no room now; undefined for others. */
export function limitStatus(thrown: unknown): number | undefined {
  for (let e = toElasticsearchError(thrown) as ElasticsearchError | undefined; e !== undefined; e = e.nested)
    if (e.isLimit || e.status === 429 || e.status === 503) return e.status;
  return undefined;
}

/** Whether there was no memory for something, or for what caused it. */
export function isRefusedMemory(thrown: unknown): boolean {
  for (let e = toElasticsearchError(thrown) as ElasticsearchError | undefined; e !== undefined; e = e.nested)
    if (e.exception === 'CircuitBreakingException') return true;
  return false;
}

/** 503: a write that there is no room for. */
function notWritten(detail: string): ElasticsearchError {
  return new ElasticsearchError('WriteFailureException', detail, { status: 503 });
}

/** What is nested more deeply than the parsers can follow ends in this, in every JavaScript engine. */
function isStackOverflow(thrown: unknown): boolean {
  return thrown instanceof Error && /call stack size exceeded|too much recursion/.test(thrown.message);
}

// ------------------------------------------------------------------------------------------------ access

/** 401, as Shield said it: no credentials, or ones that nobody has. */
export function unauthenticated(detail: string): ElasticsearchError {
  return new ElasticsearchError('AuthenticationException', detail);
}

/** 403, as Shield said it: who asks is known and may not do that. */
export function unauthorized(action: string, user: string): ElasticsearchError {
  return new ElasticsearchError(
    'AuthorizationException',
    `action [${action}] is unauthorized for user [${user}]`,
  );
}

// ------------------------------------------------------------------------------------------------ requests

/** 400: a value that cannot be meant. */
export function illegalArgument(detail: string, nested?: ElasticsearchError): ElasticsearchError {
  return new ElasticsearchError('ElasticsearchIllegalArgumentException', detail, { nested });
}

/** 400: a body or a value that does not parse. */
export function parseFailure(detail: string, nested?: ElasticsearchError): ElasticsearchError {
  return new ElasticsearchError('ElasticsearchParseException', detail, { nested });
}

/** 400: a body that is missing or is not JSON at all. */
export function noContent(): ElasticsearchError {
  return parseFailure('Failed to derive xcontent');
}

/** 400: parts of a request that are missing, numbered from 1. */
export function validationFailed(...problems: string[]): ElasticsearchError {
  const list = problems.map((problem, i) => `${i + 1}: ${problem};`).join('');
  return new ElasticsearchError('ActionRequestValidationException', `Validation Failed: ${list}`);
}

/** 500, as in 1.7: Java's own IllegalArgumentException, which malformed action lines of a bulk are. */
export function javaIllegalArgument(detail: string): ElasticsearchError {
  return new ElasticsearchError('IllegalArgumentException', detail, { status: 500 });
}

/** The nested cause where Java's own IllegalArgumentException is one of the request. */
export function javaArgument(detail: string): ElasticsearchError {
  return new ElasticsearchError('IllegalArgumentException', detail, { status: 400 });
}

/** The nested cause of a number that does not parse. */
export function numberFormat(text: string): ElasticsearchError {
  return new ElasticsearchError('NumberFormatException', `For input string: "${text}"`, { status: 400 });
}

/** The nested cause of broken JSON; `detail` is the parser's own text. */
export function jsonParse(detail: string): ElasticsearchError {
  return new ElasticsearchError('JsonParseException', detail, { status: 400 });
}

/** 400: something that 1.7 has and this server does not offer yet. `what` names it, such as `query [fuzzy]`. */
export function notOffered(what: string): ElasticsearchError {
  return illegalArgument(`${what} is not offered yet`);
}

/** 429: a queue is full; nothing was done. */
export function rejected(detail: string): ElasticsearchError {
  return new ElasticsearchError('EsRejectedExecutionException', detail);
}

// ------------------------------------------------------------------------------------------------ indices

/** 404. */
export function indexMissing(index: string): ElasticsearchError {
  return new ElasticsearchError('IndexMissingException', `[${index}] missing`);
}

/** 403. */
export function indexClosed(index: string): ElasticsearchError {
  return new ElasticsearchError('IndexClosedException', `[${index}] closed`);
}

/** 400. */
export function indexAlreadyExists(index: string): ElasticsearchError {
  return new ElasticsearchError('IndexAlreadyExistsException', `[${index}] already exists`);
}

/** 400: `problem` completes the sentence, such as `must be lowercase`. */
export function invalidIndexName(index: string, problem: string): ElasticsearchError {
  return new ElasticsearchError(
    'InvalidIndexNameException',
    `[${index}] Invalid index name [${index}], ${problem}`,
  );
}

/** The status of its cause: settings or mappings that an index cannot be made with. */
export function indexCreationFailed(index: string, cause: ElasticsearchError): ElasticsearchError {
  const options = { status: cause.status, nested: cause };
  return new ElasticsearchError('IndexCreationException', `[${index}] failed to create index`, options);
}

/** 400: `problem` completes the sentence. */
export function invalidAliasName(index: string, alias: string, problem: string): ElasticsearchError {
  return new ElasticsearchError(
    'InvalidAliasNameException',
    `[${index}] Invalid alias name [${alias}], ${problem}`,
  );
}

/** 404. */
export function aliasesMissing(aliases: readonly string[]): ElasticsearchError {
  return new ElasticsearchError('AliasesMissingException', `aliases [[${aliases.join(', ')}]] missing`);
}

/** 400. */
export function invalidTypeName(detail: string): ElasticsearchError {
  return new ElasticsearchError('InvalidTypeNameException', detail);
}

/** 404. */
export function typeMissing(index: string, type: string, why = ''): ElasticsearchError {
  return new ElasticsearchError('TypeMissingException', `[${index}] type[[${type}${why}]] missing`);
}

// ------------------------------------------------------------------------------------------------ documents

/** 400: a type that wants a routing value, and a request without one. */
export function routingMissing(index: string, type: string, id: string): ElasticsearchError {
  return new ElasticsearchError(
    'RoutingMissingException',
    `routing is required for [${index}]/[${type}]/[${id}]`,
  );
}

/** 400: a parent for a document whose type has none. */
export function noParentField(): ElasticsearchError {
  return illegalArgument("Can't specify parent if no parent field has been configured");
}

const WRITE_FAILED = 'WriteFailureException';

/** What made a type or a field and then was refused: bulks show that around the cause. */
export function writeFailed(cause: ElasticsearchError): ElasticsearchError {
  return new ElasticsearchError(WRITE_FAILED, null, { status: cause.status, nested: cause });
}

/** The cause of such a failure, which is what requests for single documents show. */
export function withoutWriteFailed(error: ElasticsearchError): ElasticsearchError {
  return error.exception === WRITE_FAILED && error.nested !== undefined ? error.nested : error;
}

/** 400: a document whose time is over already; both times are milliseconds since the epoch. */
export function alreadyExpired(
  { index, type, id }: { index: string; type: string; id: string },
  expires: number,
  now: number,
): ElasticsearchError {
  const detail = `already expired [${index}]/[${type}]/[${id}] due to expire at [${expires}] and was processed at [${now}]`;
  return new ElasticsearchError('AlreadyExpiredException', detail, { status: 400 });
}

/** 400: a document or a mapping that does not parse. */
export function mapperParsing(detail: string, nested?: ElasticsearchError): ElasticsearchError {
  return new ElasticsearchError('MapperParsingException', detail, { nested });
}

/** 400: a change of a mapping that 1.7 refuses. */
export function mergeMapping(failures: string[]): ElasticsearchError {
  return new ElasticsearchError(
    'MergeMappingException',
    `Merge failed with failures {[${failures.join(', ')}]}`,
  );
}

/** 400: a new field where `dynamic` is `strict`. */
export function strictDynamicMapping(field: string, within: string): ElasticsearchError {
  const detail = `mapping set to strict, dynamic introduction of [${field}] within [${within}] is not allowed`;
  return new ElasticsearchError('StrictDynamicMappingException', detail);
}

/** 409; `current` is -1 where there is no document. */
export function versionConflict(
  where: { index: string; shard: number; type: string; id: string },
  current: number | bigint,
  provided: number | bigint,
): ElasticsearchError {
  const detail = `${place(where)}: version conflict, current [${current}], provided [${provided}]`;
  return new ElasticsearchError('VersionConflictEngineException', detail);
}

/** 409: `op_type=create` on an id that is taken. */
export function documentAlreadyExists(where: {
  index: string;
  shard: number;
  type: string;
  id: string;
}): ElasticsearchError {
  return new ElasticsearchError('DocumentAlreadyExistsException', `${place(where)}: document already exists`);
}

/** 404: an update of a document that isn't there. */
export function documentMissing(where: {
  index: string;
  shard: number;
  type: string;
  id: string;
}): ElasticsearchError {
  return new ElasticsearchError('DocumentMissingException', `${place(where)}: document missing`);
}

function place(at: { index: string; shard: number; type: string; id: string }): string {
  return `[${at.index}][${at.shard}] [${at.type}][${at.id}]`;
}

// ------------------------------------------------------------------------------------------------ searches

/** Characters of what is said of a query, which is said once for each index. */
const MAX_QUERY_DETAIL = 10_000;

/** 400: a query or filter that does not parse; the index stands before the text, `_na` where there is none. */
export function queryParsing(index: string, detail: string, nested?: ElasticsearchError): ElasticsearchError {
  const text = shortened(detail, MAX_QUERY_DETAIL);
  return new ElasticsearchError('QueryParsingException', `[${index}] ${text}`, { nested });
}

/** 400: what a shard says of a search body that it cannot read; `state` is the part up to `Parse Failure`. */
export function searchParse(
  index: string,
  shard: number,
  state: string,
  detail: string,
  nested?: ElasticsearchError,
): ElasticsearchError {
  return new ElasticsearchError(
    'SearchParseException',
    `[${index}][${shard}]: ${state}: Parse Failure [${detail}]`,
    { nested },
  );
}

/** 500: the mapping forbids to look at a field's values. */
export function fielddataForbidden(field: string): ElasticsearchError {
  return new ElasticsearchError(
    'ElasticsearchIllegalStateException',
    `Field data loading is forbidden on ${field}`,
  );
}

/** One shard's failure within a search. */
export interface ShardFailure {
  /** The id of the node that the shard lives on. */
  node: string;
  index: string;
  shard: number;
  error: ElasticsearchError;
}

/** What a shard has found can't be told, and the shard has failed. */
export class ShardRefusal extends ElasticsearchError {
  constructor(detail: string, exception = 'ElasticsearchIllegalArgumentException', status = 400) {
    super(exception, detail, { status });
  }
}

/** Characters of what the shards of a search say together; the last of them may exceed it. */
const MAX_GROUPS = 1_000_000;

/** 503: answers of shards that can't be brought together. */
export function reductionFailed(phase: string, nested: ElasticsearchError): ElasticsearchError {
  return new ElasticsearchError(
    'ReduceSearchPhaseException',
    `Failed to execute phase [${phase}], [reduce] `,
    { status: 503, nested },
  );
}

/** Every shard failed: the largest of their statuses, their texts one after the other. */
export function searchPhaseFailed(phase: string, failures: readonly ShardFailure[]): ElasticsearchError {
  let groups = '';
  for (const { node, index, shard, error } of failures) {
    if (groups.length > MAX_GROUPS) break;
    groups += `{[${node}][${index}][${shard}]: ${error.render()}}`;
  }
  const status = failures.reduce((most, f) => Math.max(most, f.error.status), 0) || 503;
  const detail = `Failed to execute phase [${phase}], all shards failed; shardFailures ${groups}`;
  // Each of them was cut already.
  return new ElasticsearchError('SearchPhaseExecutionException', detail, { status, longest: detail.length });
}
