/**
 * Repairing an index whose log has lost messages, or is gone, or whose copies differ: it begins a new log, and of each shard the copy that is
 * furthest counts. The other nodes fetch theirs from that one. Nothing of this is done by itself.
 */
import { isCount, type RegisterQuestion } from './message.js';
import { ElasticsearchError, illegalArgument } from '../errors.js';
import { isObject } from '../json/values.js';
import type { SavedMapping } from '../mapping/model.js';
import type { IndexMetadata, OpenIndex } from '../metadata/openIndex.js';
import { readPlace } from '../storage/logRows.js';
import { decodeJson, encodeJson } from '../storage/records.js';
import type { Storage } from '../storage/storage.js';

/** A copy of a shard, and how far it is in the log of its index. */
export interface CopyState {
  node: string;
  shard: number;
  position: number;
}

/** What a repair would do. */
export interface RepairPlan {
  index: string;
  uuid: string;
  /** Why the index takes no writes. */
  reason: string;
  /** All copies that were found. */
  found: CopyState[];
  /** Of each shard, the node whose copy counts. */
  copies: string[];
}

/** What a node has of an index. */
interface NodeState {
  copies: CopyState[];
  /** What the log had made of the mapping there. */
  mapping: SavedMapping | undefined;
  mappingPosition: number;
}

/** What repairs need of the node. */
export interface RepairsContext {
  self: string;
  /** Why writes to an index fail on some node. */
  failureOf(index: OpenIndex): string | undefined;
  find(uuid: string): OpenIndex | undefined;
  storage: Storage;
  /** How far this node has followed the changes of an index's mapping. */
  mappingPositionOf(uuid: string): number;
  askOthers(kind: string, question: unknown): Promise<Map<string, Uint8Array>>;
  /** See {@link NodeQuestions.demandAll}. */
  demandAll(answered: ReadonlySet<string>): void;
  register: RegisterQuestion;
  /** See {@link ReplicatedCluster.succeed}. */
  succeed(index: OpenIndex, made: () => IndexMetadata): Promise<void>;
}

const STATE = 'repairState';

export class Repairs {
  readonly #context: RepairsContext;

  constructor(context: RepairsContext) {
    this.#context = context;
    context.register(STATE, async (bytes) => {
      const question: unknown = decodeJson(bytes);
      const index = isObject(question) ? context.find(String(question.uuid)) : undefined;
      return encodeJson(index === undefined ? {} : this.#stateHere(index));
    });
  }

  /**
   * What repairing an index would do. Throws where nothing is wrong with it, a living node doesn't say what it has, or a shard has no copy on one.
   */
  async plan(index: OpenIndex): Promise<RepairPlan> {
    const states = await this.#states(index);
    return this.#planOf(index, states);
  }

  /** Does what a plan says; throws where it isn't what would be done now. */
  async carryOut(index: OpenIndex, uuid: string, copies: readonly string[]): Promise<RepairPlan> {
    const states = await this.#states(index);
    const plan = this.#planOf(index, states);
    if (plan.uuid !== uuid || plan.copies.join() !== copies.join())
      throw new ElasticsearchError(
        'ElasticsearchIllegalStateException',
        `[${index.name}] its copies are not what they were when the repair was planned: look at them again`,
        { status: 409 },
      );
    const { mapping } = states.reduce((a, b) => (b.mappingPosition > a.mappingPosition ? b : a));
    await this.#context.succeed(index, () => {
      // Its new log begins with the settings that it has.
      const { origin: _, begun: _begun, ...saved } = index.saved();
      return { ...saved, ...(mapping === undefined ? {} : { mapping }), continued: plan.copies };
    });
    return plan;
  }

  async #states(index: OpenIndex): Promise<NodeState[]> {
    const { uuid } = index.metadata;
    const { askOthers, demandAll } = this.#context;
    const answers = await askOthers(STATE, { uuid });
    // One that is furthest may be among those that don't answer.
    demandAll(new Set(answers.keys()));
    const others = [...answers].map(([node, bytes]) => stateOf(node, decodeJson(bytes)));
    return [this.#stateHere(index), ...others];
  }

  #stateHere(index: OpenIndex): NodeState {
    const { self, storage, mappingPositionOf } = this.#context;
    const held = index.shards.filter(({ isHeld, active, opening }) => isHeld && active && !opening);
    const copies = held.map(({ number, uid }): CopyState => {
      return { node: self, shard: number, position: readPlace(storage, uid)?.position ?? 0 };
    });
    const mappingPosition = mappingPositionOf(index.metadata.uuid);
    return { copies, mapping: index.model.save(), mappingPosition };
  }

  #planOf(index: OpenIndex, states: readonly NodeState[]): RepairPlan {
    const { name, metadata } = index;
    const reason = this.#context.failureOf(index);
    if (index.closed || reason === undefined)
      throw illegalArgument(`[${name}] takes writes, or is closed: there is nothing to repair`);
    const found = states.flatMap(({ copies }) => copies);
    const copies = metadata.shardUids.map((_, shard) => {
      const all = found.filter((copy) => copy.shard === shard);
      // The same whoever is asked.
      all.sort((a, b) => b.position - a.position || (a.node < b.node ? -1 : 1));
      const [best] = all;
      if (best === undefined) {
        const detail = `[${name}][${shard}] no living node has a copy: start those that had one`;
        throw new ElasticsearchError('UnavailableShardsException', detail, { status: 503 });
      }
      return best.node;
    });
    return { index: name, uuid: metadata.uuid, reason, found, copies };
  }
}

/** What another node says is checked. */
function stateOf(node: string, value: unknown): NodeState {
  const { copies, mapping, mappingPosition } = isObject(value) ? value : {};
  const list = Array.isArray(copies) ? copies : [];
  return {
    copies: list.flatMap((copy: unknown): CopyState[] => {
      const { shard, position } = isObject(copy) ? copy : {};
      return isCount(shard) && isCount(position) ? [{ node, shard, position }] : [];
    }),
    mapping: isObject(mapping) ? (mapping as unknown as SavedMapping) : undefined,
    mappingPosition: isCount(mappingPosition) ? mappingPosition : -1,
  };
}
