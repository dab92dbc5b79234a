/** What the core's status codes mean to its callers. */
import { Status } from './abi/status.js';

export { Status };

const TEXT: Record<number, string> = {
  [Status.argument]: 'an argument is out of range or names nothing',
  [Status.memory]: 'the memory of the core is exhausted',
  [Status.plan]: 'malformed plan',
  [Status.batch]: 'malformed batch of operations',
  [Status.image]: 'damaged segment image',
  [Status.limit]: 'the request exceeds a bound of the core',
  [Status.value]: 'Missing value for a field of a function score',
  [Status.number]: 'Result of field modification must be a number',
  [Status.interrupted]: 'the call was stopped',
  [Status.uids]: 'the uids of documents are missing',
  [Status.clauses]: 'maxClauseCount is set to 1024',
  [Status.dictionary]: 'the dictionary of a stemmer is missing',
};

/** Whether the core has a result for a failure. */
export function hasDetail(code: number): boolean {
  return code === Status.number || code <= Status.phrasePositions;
}

/** The number of the field whose values would take too much; undefined for other statuses. */
export function refusedField(code: number): number | undefined {
  return code <= Status.fielddata && code > Status.phrasePositions ? Status.fielddata - code : undefined;
}

/** The field without the positions that a query needs, and which kind of query that is; undefined for other statuses. */
export function unpositioned(code: number): { field: number; query: string } | undefined {
  if (code > Status.phrasePositions) return undefined;
  if (code > Status.spanPositions) return { field: Status.phrasePositions - code, query: 'PhraseQuery' };
  return { field: Status.spanPositions - code, query: 'SpanTermQuery' };
}

/** The core refused a call and changed nothing; it goes on. */
export class CoreError extends Error {
  override readonly name = 'CoreError';
  readonly code: number;
  /** What the core says besides, of the statuses that have a result. */
  readonly detail: Uint8Array | undefined;

  constructor(code: number, call: string, detail?: Uint8Array) {
    super(`${call}: ${TEXT[code] ?? `status ${code}`}`);
    this.code = code;
    this.detail = detail;
  }
}

/** The core trapped: its memory can't be trusted any more, the instance must be dropped and its shards reopened. */
export class CoreTrap extends Error {
  override readonly name = 'CoreTrap';

  constructor(call: string, cause: unknown) {
    super(`${call}: ${cause instanceof Error ? cause.message + whereOf(cause) : String(cause)}`, { cause });
  }
}

/** The core trapped in a call that was made while this one waited. */
export class CoreLost extends Error {
  override readonly name = 'CoreLost';
}

/** A call can't be made while another one waits: there is no memory to keep the other's state in. */
export class NotNested extends Error {
  override readonly name = 'NotNested';

  constructor() {
    super('there is no room to keep the state of the call that waits, or one waits already');
  }
}

/** Most functions of a debug core that a trap's message names. */
const NAMED = 5;

/** Where a debug core, whose functions have names, has trapped: what it called last comes first. */
function whereOf(trap: Error): string {
  const names = [...(trap.stack ?? '').matchAll(/^\s*at assembly\/(\S+) \(wasm:/gm)].map(([, name]) => name);
  return names.length === 0 ? '' : ` in ${names.slice(0, NAMED).join(' < ')}`;
}

/** The handle that the core gave a shard. */
export type ShardHandle = number;
