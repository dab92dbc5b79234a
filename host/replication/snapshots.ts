/** Snapshots of a cluster: each shard is written by a node that has a copy of it, and repositories are tried by all nodes. */
import { PeerFailed, PeerUnreachable } from '../cluster/errors.js';
import { onAbort } from '../cluster/onAbort.js';
import { ElasticsearchError, indexMissing, toElasticsearchError } from '../errors.js';
import { isObject } from '../json/values.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { ShardRecord } from '../snapshot/record.js';
import type {
  NodeProcess,
  NodeVerification,
  ShardTask,
  SnapshotAnswers,
  SnapshotNodes,
  Written,
} from '../snapshot/snapshotNodes.js';
import type { ShardOrigin } from '../shard/shardIndex.js';
import { decodeJson, encodeJson, shardKey } from '../storage/records.js';
import type { Storage } from '../storage/storage.js';
import type { Clock } from '../time/clock.js';
import { isCount, type RegisterQuestion } from './message.js';
import type { ClusterNode } from './nodes.js';
import { pause } from './pause.js';

/** What snapshots need of the node. */
export interface ReplicatedSnapshotsContext {
  self: NodeProcess;
  clock: Clock;
  lives(process: NodeProcess): boolean;
  /** All living nodes, this one among them. */
  nodes(): readonly ClusterNode[];
  /** Nodes with a copy of a shard that may be read, those first that have less to do. */
  copiesOf(index: OpenIndex, shard: number): readonly ClusterNode[];
  ask(node: string, kind: string, question: unknown, signal: AbortSignal): Promise<Uint8Array>;
  /** What the other nodes answer, by their ids; those that don't in some seconds are left out. */
  askOthers(kind: string, question: unknown): Promise<Map<string, Uint8Array>>;
  register: RegisterQuestion;
  /** The index of a uuid, when a shard of it here is as new as all that was acknowledged before; undefined where there is none. */
  upToDate(uuid: string, shard: number, signal: AbortSignal): Promise<OpenIndex | undefined>;
  /** The index of a uuid on this node; undefined where there is none. */
  find(uuid: string): OpenIndex | undefined;
  warn(message: string): void;
  /** Has a copy fetched from another node where one has it; returns whether one has. */
  fetchInstead(uuid: string, shard: number, reason: string): boolean;
  storage: Storage;
  /** Resolves when this node has all of an index that was acknowledged before. */
  current(index: OpenIndex): Promise<void>;
}

/** How often a node is asked how far it is with a shard. */
const PROGRESS_MS = 1000;
const VERIFY_MS = 60_000;
/** Nodes are asked so often which shards they have. */
const FILLED_MS = 500;
/** What could not be restored is tried again after so long. */
const RETRY_MS = 5000;
const HASH = /^[0-9a-f]{64}$/;

export class ReplicatedSnapshots implements SnapshotNodes {
  readonly #context: ReplicatedSnapshotsContext;
  /** What this node writes for others. */
  readonly #writing = new Map<string, Written>();
  #answers: SnapshotAnswers | undefined;

  constructor(context: ReplicatedSnapshotsContext) {
    this.#context = context;
    const { register } = context;
    register('snapshotShard', async (bytes, signal) => {
      const { uuid, task } = shardQuestion(bytes);
      try {
        return encodeJson(await this.#write(uuid, task, signal));
      } catch (e) {
        // Whoever asks is told the text of an error alone.
        throw new Error(messageOf(e));
      }
    });
    register('snapshotProgress', async (bytes) => {
      const { task } = shardQuestion(bytes);
      return encodeJson(this.#writing.get(nameOf(task)) ?? { files: 0, bytes: 0 });
    });
    register('openShards', async (bytes) => {
      const { uuid } = object(decodeJson(bytes));
      if (typeof uuid !== 'string') throw malformed();
      return encodeJson(this.#openHere(uuid));
    });
    register('verifyRepository', async (bytes) => {
      const { repository, seed } = object(decodeJson(bytes));
      if (typeof repository !== 'string' || typeof seed !== 'string') throw malformed();
      return encodeJson(await this.#verifyHere(repository, seed));
    });
  }

  get self(): NodeProcess {
    return this.#context.self;
  }

  lives(process: NodeProcess): boolean {
    return this.#context.lives(process);
  }

  serve(answers: SnapshotAnswers): void {
    this.#answers = answers;
  }

  hasAll(index: OpenIndex): boolean {
    return index.shards.every((_, shard) => this.#context.copiesOf(index, shard).length > 0);
  }

  current(index: OpenIndex): Promise<void> {
    return this.#context.current(index);
  }

  async write(
    index: OpenIndex,
    task: ShardTask,
    progress: (written: Written) => void,
    signal: AbortSignal,
  ): Promise<ShardRecord> {
    const asked = new Set<string>();
    let reason: unknown;
    for (;;) {
      signal.throwIfAborted();
      const node = this.#context.copiesOf(index, task.shard).find(({ id }) => !asked.has(id));
      if (node === undefined)
        throw reason ?? new Error(`[${index.name}][${task.shard}] no node has a copy that can be read`);
      asked.add(node.id);
      try {
        return await this.#ask(node.id, index.metadata.uuid, task, progress, signal);
      } catch (e) {
        if (signal.aborted) throw e;
        reason = reasonOf(e, node);
      }
    }
  }

  async #ask(
    node: string,
    uuid: string,
    task: ShardTask,
    progress: (written: Written) => void,
    signal: AbortSignal,
  ): Promise<ShardRecord> {
    if (node === this.self.node) return this.#write(uuid, task, signal, progress);
    const { ask } = this.#context;
    const done = new AbortController();
    const end = () => done.abort();
    const unlisten = onAbort(signal, end);
    try {
      void this.#watch(node, { uuid, task }, progress, done.signal);
      const record = await ask(node, 'snapshotShard', { uuid, task }, signal);
      return checkedRecord(decodeJson(record));
    } finally {
      end();
      unlisten();
    }
  }

  /** Tells how far a node is, until the signal aborts. */
  async #watch(
    node: string,
    question: unknown,
    progress: (written: Written) => void,
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      await pause(this.#context.clock, PROGRESS_MS, signal);
      if (signal.aborted) return;
      try {
        const answer = await this.#context.ask(node, 'snapshotProgress', question, signal);
        const { files, bytes } = object(decodeJson(answer));
        if (isCount(files) && isCount(bytes)) progress({ files, bytes });
      } catch {
        // Whoever waits for the shard is told.
      }
    }
  }

  /** Writes a shard of this node. */
  async #write(
    uuid: string,
    task: ShardTask,
    signal: AbortSignal,
    progress: (written: Written) => void = () => {},
  ): Promise<ShardRecord> {
    if (this.#answers === undefined) throw new Error('the node makes no snapshots yet');
    const index = await this.#context.upToDate(uuid, task.shard, signal);
    const shard = index?.shards[task.shard];
    if (shard === undefined) throw new Error('the index is not there any more');
    const name = nameOf(task);
    const written = { files: 0, bytes: 0 };
    this.#writing.set(name, written);
    try {
      return await this.#answers.write(
        task,
        shard,
        (bytes) => {
          written.files++;
          written.bytes += bytes;
          progress(written);
        },
        signal,
      );
    } finally {
      this.#writing.delete(name);
    }
  }

  async filled(index: OpenIndex): Promise<void> {
    const { clock, find } = this.#context;
    while (!(await this.isFilled(index))) {
      if (find(index.metadata.uuid) === undefined) throw indexMissing(index.name);
      await pause(clock, FILLED_MS);
    }
  }

  async isFilled(index: OpenIndex): Promise<boolean> {
    const { uuid, shardUids } = index.metadata;
    const open = new Set(this.#openHere(uuid));
    for (const answer of (await this.#context.askOthers('openShards', { uuid })).values()) {
      const told: unknown = decodeJson(answer);
      if (Array.isArray(told)) for (const shard of told) open.add(shard as number);
    }
    return shardUids.every((_, shard) => open.has(shard));
  }

  /** The shards of an index that this node has, open. */
  #openHere(uuid: string): number[] {
    const shards = this.#context.find(uuid)?.shards ?? [];
    return shards.flatMap((shard) => (shard.isHeld && !shard.opening && shard.active ? shard.number : []));
  }

  /** See `ShardReplication`. */
  fill(
    { name, uuid, origin, filled }: { name: string; uuid: string; origin: ShardOrigin; filled(): void },
    { uid, number }: { uid: number; number: number },
    signal: AbortSignal,
  ): Promise<void> | undefined {
    const { storage } = this.#context;
    const isThere = (kind: 'c' | 'p') => storage.get(shardKey(kind, uid)) !== undefined;
    if (isThere('c') || isThere('p')) return undefined;
    return this.#fill(name, uuid, origin, uid, number, signal).then((isFilled) => {
      if (isFilled) filled();
    });
  }

  async #fill(
    name: string,
    uuid: string,
    origin: ShardOrigin,
    uid: number,
    number: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { warn, clock } = this.#context;
    let told: string | undefined;
    while (!signal.aborted) {
      try {
        if (this.#answers === undefined) throw new Error('the node reads no snapshots yet');
        await this.#answers.fill(origin, number, uid, signal);
        return true;
      } catch (e) {
        if (signal.aborted) break;
        const message = messageOf(e);
        if (message !== told) warn(`[${name}][${number}] can't be restored for now: ${message}`);
        told = message;
        // Another node has it: a copy of that takes the place of this one, which is closed.
        if (this.#context.fetchInstead(uuid, number, message)) break;
      }
      await pause(clock, RETRY_MS, signal);
    }
    return false;
  }

  async verify(repository: string, seed: string): Promise<NodeVerification[]> {
    const { clock, ask, nodes, self } = { ...this.#context };
    const timeout = new AbortController();
    const cancel = clock.after(VERIFY_MS, () => timeout.abort(new Error('it took too long')));
    const tryOne = async (id: string): Promise<{ failure?: string }> => {
      if (id === self.node) return this.#verifyHere(repository, seed);
      try {
        const { failure } = object(
          decodeJson(await ask(id, 'verifyRepository', { repository, seed }, timeout.signal)),
        );
        return typeof failure === 'string' ? { failure } : {};
      } catch (e) {
        return { failure: messageOf(e) };
      }
    };
    try {
      return await Promise.all(
        nodes().map(async ({ id, name }) => ({ node: id, name, ...(await tryOne(id)) })),
      );
    } finally {
      cancel();
    }
  }

  async #verifyHere(repository: string, seed: string): Promise<{ failure?: string }> {
    try {
      if (this.#answers === undefined) throw new Error('the node makes no snapshots yet');
      await this.#answers.verify(repository, seed);
      return {};
    } catch (e) {
      return { failure: messageOf(e) };
    }
  }
}

/** What is said of a shard that a node could not write. */
function reasonOf(e: unknown, node: ClusterNode): Error {
  const isOfPeer = e instanceof PeerFailed || e instanceof PeerUnreachable;
  const told = isOfPeer ? e.message : `the node [${node.id}] failed: ${messageOf(e)}`;
  return new ElasticsearchError('SnapshotException', told);
}

function messageOf(e: unknown): string {
  return toElasticsearchError(e).render();
}

function nameOf({ id, shard, repository, started }: ShardTask): string {
  return JSON.stringify([id, repository, shard, started]);
}

function object(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw malformed();
  return value;
}

function malformed(): Error {
  return new Error('a question about a snapshot that is none');
}

function shardQuestion(bytes: Uint8Array): { uuid: string; task: ShardTask } {
  const { uuid, task } = object(decodeJson(bytes));
  const { id, repository, shard, started } = object(task);
  const isRight =
    typeof uuid === 'string' && typeof id === 'string' && typeof repository === 'string' && isCount(shard);
  if (!isRight || typeof started !== 'number') throw malformed();
  return { uuid, task: { id, repository, shard, started } };
}

/** What a node says that it has written: it becomes part of a record that is kept. */
function checkedRecord(value: unknown): ShardRecord {
  const { checkpoint, segments, packs, kills, documents, started, took, fresh } = object(value);
  const isRef = (ref: unknown) => isObject(ref) && HASH.test(String(ref.hash)) && isCount(ref.bytes);
  const isSegment = (segment: unknown) =>
    isObject(segment) &&
    isRef(segment.image) &&
    (segment.live === undefined || isRef(segment.live)) &&
    isCount(segment.documents);
  const isPair = (pair: unknown) => Array.isArray(pair) && pair.length === 2 && pair.every(isCount);
  const areAll = (list: unknown, test: (item: unknown) => boolean) => Array.isArray(list) && list.every(test);
  const { files, bytes } = object(fresh);
  if (
    ![checkpoint, documents, took, files, bytes].every(isCount) ||
    typeof started !== 'number' ||
    !areAll(segments, isSegment) ||
    !areAll(packs, isRef) ||
    !areAll(kills, isPair)
  )
    throw malformed();
  return value as unknown as ShardRecord;
}
