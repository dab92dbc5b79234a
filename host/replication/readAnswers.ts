/** What this node answers others that ask about its copies. */
import { onAbort } from '../cluster/onAbort.js';
import { encodeResult } from '../core/result.js';
import { ElasticsearchError, toElasticsearchError } from '../errors.js';
import { isObject } from '../json/values.js';
import type { Breakers, Held as HeldBytes, SettingLookup } from '../limits/breakers.js';
import { ThreadPools } from '../limits/threadPools.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { PERCOLATOR } from '../percolate/queries.js';
import { bounded } from '../search/planBound.js';
import type { CopyAnswer, CopyQuestion } from '../shard/copyReads.js';
import { encodeDocuments, type SentDocument, writtenVersion } from '../shard/documentMessage.js';
import { randomId } from '../shard/ids.js';
import { fillKeys, readKeyPlaces } from '../shard/keyPlaces.js';
import type { Shard } from '../shard/shard.js';
import { MAX_UID_BYTES, bytesOver, uidOf } from '../storage/records.js';
import type { Clock } from '../time/clock.js';
import { elapsed } from '../time/elapsed.js';
import { NOBODY, WorkLimit, WorkOver } from '../workLimit.js';
import { pause } from './pause.js';
import { LEASE_MS } from './readAsker.js';
import {
  type AskedItem,
  type AskedShard,
  decodeQuestions,
  encodeAnswers,
  type ItemAnswer,
  type Lease,
} from './readMessages.js';

/** What it needs of the node. */
export interface ReadAnswersContext {
  clock: Clock;
  /** The index that is meant, with at least that mapping; undefined where it has gone. */
  index(at: AskedShard, signal: AbortSignal): Promise<OpenIndex | undefined>;
  /** Resolves when the shard has all that was acknowledged before. */
  current(index: OpenIndex, shard: number, signal: AbortSignal): Promise<void>;
}

/** Rows that are kept for a search of another node. */
interface Held {
  shard: Shard;
  release(): void;
  /** When it was last heard of. */
  used: number;
}

/** How long a copy that is being opened, or is to be refreshed first, is waited for. */
const OPENING_MS = 1000;
/** Leases that this node keeps. */
const MOST_HELD = 20_000;
/** Leases that outlived their time are looked for that often. */
const SWEEP_MS = 30_000;
/** Bytes of all answers of a message; the first may be longer. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Bytes of rows of one answer, beside the last; the others are asked for again. */
const ROWS_BYTES = 4 * 1024 * 1024;
/** So many hits have their documents with them, as far as these have so many bytes, beside the last. */
const MOST_SENT_ALONG = 50;
const SENT_ALONG_BYTES = 16 * 1024;
/** Documents of one answer; the others are asked for again. */
const MOST_DOCUMENTS = 10_000;
/** Ids that are found under prefixes in one answer. */
const MOST_UIDS = 100_000;
/** Ids that are looked up before others have the event loop. */
const UIDS_A_TURN = 5000;
/** What the breakers call answers to other nodes. */
const LABEL = '<answers_to_nodes>';
const NOTHING = new Uint8Array(0);

/** A copy isn't here. */
class NotHere extends Error {}

/** Answers about the copies of this node. */
export class ReadAnswers {
  readonly #context: ReadAnswersContext;
  readonly #held = new Map<string, Held>();
  /** What is answered at once: requests of this node's clients have places of their own, since they may wait for other nodes. */
  readonly #pools = new ThreadPools();
  #breakers: Breakers | undefined;
  /** What stands for the registered queries of this process's copies. */
  readonly #names = new WeakMap<Shard, string>();
  #cancelSweep: (() => void) | undefined;
  #isClosed = false;
  /** Whether the copies have been refreshed since the node joined, and who waits for that. */
  #hasRefreshed = false;
  readonly #whenRefreshed: Promise<void>;
  #refreshed = () => {};

  constructor(context: ReadAnswersContext) {
    this.#context = context;
    this.#whenRefreshed = new Promise((resolve) => {
      this.#refreshed = resolve;
    });
  }

  /**
   * The copies have been refreshed since the node joined. Before, searches of other nodes could miss what a refresh showed that was
   * acknowledged when nobody knew of this node.
   */
  refreshed(): void {
    this.#hasRefreshed = true;
    this.#refreshed();
  }

  /** Bounds the answers as settings of the cluster say. */
  configure(setting: SettingLookup, breakers: Breakers): void {
    this.#pools.configure(setting);
    this.#breakers = breakers;
  }

  /** How many searches of other nodes have rows kept. */
  get held(): number {
    return this.#held.size;
  }

  /** Answers a message of another node; throws for one that is none. */
  async answer(message: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    const { items, ms, released, renewed } = decodeQuestions(message);
    for (const lease of released) this.#release(lease);
    const now = elapsed(this.#context.clock);
    for (const lease of renewed) {
      const held = this.#held.get(lease);
      if (held !== undefined) held.used = now;
    }
    if (items.length === 0) return encodeAnswers([]);
    const limit = WorkLimit.of(ms ?? Number.POSITIVE_INFINITY);
    const cancel = () => limit.cancel();
    const unlisten = onAbort(signal, cancel);
    if (signal.aborted) cancel();
    const answering = new Answering(this.#breakers);
    try {
      const answers = items.map((item) => this.#item(item, limit, signal, answering));
      return encodeAnswers(shortened(await Promise.all(answers)));
    } finally {
      answering.release();
      unlisten();
      // Whoever asked has given up, and knows nothing of what was begun.
      if (signal.aborted) for (const { lease } of items) if (lease?.begins === true) this.#release(lease.id);
    }
  }

  /** Lets go of what is kept for processes that are gone: copies can't go before. @param lives whether a process is there */
  letGo(lives: (incarnation: string) => boolean): void {
    for (const lease of [...this.#held.keys()])
      if (!lives(lease.slice(0, lease.lastIndexOf('-')))) this.#release(lease);
  }

  /** Lets go of all that is kept for others. Copies are closed from now on: what is under way is to be asked of others. */
  close(): void {
    this.#isClosed = true;
    this.#cancelSweep?.();
    for (const lease of [...this.#held.keys()]) this.#release(lease);
  }

  async #item(
    { at, lease, question }: AskedItem,
    limit: WorkLimit,
    signal: AbortSignal,
    answering: Answering,
  ): Promise<ItemAnswer> {
    const pool = this.#pools.pool(question.kind === 'documents' ? 'get' : 'search');
    let hasEntered = false;
    try {
      const index = await this.#context.index(at, signal).catch((e) => {
        throw new NotHere(`the node does not follow the index: ${(e as Error).message}`);
      });
      const opening = index?.shards[at.shard];
      if (opening?.isHeld === true && opening.opening)
        await Promise.race([opening.ready, pause(this.#context.clock, OPENING_MS, signal)]);
      const { kind, head } = question;
      const isRealtime = kind === 'queries' || (kind === 'documents' && head.realtime === true);
      if (!isRealtime) await this.#afterRefresh(signal);
      const shard = this.#shard(index, at, lease);
      if (isRealtime) await this.#upToDate(index!, shard, signal);
      const waiting = pool.enter(NOBODY);
      if (waiting !== undefined) await waiting;
      hasEntered = true;
      if (limit.cancelled) throw new WorkOver();
      if (answering.isFull) return { alone: true };
      const answer = await this.#answer(index!, shard, question, limit, lease !== undefined);
      answering.hold(answer.bytes.length);
      // An index that went meanwhile has failed in ways of its own.
      return { answer };
    } catch (e) {
      if (e instanceof NotHere) return { lost: e.message };
      if (this.#isClosed) return { lost: 'the node is shutting down' };
      return { error: e instanceof Error ? e : toElasticsearchError(e) };
    } finally {
      if (hasEntered) pool.leave();
    }
  }

  /** Resolves when the copies show all that was refreshed before others knew of this node. */
  async #afterRefresh(signal: AbortSignal): Promise<void> {
    if (this.#hasRefreshed) return;
    await Promise.race([this.#whenRefreshed, pause(this.#context.clock, OPENING_MS, signal)]);
    if (!this.#hasRefreshed) throw new NotHere('the node has joined and not refreshed its copies yet');
  }

  /** Resolves when the shard has all that was acknowledged before. */
  async #upToDate(index: OpenIndex, shard: Shard, signal: AbortSignal): Promise<void> {
    await this.#context.current(index, shard.number, signal);
    // A copy that has gone meanwhile follows its log no further.
    if (index.shards[shard.number] !== shard) throw new NotHere('the node has no copy of it any more');
  }

  /** The shard that is asked for: of a search that goes on, the one that it began with. */
  #shard(
    index: OpenIndex | undefined,
    { index: name, shard: number }: AskedShard,
    lease: Lease | undefined,
  ): Shard {
    const held = lease === undefined ? undefined : this.#held.get(lease.id);
    if (lease !== undefined && !lease.begins && held === undefined)
      throw new NotHere('the node has let go of the search');
    const shard = held?.shard ?? index?.shards[number];
    if (index === undefined || shard === undefined) throw new NotHere(`the node has no index [${name}]`);
    if (!shard.isHeld) throw new NotHere('the node has no copy of it any more');
    if (shard.gone !== undefined || shard.opening || !shard.active)
      throw new NotHere('the copy of the node can not be searched now');
    if (lease === undefined) return shard;
    const used = elapsed(this.#context.clock);
    if (held !== undefined) held.used = used;
    else {
      if (this.#held.size >= MOST_HELD)
        throw new NotHere(`the node keeps documents for ${MOST_HELD} searches already`);
      this.#held.set(lease.id, { shard, release: shard.hold(), used });
      this.#cancelSweep ??= this.#context.clock.after(SWEEP_MS, () => this.#sweep());
    }
    return shard;
  }

  /** The registered queries of a shard with their versions, unless they are as they were. */
  #queries(index: OpenIndex, shard: Shard, known: unknown): CopyAnswer {
    let name = this.#names.get(shard);
    if (name === undefined) {
      name = randomId();
      this.#names.set(shard, name);
    }
    const stamp = `${name}-${index.percolator.changesOf(shard)}`;
    if (known === stamp) return { head: { same: true }, bytes: NOTHING };
    const versions: unknown[] = [];
    for (const id of shard.documents.idsOf(PERCOLATOR)) {
      if (versions.length >= MOST_QUERIES) throw tooManyQueries();
      const document = shard.documents.committed(PERCOLATOR, id);
      if (document !== undefined) versions.push([id, writtenVersion(document.version)]);
    }
    return { head: { stamp, versions }, bytes: NOTHING };
  }

  #release(lease: string): void {
    const held = this.#held.get(lease);
    if (held === undefined) return;
    this.#held.delete(lease);
    held.release();
  }

  /** Lets go of what nodes ask for that have died. */
  #sweep(): void {
    this.#cancelSweep = undefined;
    const now = elapsed(this.#context.clock);
    for (const [lease, { used }] of this.#held) if (now - used > LEASE_MS) this.#release(lease);
    if (this.#held.size > 0) this.#cancelSweep = this.#context.clock.after(SWEEP_MS, () => this.#sweep());
  }

  async #answer(
    index: OpenIndex,
    shard: Shard,
    { kind, head, bytes }: CopyQuestion,
    limit: WorkLimit,
    isHeld: boolean,
  ): Promise<CopyAnswer> {
    switch (kind) {
      case 'search':
        return search(shard, head, bytes, limit, isHeld);
      case 'terms':
        return { head: {}, bytes: await shard.searches.terms(bytes, limit) };
      case 'rows':
        return rows(shard, keysIn(bytes));
      case 'keys':
        return keys(shard, texts(head.uids), texts(head.prefixes), limit);
      case 'documents':
        return documents(shard, idsIn(head.ids), head);
      case 'queries':
        return this.#queries(index, shard, head.known);
    }
  }
}

/** Bytes of the answers of one message, counted by the breaker until the message is made of them. */
class Answering {
  readonly #breakers: Breakers | undefined;
  readonly #held: HeldBytes[] = [];
  #bytes = 0;

  constructor(breakers: Breakers | undefined) {
    this.#breakers = breakers;
  }

  /** Whether what isn't begun has to be asked for alone. */
  get isFull(): boolean {
    return this.#bytes > MOST_BYTES;
  }

  /** Throws where that is too much. */
  hold(bytes: number): void {
    this.#bytes += bytes;
    if (this.#breakers !== undefined) this.#held.push(this.#breakers.hold('request', bytes, LABEL));
  }

  release(): void {
    for (const held of this.#held) held.release();
  }
}

/** Registered queries that are told of. */
const MOST_QUERIES = 500_000;

/** Plan → result. With places, keys are filled in there. With a moment, only where searches see what they saw then. */
async function search(
  shard: Shard,
  { groups, moment, places: named }: CopyQuestion['head'],
  plan: Uint8Array,
  limit: WorkLimit,
  isHeld: boolean,
): Promise<CopyAnswer> {
  let moved = false;
  const places = readKeyPlaces(named, plan);
  const told = places.length === 0 ? {} : { filled: true };
  const asked = () => {
    moved = moment !== undefined && moment !== shard.shown;
    if (moved) throw new Moved();
    const whole =
      places.length === 0 ? plan : fillKeys(plan, places, (uid) => shard.documents.visibleKey(uid));
    return bounded(whole, shard, false);
  };
  try {
    const result = await shard.searches.query(asked, limit, texts(groups));
    const encoded = encodeResult(result);
    const { length } = result.keys;
    if (!isHeld || length === 0 || length > MOST_SENT_ALONG) return { head: told, bytes: encoded };
    // Documents of a short page come along: to fetch them would take as long as the search.
    const { head, bytes } = rows(shard, [...result.keys], SENT_ALONG_BYTES);
    const both = new Uint8Array(encoded.length + bytes.length);
    both.set(encoded);
    both.set(bytes, encoded.length);
    return { head: { ...told, ...head, result: encoded.length }, bytes: both };
  } catch (e) {
    if (moved && e instanceof Moved) return { head: { moved: true }, bytes: NOTHING };
    throw e;
  }
}

/** What searches see has changed since the keys in a plan were found. */
class Moved extends ElasticsearchError {
  constructor() {
    super('ElasticsearchIllegalStateException', 'what searches see has changed');
  }
}

/** The documents of some keys: of a nested document the one that it is a part of. */
function rows({ documents }: Shard, asked: readonly number[], most = ROWS_BYTES): CopyAnswer {
  const found: (SentDocument | undefined)[] = [];
  let size = 0;
  for (const key of asked) {
    if (size > most || found.length >= MOST_DOCUMENTS) break;
    const document = documents.byKey(key);
    const row = document === undefined ? documents.holder(key) : { key, document };
    found.push(row);
    size += row?.document.source.length ?? 0;
  }
  const { heads, bytes } = encodeDocuments(found);
  return { head: { documents: heads }, bytes };
}

/** The keys under which searches find documents now. */
async function keys(
  shard: Shard,
  uids: readonly string[],
  prefixes: readonly string[],
  limit: WorkLimit,
): Promise<CopyAnswer> {
  const { documents } = shard;
  // What searches see must not change between the first and the last of them.
  const moment = shard.shown;
  let left = MOST_UIDS;
  const under = prefixes.map((prefix) => {
    const own: Record<string, number> = {};
    for (const [uid, key] of documents.visibleUids(prefix)) {
      if (--left < 0) throw tooMany();
      own[uid] = key;
    }
    return own;
  });
  const found: (number | null)[] = [];
  for (const uid of uids) {
    if (found.length % UIDS_A_TURN === UIDS_A_TURN - 1) await limit.yield();
    found.push(bytesOver(MAX_UID_BYTES, uid) > 0 ? null : (documents.visibleKey(uid) ?? null));
  }
  return { head: { keys: found, under, moment }, bytes: NOTHING };
}

function tooManyQueries(): ElasticsearchError {
  const detail = `more than ${MOST_QUERIES} registered queries of a shard can not be used by a node without a copy of it`;
  return new ElasticsearchError('PercolateException', detail, { status: 500, isLimit: true });
}

function tooMany(): ElasticsearchError {
  const detail = `a query for more than ${MOST_UIDS} documents by what their ids begin with can not be asked of a shard of another node`;
  return new ElasticsearchError('QueryPhaseExecutionException', detail, { status: 400, isLimit: true });
}

interface Id {
  type: string;
  id: string;
}

/** Documents by their ids, which stats count unless it is said that they don't. */
function documents(
  { documents: all }: Shard,
  asked: readonly Id[],
  { realtime: isNewest, counted }: CopyQuestion['head'],
): CopyAnswer {
  const realtime = isNewest === true;
  const found: (SentDocument | undefined)[] = [];
  let size = 0;
  for (const { type, id } of asked) {
    if (size > ROWS_BYTES || found.length >= MOST_DOCUMENTS) break;
    const document =
      bytesOver(MAX_UID_BYTES, uidOf(type, id)) > 0
        ? undefined
        : counted === false
          ? all.committed(type, id)
          : realtime
            ? all.get(type, id)
            : all.visible(type, id);
    if (document === undefined) found.push(undefined);
    else {
      const isShown = !realtime || all.visible(type, id)?.version === document.version;
      found.push({ document, isShown });
      size += document.source.length;
    }
  }
  const { heads, bytes } = encodeDocuments(found);
  return { head: { documents: heads }, bytes };
}

/** The answers, of which those that are too long together are to be asked for alone. */
function shortened(answers: readonly ItemAnswer[]): ItemAnswer[] {
  let size = 0;
  return answers.map((each) => {
    if (!('answer' in each)) return each;
    size += each.answer.bytes.length;
    return size > MOST_BYTES && answers.length > 1 ? { alone: true } : each;
  });
}

function keysIn(bytes: Uint8Array): number[] {
  if (bytes.length % 8 !== 0) throw malformed();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 8 }, (_, i) => {
    const key = view.getFloat64(8 * i);
    if (!Number.isSafeInteger(key) || key < 0) throw malformed();
    return key;
  });
}

function texts(value: unknown): string[] {
  if (!Array.isArray(value)) throw malformed();
  return value.map((each: unknown) => {
    if (typeof each !== 'string') throw malformed();
    return each;
  });
}

function idsIn(value: unknown): Id[] {
  if (!Array.isArray(value)) throw malformed();
  return value.map((each: unknown) => {
    if (!isObject(each) || typeof each.type !== 'string' || typeof each.id !== 'string') throw malformed();
    return { type: each.type, id: each.id };
  });
}

function malformed(): ElasticsearchError {
  return new ElasticsearchError('ElasticsearchIllegalArgumentException', 'a question that is none');
}
