/** What is done with the shards of indices on all nodes, such as a refresh. */
import type { OpenIndex } from '../metadata/openIndex.js';
import { encodeJson } from '../storage/records.js';
import type { Barriers } from './barriers.js';
import type { Followers } from './followers.js';
import { type IndexPlace, readIndexPlace } from './indexPlace.js';
import {
  countOf,
  LONG_QUESTION_BYTES,
  type QuestionHandler,
  questionOf,
  type RegisterQuestion,
} from './message.js';
import type { NodeQuestions } from './nodeQuestions.js';
import { everyone, type Nodes } from './nodes.js';
import type { StoreStall } from './storeStall.js';

/** What nodes do with the shards of indices for each other. */
export type Maintenance = 'refresh' | 'flush' | 'syncedFlush' | 'forceMerge' | 'clearCaches';

/** Does something with the shards of indices that are on this node. */
export type Maintain = (
  action: Maintenance,
  indices: readonly OpenIndex[],
  argument: number,
) => Promise<void>;

/** What it needs of the node. */
export interface ReplicatedMaintenanceContext {
  nodes: Nodes;
  questions: NodeQuestions;
  followers: Followers;
  barriers: Barriers;
  stall: StoreStall;
  /** Copies that have nearly caught up: what is asked of all copies is asked of them too. */
  arriving(index: OpenIndex): readonly number[];
}

const MAINTAIN = 'maintain';
const MAINTENANCE: readonly unknown[] = ['refresh', 'flush', 'syncedFlush', 'forceMerge', 'clearCaches'];

export class ReplicatedMaintenance {
  readonly #context: ReplicatedMaintenanceContext;
  /** How it is done on this node. */
  maintain: Maintain = async () => {};

  constructor(context: ReplicatedMaintenanceContext) {
    this.#context = context;
  }

  /** Does for other nodes what they ask for. */
  serve(register: RegisterQuestion): void {
    const answer: QuestionHandler = async (bytes, signal) => {
      const { places, action, argument } = questionOf(bytes);
      if (!MAINTENANCE.includes(action) || !Array.isArray(places))
        throw new Error('nobody knows what [maintain] asks');
      await this.#here(action as Maintenance, places.map(readIndexPlace), countOf(argument), signal);
      return encodeJson({});
    };
    register(MAINTAIN, answer, LONG_QUESTION_BYTES);
  }

  /**
   * Resolves when this node knows which indices are open: one that is closed as far as it knows may have been opened by another node, and taken
   * writes there.
   * @returns whether it knows: while its store takes no commits it may not
   */
  async knowOpen(indices: readonly OpenIndex[]): Promise<boolean> {
    const { questions, barriers, stall } = this.#context;
    let isKnown = !indices.some(({ closed }) => closed);
    if (isKnown) return true;
    const know = async (signal: AbortSignal) => {
      await barriers.currentMetadata(signal);
      isKnown = true;
    };
    await questions.within((signal) => stall.unlessStalled(know, signal));
    return isKnown;
  }

  /** Does something with the shards of indices on all nodes, when they have all that was acknowledged before. */
  async everywhere(action: Maintenance, indices: readonly OpenIndex[], argument: number): Promise<void> {
    const { nodes, questions, followers, barriers } = this.#context;
    await questions.within(async (signal) => {
      const places = await Promise.all(
        indices.map(async (index): Promise<IndexPlace> => {
          const { name, metadata } = index;
          return { name, uuid: metadata.uuid, position: await barriers.lastOf(followers.of(index)) };
        }),
      );
      const own = this.#here(action, places, argument, signal);
      await Promise.all([own, nodes.ask(MAINTAIN, { action, places, argument }, everyone, signal)]);
    });
  }

  async #here(
    action: Maintenance,
    places: readonly IndexPlace[],
    argument: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { followers, stall, arriving: arrivingOf } = this.#context;
    const indices = await Promise.all(
      places.map(async ({ uuid, position }) => {
        const follower = await followers.known(uuid, signal);
        // What is being restored has nothing to be looked after yet.
        if (follower === undefined || follower.index.filling) return [];
        const { index } = follower;
        // What is closed rests. But who asks may know that it is open, and what was written since is to be found.
        if (index.closed && action !== 'refresh') return [];
        const arriving = arrivingOf(index);
        await stall.unlessStalled((either) => follower.reachAll(position, either, arriving), signal);
        // A copy that will be searched in a moment.
        await Promise.all(arriving.map((shard) => index.copyOf(shard)?.refresh()));
        return index.closed && action !== 'refresh' ? [] : [index];
      }),
    );
    await this.maintain(action, indices.flat(), argument);
  }
}
