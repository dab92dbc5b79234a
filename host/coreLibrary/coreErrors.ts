/** What calls of the core fail with, by name. */
import { CoreError as StatusError, CoreTrap, refusedField, Status, unpositioned } from '../core/status.js';
import { ElasticsearchError } from '../errors.js';

/**
 * Why a call failed.
 *
 * - `argument`: what was given is of the wrong kind or names nothing: a field, an analyzer, a segment
 * - `memory`: the memory of the core is exhausted; the call changed nothing
 * - `limit`: more than the core takes: nodes, depth, hits, bytes of a term
 * - `clauses`: a query comes to more than 1,024 clauses
 * - `positions`: a phrase or a span asks a field that is indexed without positions
 * - `fielddata`: the values of a field take more memory than is allowed
 * - `value`, `number`: a function needs a value that a document lacks, or gives no finite number
 * - `plan`, `batch`, `image`: bytes that aren't a plan, a batch, or the image of a segment
 * - `interrupted`: the call had no more time
 * - `unavailable`: a part of the package that is loaded when it is needed can't be
 * - `trap`: the core ended in the middle of a call; it and all its shards are lost, load another one
 */
export type CoreStatus =
  | 'argument'
  | 'memory'
  | 'limit'
  | 'clauses'
  | 'positions'
  | 'fielddata'
  | 'value'
  | 'number'
  | 'plan'
  | 'batch'
  | 'image'
  | 'interrupted'
  | 'unavailable'
  | 'trap';

const STATUS: Readonly<Record<number, CoreStatus>> = {
  [Status.argument]: 'argument',
  [Status.memory]: 'memory',
  [Status.plan]: 'plan',
  [Status.batch]: 'batch',
  [Status.image]: 'image',
  [Status.limit]: 'limit',
  [Status.clauses]: 'clauses',
  [Status.value]: 'value',
  [Status.number]: 'number',
  [Status.interrupted]: 'interrupted',
};

/** A call that failed. Unless the status is `trap`, it changed nothing and the core goes on. */
export class CoreError extends Error {
  override readonly name = 'CoreError';
  readonly status: CoreStatus;
  /** The field that it is about, where it is about one. */
  readonly field: string | undefined;

  constructor(
    status: CoreStatus,
    message: string,
    options: { field?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.status = status;
    this.field = options.field;
  }
}

/** What is told of a wrong argument. */
export function wrong(message: string, field?: string): CoreError {
  return new CoreError('argument', message, { field });
}

/** Whatever was thrown, by its name; what is no failure of a call stays what it is. @param nameOf names of fields by number */
export function named(
  cause: unknown,
  nameOf: (field: number) => string | undefined = () => undefined,
): unknown {
  if (cause instanceof StatusError) return ofStatus(cause, nameOf);
  if (cause instanceof CoreTrap) return new CoreError('trap', cause.message, { cause });
  if (!(cause instanceof ElasticsearchError)) return cause;
  const status = cause.status === 503 ? 'unavailable' : cause.isLimit ? 'limit' : 'argument';
  return new CoreError(status, cause.detail ?? cause.exception, { cause });
}

function ofStatus(cause: StatusError, nameOf: (field: number) => string | undefined): CoreError {
  const { code, message } = cause;
  const positions = unpositioned(code);
  if (positions !== undefined) {
    const field = nameOf(positions.field);
    return new CoreError('positions', `the field ${field} is indexed without positions`, { field, cause });
  }
  const refused = refusedField(code);
  if (refused !== undefined) {
    const field = nameOf(refused);
    return new CoreError('fielddata', `the values of ${field} take too much memory`, { field, cause });
  }
  return new CoreError(STATUS[code] ?? 'argument', message, { cause });
}

/** Does something whose failures have names then. */
export function naming<T>(work: () => T, nameOf?: (field: number) => string | undefined): T {
  try {
    return work();
  } catch (e) {
    throw named(e, nameOf);
  }
}
