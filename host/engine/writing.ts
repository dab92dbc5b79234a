/** Writes of many documents at once: each goes to the queue of its shard, and fails for itself. */
import {
  ElasticsearchError,
  illegalArgument,
  indexMissing,
  rejected,
  toElasticsearchError,
} from '../errors.js';
import { checkTypeName } from '../mapping/root.js';
import { routingOf } from '../mapping/sourcePaths.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { checkLengths, checkVersion, type Operation, type WriteResult } from '../shard/operation.js';
import { WorkLimit } from '../workLimit.js';
import { withDocuments } from '../shard/searchedShard.js';
import type { Shard } from '../shard/shard.js';
import type { Outcome } from '../shard/writeQueue.js';
import type { DocumentTarget } from './documentTarget.js';
import { checkCopies, showWrite, type WantedCopies } from './replicas.js';

/** An operation on a document of some index, or of the one index behind an alias. */
export interface IndexedOperation extends Operation {
  index: string;
  copies?: WantedCopies | undefined;
}

/** What became of one. */
export interface OperationOutcome {
  /** The index itself, where an alias was named. */
  index: string;
  /** -1 if no shard has seen it. */
  shard: number;
  result: WriteResult | ElasticsearchError;
}

/** What an operation takes beside its source, about. */
const OPERATION_BYTES = 256;

/** The bytes of the writes that wait, which are limited. */
export class PendingWrites {
  readonly #most: number;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts operations until the returned function is called; 429 where there are too many beside others. */
  hold(operations: readonly Operation[]): () => void {
    const bytes = operations.reduce((sum, op) => sum + OPERATION_BYTES + (op.source?.length ?? 0), 0);
    if (this.#bytes > 0 && this.#bytes + bytes > this.#most)
      throw rejected(`rejected execution: ${this.#bytes} bytes of writes are waiting already`);
    this.#bytes += bytes;
    return () => {
      this.#bytes -= bytes;
    };
  }
}

/**
 * Puts operations into the queues of their shards; what it resolves with waits for what becomes of them.
 * @param find where a document of a name is, if it is anywhere
 * @param ensure makes the index of a name if need be
 * @param copies how many copies of a shard there are
 */
export async function enqueue(
  operations: readonly IndexedOperation[],
  find: (name: string, routing: string | undefined) => DocumentTarget | undefined,
  ensure: (name: string) => Promise<unknown>,
  copies: (index: OpenIndex, shard: number) => number = () => 1,
): Promise<() => Promise<OperationOutcome[]>> {
  const outcomes = new Array<OperationOutcome>(operations.length);
  const byShard = new Map<Shard, { index: string; ops: Operation[]; at: number[] }>();
  const add = (shard: Shard, index: string, op: Operation, i: number) => {
    let group = byShard.get(shard);
    if (group === undefined) {
      group = { index, ops: [], at: [] };
      byShard.set(shard, group);
    }
    group.ops.push(op);
    group.at.push(i);
  };
  // What was found for the operation before, and whether it may be written to: nothing changes without others getting a turn.
  let target: DocumentTarget | undefined;
  let named = '';
  let routedBy: string | undefined;
  let isOpen = false;
  for (let i = 0; i < operations.length; i++) {
    const op = operations[i]!;
    let index = op.index;
    try {
      checkLengths(op);
      if (target === undefined || op.index !== named || op.routing !== routedBy) {
        target = find(op.index, op.routing);
        if (target === undefined) {
          await ensure(op.index);
          // A change that waited behind may have closed or deleted it again.
          target = find(op.index, op.routing);
          if (target === undefined) throw indexMissing(op.index);
        }
        named = op.index;
        routedBy = op.routing;
        isOpen = false;
      }
      index = target.index.name;
      if (!isOpen) target.index.checkBlock('write');
      isOpen = true;
      if (op.kind !== 'update') checkVersion(op.version, op.versionType ?? 'internal');
      const routing = routingOf(target.index.model, op.type, target.routing, op.source);
      const routed = routing === op.routing ? op : { ...op, routing };
      if (isEverywhere(target.index, op, routing)) {
        for (const shard of target.index.shards) add(shard, index, routed, i);
        continue;
      }
      const shard = target.index.shardOf(op.type, op.id, routing);
      if (op.kind === 'delete' && !target.index.model.hasType(op.type)) {
        // 1.7 makes the type.
        const result = refusalOfType(op.type);
        if (result !== undefined) {
          outcomes[i] = { index, shard: shard.number, result };
          continue;
        }
      }
      if (op.copies !== undefined) {
        const { settings } = target.index.metadata;
        const have = copies(target.index, shard.number);
        checkCopies(op.copies, settings, `[${index}][${shard.number}]`, () => showWrite(index, op), have);
      }
      if (op.kind === 'update' && target.index.model.type(op.type)?.source.enabled === false)
        await checkSourceKept(op, target.index, shard);
      add(shard, index, routed, i);
    } catch (e) {
      outcomes[i] = { index, shard: -1, result: toElasticsearchError(e) };
    }
  }
  const writes = [...byShard].map(async ([shard, { index, ops, at }]) => {
    spread(await shard.write(ops), index, shard.number, at, outcomes);
  });
  return async () => {
    await Promise.all(writes);
    return outcomes;
  };
}

/** Puts the results of a shard where they belong. */
function spread(
  results: readonly Outcome[],
  index: string,
  shard: number,
  at: readonly number[],
  outcomes: OperationOutcome[],
): void {
  for (let i = 0; i < at.length; i++) {
    const outcome = { index, shard, result: results[i]! };
    const known = outcomes[at[i]!];
    outcomes[at[i]!] = known === undefined ? outcome : foundFirst(known, outcome);
  }
}

/** Why there can be no type of that name. */
function refusalOfType(name: string): ElasticsearchError | undefined {
  try {
    checkTypeName(name);
  } catch (e) {
    return toElasticsearchError(e);
  }
  return undefined;
}

/** Whether an operation goes to all shards: a deletion that doesn't say where its document is does. */
function isEverywhere(index: OpenIndex, op: Operation, routing: string | undefined): boolean {
  if (op.kind !== 'delete' || routing !== undefined || index.model.type(op.type)?.routingRequired !== true)
    return false;
  const type = (op.versionType ?? 'internal').toUpperCase();
  if (type === 'INTERNAL') return true;
  throw illegalArgument(
    `routing value is required for deleting documents of type [${op.type}] while using version_type [${type}]`,
  );
}

/** 1.7's version of what no shard has found. */
const NOWHERE = -3;

/** What became of a deletion on two shards: where it found a document, else nothing. */
function foundFirst(a: OperationOutcome, b: OperationOutcome): OperationOutcome {
  for (const each of [a, b]) if (each.result instanceof ElasticsearchError || each.result.fresh) return each;
  return { ...a, result: { version: NOWHERE, fresh: false } };
}

/** 400: a document of a type whose sources are not to be seen can't be changed in part. */
async function checkSourceKept({ type, id }: Operation, index: OpenIndex, shard: Shard): Promise<void> {
  const { documents } = await withDocuments(shard, [{ type, id }], true, WorkLimit.none);
  if (documents.get(type, id) === undefined) return;
  throw new ElasticsearchError(
    'DocumentSourceMissingException',
    `[${index.name}][${shard.number}] [${type}][${id}]: document source missing`,
  );
}
