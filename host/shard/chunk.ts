/** Chunks of operations: what is decided together, committed together and handed to the shard together. */
import { BatchWriter } from '../core/batch.js';
import { ElasticsearchError, toElasticsearchError } from '../errors.js';
import type { Encoded } from '../mapping/documents.js';
import type { Times } from '../mapping/documentTimes.js';
import { decodeDocument, type StoredDocument } from '../storage/storedDocuments.js';
import type { Dictionaries } from '../storage/dictionaries.js';
import {
  decodeIdRecord,
  encodeSeq,
  encodeText,
  type IdRecord,
  idKey,
  kindRange,
  MAX_ID_KEY_BYTES,
  seqKey,
  tombstoneKey,
  uidOf,
} from '../storage/records.js';
import { addIdRecord } from '../storage/operationRows.js';
import { Rows } from '../storage/rows.js';
import { DamagedRow, type Storage } from '../storage/storage.js';
import type { Version } from '../storage/versions.js';
import type { Clock } from '../time/clock.js';
import { Packing } from './packing.js';
import type { Tally } from './counters.js';
import { MappingNeeded } from '../mappingNeeded.js';
import { damagedDocument } from './damage.js';
import { DocumentRows } from './documentRows.js';
import { IdFilter } from './idFilter.js';
import {
  AGAIN,
  CHANGED,
  decideVersion,
  type Operation,
  type Place,
  type WriteResult,
  wrongUpdateVersion,
} from './operation.js';
import type { DeletedDocument } from './deferredReclamation.js';
import { type Group, type Outcome, type Span, WriteQueue } from './writeQueue.js';

/** Operations that share a commit. */
export interface Chunk {
  spans: Span[];
  /** How many operations it has, refused ones included; and what the others did. */
  count: number;
  done: Done;
  /** For the store. */
  rows: Rows;
  /** The newest record of every id in it. */
  ids: Map<string, IdRecord>;
  /** Its documents: what an update in the next chunk may need before they are committed. */
  documents: DocumentRows;
  kills: DeletedDocument[];
  /** For the core. */
  batch: Uint8Array;
  /** Of the sources. */
  bytes: number;
  lastSeq: number;
  /** What deciding took. */
  ms: number;
  /** The newest operation that left a row by which a recovery sees it. */
  lastRow: number;
  /** Whether there are messages of the index's log among its groups. */
  isLogged: boolean;
}

/** How many operations did what, by type; and those on documents whose type is watched. */
export interface Done {
  types: Map<string, Tally>;
  watched: Operation[];
}

/** An operation that indexes. */
export type IndexOperation = Operation & { source: Uint8Array };

/** What building chunks needs of the shard and its surroundings. */
export interface ChunkContext {
  /** The names that errors give. */
  index: string;
  number: number;
  /** The shard's number in the store. */
  uid: number;
  storage: Storage;
  dictionaries: Dictionaries;
  clock: Clock;
  /** Bytes of a source from which on parsing it may take long for the fields that there are. */
  longFrom(): number;
  /** How long versions of deletions count, in milliseconds. */
  gcDeletes(): number;
  turn(callback: () => void): void;
  /** Told how long deciding and parsing an operation took, in milliseconds. */
  decided?(op: Operation, ms: number): void;
  /** Writes a document of a type that nobody watches, and its nested ones, into a batch, numbered from `seq` on; throws if it doesn't parse. */
  encode(batch: BatchWriter, seq: number, op: IndexOperation): Encoded;
  /** The same, with turns for others. */
  encodeInTurns(batch: BatchWriter, seq: number, op: IndexOperation): Promise<Encoded>;
  /** Whether somebody wants to know of writes of a type. */
  watches(type: string): boolean;
}

/** What is decided of an operation before its document is parsed. */
class Decision {
  readonly given: Operation;
  /** What it comes to. */
  readonly op: Operation;
  readonly uid: string;
  /** What its document has been. */
  readonly current: IdRecord | undefined;
  /** The document's own, or why there is none. */
  readonly version: Version | ElasticsearchError;

  constructor(
    given: Operation,
    op: Operation,
    uid: string,
    current: IdRecord | undefined,
    version: Version | ElasticsearchError,
  ) {
    this.given = given;
    this.op = op;
    this.uid = uid;
    this.current = current;
    this.version = version;
  }
}

/** An operation that waits for its document to be parsed in turns. */
interface Long {
  readonly decision: Decision;
  readonly group: Group;
  readonly at: number;
  readonly began: number;
}

const CHUNK_OPS = 4096;
const CHUNK_BYTES = 8 * 1024 * 1024;
/** Smaller ones take in what comes before their commit begins. */
const SMALL_OPS = 200;
const SMALL_BYTES = 256 * 1024;
/** Parsing gives others a turn after that many milliseconds. */
const TURN_MS = 4;
/** Bytes of a source that is parsed in turns. */
const LONG_SOURCE = 256 * 1024;

/** Of most documents. */
const FIRST: WriteResult = Object.freeze({ version: 1, fresh: true });
/** What is kept of an id that is to be as if it had never been: whoever looks finds it long outdated. */
const FORGOTTEN: IdRecord = Object.freeze({ seq: 0, version: -1, deletedAt: 0 });

/** Takes operations from a queue and decides what they come to. */
export class ChunkBuilder {
  readonly #context: ChunkContext;
  readonly #queue = new WriteQueue();
  readonly #batch = new BatchWriter();
  readonly #packing: Packing;
  /** The ids that the shard may have; undefined where it had some before. */
  #ids: IdFilter | undefined;
  #hasBegun = false;
  /** The newest operation there is. */
  lastSeq = 0;
  /** The chunk that is being committed. */
  uncommitted: Chunk | undefined;

  constructor(context: ChunkContext) {
    this.#context = context;
    this.#packing = new Packing(context.uid, context.dictionaries);
  }

  /** A chunk is in the store. */
  committed({ rows }: Chunk): void {
    this.#packing.committed(rows);
  }

  /** Whether nothing waits. */
  get empty(): boolean {
    return this.#queue.empty;
  }

  add(group: Group): void {
    this.#queue.add(group);
  }

  /**
   * What the store knows of an id; an old deletion counts as nothing.
   * @param horizon deletions from before are old, whatever the clock says
   */
  stored(uid: string, horizon?: number): IdRecord | undefined {
    const { storage, clock, gcDeletes } = this.#context;
    const key = idKey(this.#context.uid, uid);
    // Nothing has an id that is too long to be stored.
    const bytes = key.length > MAX_ID_KEY_BYTES ? undefined : storage.get(key);
    if (bytes === undefined) return undefined;
    const record = decodeIdRecord(bytes);
    const isOld = record.seq === 0 && record.deletedAt < (horizon ?? clock.now() - gcDeletes());
    return isOld ? undefined : record;
  }

  /** A chunk from the head of the queue, decided in short turns. */
  async next(): Promise<Chunk> {
    const empty = new Uint8Array(0);
    const rows = new Rows();
    const chunk: Chunk = {
      spans: [],
      count: 0,
      done: { types: new Map(), watched: [] },
      rows,
      ids: new Map(),
      documents: new DocumentRows(rows),
      kills: [],
      batch: empty,
      bytes: 0,
      lastSeq: 0,
      ms: 0,
      lastRow: 0,
      isLogged: false,
    };
    this.#batch.reset();
    if (!this.#hasBegun) this.#begin();
    await this.#fill(chunk);
    return chunk;
  }

  /** Before the first operation: of a shard without any ids all are known that it will have. */
  #begin(): void {
    this.#hasBegun = true;
    this.#packing.begin();
    const { storage, uid } = this.#context;
    const [first] = storage.range(...kindRange('i', uid), { limit: 1, keysOnly: true });
    if (first === undefined) this.#ids = new IdFilter();
  }

  /** Adds what came since to a chunk that is not committed yet, the last one that was built; unless it is big already. */
  async extend(chunk: Chunk): Promise<void> {
    if (!this.empty && chunk.count < SMALL_OPS && chunk.bytes < SMALL_BYTES) await this.#fill(chunk);
  }

  async #fill(chunk: Chunk): Promise<void> {
    const started = performance.now();
    let turnEnds = started + TURN_MS;
    for (let rest = this.#some(chunk, turnEnds); rest !== undefined; rest = this.#some(chunk, turnEnds)) {
      if (rest !== 'later') await this.#long(rest, chunk);
      // Many that were parsed in turns may each have been shorter than one.
      if (performance.now() < turnEnds) continue;
      await new Promise<void>((resolve) => this.#context.turn(resolve));
      turnEnds = performance.now() + TURN_MS;
    }
    chunk.batch = this.#batch.copy();
    chunk.lastSeq = this.lastSeq;
    chunk.ms += performance.now() - started;
  }

  /**
   * One turn, which ends then. Returns why it ended before all was done. Not asynchronous: V8 keeps the machine code of this.
   */
  #some(chunk: Chunk, turnEnds: number): Long | 'later' | undefined {
    let began = performance.now();
    while (
      !this.empty &&
      ((chunk.count < CHUNK_OPS && chunk.bytes < CHUNK_BYTES) || this.#queue.isWithinMessage)
    ) {
      if (began >= turnEnds) return 'later';
      const span = this.#queue.take(chunk.spans);
      const { group, to } = span;
      const op = group.ops[to - 1]!;
      chunk.count++;
      if (group.logged !== undefined) chunk.isLogged = true;
      try {
        const decision = this.#decide(op, chunk, group.logged?.message.horizon);
        if (!(decision instanceof Decision)) group.outcomes[to - 1] = decision;
        else if (this.#isLong(decision)) return { decision, group, at: to - 1, began };
        else group.outcomes[to - 1] = this.#carryOut(decision, chunk, this.#encoded(decision));
      } catch (e) {
        if (e instanceof MappingNeeded) this.#leave(span);
        else group.outcomes[to - 1] = this.#refusal(op, e);
      }
      this.#count(op, group.outcomes[to - 1]!, chunk);
      const decided = performance.now();
      this.#context.decided?.(op, decided - began);
      began = decided;
    }
    return undefined;
  }

  /** Whether the document of an operation is parsed in turns. */
  #isLong({ op }: Decision): boolean {
    if (op.kind !== 'index') return false;
    const { length } = op.source!;
    // What a few bytes ask for, such as a query, may take long.
    return length > LONG_SOURCE || length > this.#context.longFrom() || this.#context.watches(op.type);
  }

  /** Carries out an operation whose document is parsed in turns. */
  async #long({ decision, group, at, began }: Long, chunk: Chunk): Promise<void> {
    const { given, op } = decision;
    const { encodeInTurns } = this.#context;
    try {
      const batch = this.#batchOf(decision);
      const encoded = await encodeInTurns(batch, this.lastSeq + 1, op as IndexOperation);
      // Packing its source takes a turn.
      if (op.source!.length > LONG_SOURCE) await new Promise<void>((resolve) => this.#context.turn(resolve));
      group.outcomes[at] = this.#carryOut(decision, chunk, encoded);
    } catch (e) {
      if (e instanceof MappingNeeded) this.#leave(chunk.spans.at(-1)!);
      else group.outcomes[at] = this.#refusal(given, e);
    }
    this.#count(given, group.outcomes[at]!, chunk);
    this.#context.decided?.(given, performance.now() - began);
  }

  /**
   * The operation that was taken last, and those behind it in its group, are not carried out: each copy of the shard leaves out the same
   * ones, and whoever wrote them does it again with the mapping that they need.
   */
  #leave(span: Span): void {
    const { group, to } = span;
    this.#queue.takeRest(span);
    group.outcomes.fill(AGAIN, to - 1);
  }

  #refusal({ type, id }: Operation, e: unknown): ElasticsearchError {
    if (!(e instanceof DamagedRow)) return toElasticsearchError(e);
    const { index, number } = this.#context;
    return damagedDocument(`[${index}][${number}]`, `document ${type}/${id}`, e);
  }

  #count(op: Operation, outcome: Outcome, { done }: Chunk): void {
    if (outcome instanceof ElasticsearchError) return;
    if (op.kind !== 'again') {
      const tally = tallyOf(done.types, op.type);
      if (op.kind === 'delete') tally.deleted++;
      else if (outcome.noop) tally.noops++;
      else tally.indexed++;
    }
    if (this.#context.watches(op.type)) done.watched.push(op);
  }

  #place({ type, id }: Operation): Place {
    const { index, number: shard } = this.#context;
    return { index, shard, type, id };
  }

  /** What an operation comes to, if nothing is wrong with its document; its outcome where that is known already. Has no effects. */
  #decide(given: Operation, chunk: Chunk, horizon: number | undefined): Decision | Outcome {
    if (given.refused !== undefined) return given.refused;
    const uid = uidOf(given.type, given.id);
    const isNew = this.#ids?.mayHave(uid) === false;
    const current = isNew ? undefined : (this.#recent(uid, chunk, horizon) ?? this.stored(uid, horizon));
    let op = given;
    if (given.expected !== undefined) {
      const version = current === undefined || current.seq === 0 ? null : current.version;
      if (version !== given.expected) return CHANGED;
    }
    if (given.kind === 'update') {
      const at = this.#place(given);
      const wrong = wrongUpdateVersion(given, current, at);
      if (wrong !== undefined) return wrong;
      const document = this.#documentOf(current, chunk);
      const change = given.change!(document, at);
      if (change === 'none')
        return { version: current?.version ?? -1, fresh: false, noop: true, document: document! };
      const routing = given.routing ?? document?.routing;
      // The version that was wanted has been found; where nothing was found, it still is wanted.
      const done = given.versionType === 'force' || document === undefined ? {} : { version: undefined };
      // What is there keeps its parent; one that its type can't have is not looked at.
      const parent = document === undefined ? given.parent : document.parent;
      // So does it its time to live, as far as that is left.
      const left = document?.expires === undefined ? undefined : document.expires - this.#context.clock.now();
      if (change === 'delete') op = { ...given, kind: 'delete', routing, parent, ...done };
      else {
        const { source, timestamp = given.timestamp, ttl = given.ttl ?? left } = change;
        op = { ...given, kind: 'index', routing, parent, timestamp, ttl, source, ...done };
      }
    }
    if (given.kind === 'again') {
      const document = this.#documentOf(current, chunk);
      if (document === undefined) return { version: current?.version ?? 0, fresh: false, noop: true };
      const { version, routing, parent, source } = document;
      op = {
        ...given,
        kind: 'index',
        version,
        versionType: 'force',
        routing,
        parent,
        source,
        times: document,
      };
    }
    const isPlain =
      current === undefined && op.version === undefined && (op.versionType ?? 'internal') === 'internal';
    const version = isPlain ? 1 : decideVersion(op, current, this.#place(op));
    return new Decision(given, op, uid, current, version);
  }

  /** What is known of an id that is not in the store yet; an old deletion is a {@link FORGOTTEN} one, so that the store isn't asked. */
  #recent(uid: string, chunk: Chunk, horizon: number | undefined): IdRecord | undefined {
    const record = chunk.ids.get(uid) ?? this.uncommitted?.ids.get(uid);
    if (record === undefined || horizon === undefined || record.seq > 0) return record;
    return record.deletedAt < horizon ? FORGOTTEN : record;
  }

  /** Where the document of an operation is parsed to: one that doesn't parse is reported as that, even if its version is refused. */
  #batchOf({ version }: Decision): BatchWriter {
    return version instanceof ElasticsearchError ? new BatchWriter(1024) : this.#batch;
  }

  #encoded(decision: Decision): Encoded | undefined {
    const { op } = decision;
    if (op.kind !== 'index') return undefined;
    const { encode } = this.#context;
    return encode(this.#batchOf(decision), this.lastSeq + 1, op as IndexOperation);
  }

  #carryOut(
    { given, op, uid, current, version }: Decision,
    chunk: Chunk,
    encoded: Encoded | undefined,
  ): Outcome {
    if (version instanceof ElasticsearchError) return version;
    const { uid: store } = this.#context;
    const seq = encoded?.key ?? this.lastSeq + 1;
    this.lastSeq = seq;
    const old = current?.seq ?? 0;
    let document: StoredDocument | undefined;
    if (op.kind === 'index') {
      this.#record(chunk, uid, { seq, version, deletedAt: 0 });
      document = this.#documentFor(op, version, encoded!);
      chunk.documents.add(seq, this.#packing.add(chunk.rows, seq, document));
      chunk.bytes += document.source.length;
      chunk.lastRow = seq;
    } else {
      const now = op.now ?? this.#context.clock.now();
      const left = op.forgotten === true ? FORGOTTEN : { seq: 0, version, deletedAt: now };
      this.#record(chunk, uid, left);
      chunk.rows.push(tombstoneKey(store, now, seq), encodeText(uid));
    }
    if (old > 0) {
      chunk.rows.push(seqKey('k', store, seq), encodeSeq(old));
      chunk.kills.push({ seq, old, uid });
      chunk.lastRow = seq;
      this.#batch.delete(old);
    }
    const fresh = op.kind === 'index' ? old === 0 : old > 0;
    if (given.kind === 'update' || (given.expected !== undefined && document !== undefined))
      return op.kind === 'delete' ? { version, fresh: false } : { version, fresh, document: document! };
    return version === 1 && fresh ? FIRST : { version, fresh };
  }

  #documentFor(op: Operation, version: Version, { timestamp, expires }: Times): StoredDocument {
    const { type, id, routing, parent, source } = op;
    return { type, id, version, routing, parent, timestamp, expires, source: source! };
  }

  /** The document of a record, committed or not. */
  #documentOf(record: IdRecord | undefined, chunk: Chunk): StoredDocument | undefined {
    if (record === undefined || record.seq === 0) return undefined;
    const { storage, uid, dictionaries } = this.#context;
    const { seq } = record;
    const known = chunk.documents.get(seq) ?? this.uncommitted?.documents.get(seq);
    const bytes = known ?? storage.get(seqKey('d', uid, seq));
    return bytes === undefined ? undefined : decodeDocument(bytes, dictionaries);
  }

  #record(chunk: Chunk, uid: string, record: IdRecord): void {
    chunk.ids.set(uid, record);
    this.#ids?.add(uid);
    addIdRecord(chunk.rows, this.#context.uid, uid, record);
  }
}

function tallyOf(types: Map<string, Tally>, type: string): Tally {
  let tally = types.get(type);
  if (tally === undefined) {
    tally = { indexed: 0, deleted: 0, noops: 0 };
    types.set(type, tally);
  }
  return tally;
}
