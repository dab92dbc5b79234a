/** Operations on single documents, and the rules of their versions. */
import type { Times } from '../mapping/documentTimes.js';
import {
  documentAlreadyExists,
  ElasticsearchError,
  illegalArgument,
  validationFailed,
  versionConflict,
} from '../errors.js';
import type { StoredDocument } from '../storage/storedDocuments.js';
import { bytesOver, type IdRecord, MAX_ROUTING_BYTES, MAX_UID_BYTES, uidOf } from '../storage/records.js';
import { nextVersion, type Version } from '../storage/versions.js';

/** Who decides the version of a write. */
export type VersionType = 'internal' | 'external' | 'external_gte' | 'force';

/** What an update makes of a document: its next source, nothing, or no document. */
export type DocumentChange = ChangedDocument | 'none' | 'delete';

interface ChangedDocument {
  source: Uint8Array;
  /** In place of what the operation says. */
  timestamp?: string | undefined;
  ttl?: number | undefined;
}

/** One write of one document. */
export interface Operation {
  /** `again`: a document that is there is indexed anew, as it is. */
  kind: 'index' | 'delete' | 'update' | 'again';
  type: string;
  id: string;
  /** Only if the id is free. */
  create?: boolean | undefined;
  /** Of a deletion: nothing is remembered of the id, whose versions begin anew. */
  forgotten?: boolean | undefined;
  routing?: string | undefined;
  /** The id of the parent that it belongs to. */
  parent?: string | undefined;
  /** When it was made, as the request says: milliseconds or a date. */
  timestamp?: string | undefined;
  /** How long it lives, in milliseconds. */
  ttl?: number | undefined;
  /** In place of both: what is kept with the document already. */
  times?: Times | undefined;
  version?: Version | undefined;
  versionType?: VersionType | undefined;
  /** The bytes as sent; of an index operation. */
  source?: Uint8Array | undefined;
  /** When it was decided on, in milliseconds; now without. */
  now?: number | undefined;
  /** The version that the document must have, null for none: where it has another, the operation comes to {@link CHANGED}. */
  expected?: Version | null | undefined;
  /** What it comes to, whatever is there: it is as if it had never been made. */
  refused?: ElasticsearchError | undefined;
  /** Of an update: what the document that is there, if one is, becomes. May throw. */
  change?: ((current: StoredDocument | undefined, at: Place) => DocumentChange) | undefined;
}

/** What becomes of an operation that expected another version: whoever decided on it decides anew. */
export const CHANGED = new ElasticsearchError(
  'VersionConflictEngineException',
  'the document was changed while its update was decided on',
  { status: 409 },
);

/** What becomes of operations of a log that need another mapping first, and of those behind them. */
export const AGAIN = new ElasticsearchError(
  'UnavailableShardsException',
  'the mapping was changed while the documents that need it were being written',
  { status: 503 },
);

/** What became of an operation. */
export interface WriteResult {
  version: Version;
  /** The id had no document before (index, update), or had one (delete). */
  fresh: boolean;
  /** An update that changed nothing. */
  noop?: boolean;
  /** The document after an update. */
  document?: StoredDocument;
}

/** The name of a version type as a request gives it. */
export function parseVersionType(name: string | undefined): VersionType {
  switch (name) {
    case undefined:
    case 'internal':
      return 'internal';
    case 'external':
    case 'external_gt':
      return 'external';
    case 'external_gte':
    case 'force':
      return name;
    default:
      throw illegalArgument(`No version type match [${name}]`);
  }
}

/** A time to live in milliseconds, which has to be one. */
export function checkTtl(ms: number): number {
  if (ms <= 0) throw illegalArgument(`TTL value must be > 0. Illegal value provided [${ms}]`);
  return ms;
}

/** Refuses a version that its type can't have. */
export function checkVersion(version: Version | undefined, type: VersionType): void {
  const legal =
    type === 'internal' ? version === undefined || version >= 0 : version !== undefined && version >= 0;
  if (legal) return;
  const name = type.toUpperCase();
  throw validationFailed(`illegal version value [${version ?? -3}] for version type [${name}]`);
}

/** Refuses an id or a routing value that the store has no room for. 1.7 allows 32,766 bytes for either. */
export function checkLengths({ type, id, routing }: Pick<Operation, 'type' | 'id' | 'routing'>): void {
  const isShort = 3 * (type.length + id.length) < MAX_UID_BYTES;
  const uid = isShort ? 0 : bytesOver(MAX_UID_BYTES, uidOf(type, id));
  if (uid > 0) {
    const shown = id.length > 40 ? `${id.slice(0, 40)}...` : id;
    throw illegalArgument(
      `id [${shown}] is too long: type and id with a [#] between them may take ${MAX_UID_BYTES} bytes in UTF-8, these take ${uid}`,
    );
  }
  const bytes = routing === undefined ? 0 : bytesOver(MAX_ROUTING_BYTES, routing);
  if (bytes > 0) {
    throw illegalArgument(
      `routing is too long: it may take ${MAX_ROUTING_BYTES} bytes in UTF-8, this one takes ${bytes}`,
    );
  }
}

/** Where a document is, for the texts of errors. */
export interface Place {
  index: string;
  shard: number;
  type: string;
  id: string;
}

/** The version that a write gets, or the error that refuses it. `current` is undefined where nothing is known of the id. */
export function decideVersion(
  op: Operation,
  current: IdRecord | undefined,
  at: Place,
): Version | ElasticsearchError {
  const exists = current !== undefined && current.seq > 0;
  const known = current?.version ?? -1;
  const type = op.versionType ?? 'internal';
  const given = op.version;
  if (type === 'internal') {
    // The version of a deletion counts as long as it is remembered.
    if (given !== undefined && given !== 0 && given !== known) return versionConflict(at, known, given);
  } else if (given !== undefined && known >= 0 && type !== 'force') {
    if (type === 'external' ? given <= known : given < known) return versionConflict(at, known, given);
  }
  if (op.create && exists) return documentAlreadyExists(at);
  if (type !== 'internal') return given!;
  return known === -1 ? 1 : nextVersion(known);
}

/** The version that an update with a wanted version must find; returns the error. */
export function wrongUpdateVersion(op: Operation, current: IdRecord | undefined, at: Place) {
  const known = current !== undefined && current.seq > 0 ? current.version : -1;
  if (op.version === undefined || op.version === 0 || op.versionType === 'force' || known < 0)
    return undefined;
  return op.version === known ? undefined : versionConflict(at, known, op.version);
}

/** Refuses a read that wants another version; returns the error. */
export function wrongVersion(
  at: Place,
  current: Version,
  wanted: Version | undefined,
  type: VersionType,
): ElasticsearchError | undefined {
  if (wanted === undefined || type === 'force' || wanted === current) return undefined;
  if (type === 'internal' && wanted === 0) return undefined;
  return versionConflict(at, current, wanted);
}
