/** Chunks of operations: what is decided together, committed together and handed to the shard together. */
import { BatchWriter } from '../core/batch.js';
import { ElasticsearchError, toElasticsearchError } from '../errors.js';
import {
  bytesOver,
  decodeDocument,
  decodeIdRecord,
  encodeDocument,
  encodeIdRecord,
  encodeSeq,
  encodeText,
  type IdRecord,
  idKey,
  MAX_UID_BYTES,
  seqKey,
  type StoredDocument,
  tombstoneKey,
  uidOf,
} from '../storage/records.js';
import type { Entry, Storage } from '../storage/storage.js';
import type { Encoded } from '../mapping/documents.js';
import type { Times } from '../mapping/documentTimes.js';
import type { Clock } from './clock.js';
import {
  decideVersion,
  type Operation,
  TOMBSTONE_MS,
  type WriteResult,
  wrongUpdateVersion,
} from './operation.js';
import type { Kill } from './retirement.js';

/** What became of an operation. */
export type Outcome = WriteResult | ElasticsearchError;

/** The operations of one request on one shard. */
export interface Group {
  ops: readonly Operation[];
  outcomes: Outcome[];
  left: number;
  resolve(outcomes: Outcome[]): void;
}

/** Operations that share a commit. */
export interface Chunk {
  items: { group: Group; at: number; outcome: Outcome }[];
  puts: Entry[];
  /** The newest record of every id in it. */
  ids: Map<string, IdRecord>;
  /** Its documents by their operations: what an update in the next chunk may need before they are committed. */
  documents: Map<number, StoredDocument>;
  kills: Kill[];
  /** For the core. */
  batch: Uint8Array;
  /** Of the sources. */
  bytes: number;
  lastSeq: number;
  /** What deciding took. */
  ms: number;
  /** The newest operation that left a row by which a recovery sees it. */
  lastRow: number;
}

/** What building chunks needs of the shard and its surroundings. */
export interface ChunkContext {
  /** The names that errors give. */
  index: string;
  number: number;
  /** The shard's number in the store. */
  uid: number;
  storage: Storage;
  clock: Clock;
  turn(callback: () => void): void;
  /** Told how long deciding and parsing an operation took, in milliseconds. */
  decided?(op: Operation, ms: number): void;
  /** Writes a document and its hidden ones into a batch, numbered from `seq` on; throws if it doesn't parse. */
  encode(batch: BatchWriter, seq: number, op: Operation): Encoded;
}

const CHUNK_OPS = 1000;
const CHUNK_BYTES = 8 * 1024 * 1024;
/** Smaller ones take in what comes before their commit begins. */
const SMALL_OPS = 200;
const SMALL_BYTES = 256 * 1024;
/** Parsing gives others a turn after that many milliseconds. */
const TURN_MS = 4;

/** Takes operations from a queue and decides what they come to. */
export class ChunkBuilder {
  readonly #context: ChunkContext;
  readonly #queue: { group: Group; at: number }[] = [];
  readonly #batch = new BatchWriter();
  #head = 0;
  /** The newest operation there is. */
  lastSeq = 0;
  /** The chunk that is being committed. */
  uncommitted: Chunk | undefined;

  constructor(context: ChunkContext) {
    this.#context = context;
  }

  /** Whether nothing waits. */
  get empty(): boolean {
    return this.#head === this.#queue.length;
  }

  add(group: Group): void {
    if (this.empty) this.#queue.length = this.#head = 0;
    for (let at = 0; at < group.ops.length; at++) this.#queue.push({ group, at });
  }

  /** What the store knows of an id; an old deletion counts as nothing. */
  stored(uid: string): IdRecord | undefined {
    const { storage, clock, uid: shard } = this.#context;
    if (bytesOver(MAX_UID_BYTES, uid) > 0) return undefined;
    const bytes = storage.get(idKey(shard, uid));
    if (bytes === undefined) return undefined;
    const record = decodeIdRecord(bytes);
    return record.seq === 0 && record.deletedAt + TOMBSTONE_MS < clock.now() ? undefined : record;
  }

  /** A chunk from the head of the queue, decided in short turns. */
  async next(): Promise<Chunk> {
    const empty = new Uint8Array(0);
    const chunk: Chunk = {
      items: [],
      puts: [],
      ids: new Map(),
      documents: new Map(),
      kills: [],
      batch: empty,
      bytes: 0,
      lastSeq: 0,
      ms: 0,
      lastRow: 0,
    };
    this.#batch.reset();
    await this.#fill(chunk);
    return chunk;
  }

  /** Adds what came since to a chunk that is not committed yet, the last one that was built; unless it is big already. */
  async extend(chunk: Chunk): Promise<void> {
    if (!this.empty && chunk.items.length < SMALL_OPS && chunk.bytes < SMALL_BYTES) await this.#fill(chunk);
  }

  async #fill(chunk: Chunk): Promise<void> {
    const started = performance.now();
    let began = started;
    let turnEnds = started + TURN_MS;
    while (!this.empty && chunk.items.length < CHUNK_OPS && chunk.bytes < CHUNK_BYTES) {
      const { group, at } = this.#queue[this.#head++]!;
      const op = group.ops[at]!;
      let outcome: Outcome;
      try {
        outcome = this.#decide(op, chunk);
      } catch (e) {
        outcome = toElasticsearchError(e);
      }
      chunk.items.push({ group, at, outcome });
      const now = performance.now();
      this.#context.decided?.(op, now - began);
      began = now;
      if (now < turnEnds) continue;
      await new Promise<void>((resolve) => this.#context.turn(resolve));
      began = performance.now();
      turnEnds = began + TURN_MS;
    }
    chunk.batch = this.#batch.bytes().slice();
    chunk.lastSeq = this.lastSeq;
    chunk.ms += performance.now() - started;
  }

  #decide(given: Operation, chunk: Chunk): Outcome {
    const { index, number: shard, uid: store, encode } = this.#context;
    const uid = uidOf(given.type, given.id);
    let seq = this.lastSeq + 1;
    const current = chunk.ids.get(uid) ?? this.uncommitted?.ids.get(uid) ?? this.stored(uid);
    const at = { index, shard, type: given.type, id: given.id };
    let op = given;
    if (given.kind === 'update') {
      const wrong = wrongUpdateVersion(given, current, at);
      if (wrong !== undefined) return wrong;
      const document = this.#documentOf(current, chunk);
      const change = given.change!(document, at);
      if (change === 'none')
        return { version: current!.version, fresh: false, noop: true, document: document! };
      const routing = given.routing ?? document?.routing;
      // The version that was wanted has been found; where nothing was found, it still is wanted.
      const done = given.versionType === 'force' || document === undefined ? {} : { version: undefined };
      // What is there keeps its parent; one that its type can't have is not looked at.
      const parent = document === undefined ? given.parent : document.parent;
      // So does it its time to live, as far as that is left.
      const left = document?.expires === undefined ? undefined : document.expires - this.#context.clock.now();
      const ttl = given.ttl ?? left;
      op = { ...given, kind: 'index', routing, parent, ttl, source: change.source, ...done };
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
    const version = decideVersion(op, current, at);
    const refused = version instanceof ElasticsearchError;
    // A document that doesn't parse is reported as that, even where its version would be refused too.
    let times: Times = {};
    if (op.kind === 'index') {
      const encoded = encode(refused ? new BatchWriter(1024) : this.#batch, seq, op);
      seq = encoded.key;
      times = encoded;
    }
    if (refused) return version;
    this.lastSeq = seq;
    const old = current?.seq ?? 0;
    let document: StoredDocument | undefined;
    if (op.kind === 'index') {
      this.#record(chunk, uid, { seq, version, deletedAt: 0 });
      document = this.#documentFor(op, version, times);
      chunk.documents.set(seq, document);
      chunk.bytes += document.source.length;
      chunk.puts.push([seqKey('d', store, seq), encodeDocument(document)]);
      chunk.lastRow = seq;
    } else {
      const now = this.#context.clock.now();
      this.#record(chunk, uid, { seq: 0, version, deletedAt: now });
      chunk.puts.push([tombstoneKey(store, now, seq), encodeText(uid)]);
    }
    if (old > 0) {
      chunk.puts.push([seqKey('k', store, seq), encodeSeq(old)]);
      chunk.kills.push({ seq, old, uid });
      chunk.lastRow = seq;
      this.#batch.delete(old);
    }
    const fresh = op.kind === 'index' ? old === 0 : old > 0;
    return given.kind === 'update' ? { version, fresh, document: document! } : { version, fresh };
  }

  #documentFor(op: Operation, version: number, { timestamp, expires }: Times): StoredDocument {
    const { type, id, routing, parent, source } = op;
    return { type, id, version, routing, parent, timestamp, expires, source: source! };
  }

  /** The document of a record, committed or not. */
  #documentOf(record: IdRecord | undefined, chunk: Chunk): StoredDocument | undefined {
    if (record === undefined || record.seq === 0) return undefined;
    const known = chunk.documents.get(record.seq) ?? this.uncommitted?.documents.get(record.seq);
    if (known !== undefined) return known;
    const { storage, uid } = this.#context;
    const bytes = storage.get(seqKey('d', uid, record.seq));
    return bytes === undefined ? undefined : decodeDocument(bytes);
  }

  #record(chunk: Chunk, uid: string, record: IdRecord): void {
    chunk.ids.set(uid, record);
    chunk.puts.push([idKey(this.#context.uid, uid), encodeIdRecord(record)]);
  }
}

/** Tells an operation's request what became of it. */
export function answer(group: Group, at: number, outcome: Outcome): void {
  group.outcomes[at] = outcome;
  if (--group.left === 0) group.resolve(group.outcomes);
}
