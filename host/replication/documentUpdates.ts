/** What an update comes to, decided by the node that writes it: an operation that has effect only on the document that was looked at. */
import { ElasticsearchError, toElasticsearchError } from '../errors.js';
import { type Operation, wrongUpdateVersion } from '../shard/operation.js';
import type { Outcome } from '../shard/writeQueue.js';
import type { StoredDocument } from '../storage/storedDocuments.js';

/** An update that has been decided on. */
export interface DecidedUpdate {
  op: Operation;
  /** What is told of the update, by what became of the operation. */
  outcome(outcome: Outcome): Outcome;
}

/** Decides on an update by the document that there is now; an outcome where nothing is to be written. */
export function decideUpdate(
  op: Operation,
  document: StoredDocument | undefined,
  { index, shard }: { index: string; shard: number },
  now: number,
): DecidedUpdate | Outcome {
  const { type, id } = op;
  const at = { index, shard, type, id };
  try {
    const record = document === undefined ? undefined : { seq: 1, version: document.version, deletedAt: 0 };
    const wrong = wrongUpdateVersion(op, record, at);
    if (wrong !== undefined) return wrong;
    const change = op.change!(document, at);
    if (change === 'none')
      return { version: document?.version ?? -1, fresh: false, noop: true, document: document! };
    const { change: _, ...rest } = op;
    const given: Operation = {
      ...rest,
      expected: document?.version ?? null,
      routing: op.routing ?? document?.routing,
      // What is there keeps its parent.
      parent: document === undefined ? op.parent : document.parent,
    };
    // The version that was wanted has been found; where nothing was found, it still is wanted.
    if (op.versionType !== 'force' && document !== undefined) given.version = undefined;
    if (change === 'delete') return { op: { ...given, kind: 'delete' }, outcome: ofDeletion };
    const left = document?.expires === undefined ? undefined : document.expires - now;
    const { source, timestamp = op.timestamp, ttl = op.ttl ?? left } = change;
    const written: Operation = { ...given, kind: 'index', source, timestamp, ttl };
    return { op: written, outcome: (outcome) => withDocument(outcome, written) };
  } catch (e) {
    return toElasticsearchError(e);
  }
}

/** An update tells of the document that it has come to. */
function withDocument(outcome: Outcome, { type, id, routing, parent, source }: Operation): Outcome {
  if (outcome instanceof ElasticsearchError) return outcome;
  const { version } = outcome;
  return { ...outcome, document: { type, id, version, routing, parent, source: source! } };
}

/** An update that deletes says that the document wasn't new. */
function ofDeletion(outcome: Outcome): Outcome {
  return outcome instanceof ElasticsearchError ? outcome : { ...outcome, fresh: false };
}
