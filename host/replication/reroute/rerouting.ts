/**
 * Commands that move the copies of shards: choices of nodes are kept in the metadata of the index, so that every node places by them; copies that
 * are to be made anew, the node that has them is asked to.
 */
import type { ChosenByShard, ChosenNodes } from '../../metadata/chosenNodes.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import type { FlatSettings } from '../../settings/indexSettings.js';
import type { Followers } from '../followers.js';
import type { HeldCopies } from '../heldCopies.js';
import { shardSubject } from '../indexLog.js';
import { countOf, questionOf, type RegisterQuestion } from '../message.js';
import type { NodeQuestions } from '../nodeQuestions.js';
import type { Nodes } from '../nodes.js';
import type { Placements } from '../placements.js';
import type { ReplicatedCluster } from '../replicatedCluster.js';
import { chosenInstead, withoutNodes } from './nodeChoice.js';

/** What commands need of the node. */
export interface ReroutingContext {
  nodes: Nodes;
  followers: Followers;
  questions: NodeQuestions;
  placements: Placements;
  held: HeldCopies;
  cluster: ReplicatedCluster;
}

/** The question that has a node make a copy anew. */
const CANCEL = 'cancelCopy';
const DONE = new Uint8Array(0);

export class Rerouting {
  readonly #context: ReroutingContext;

  constructor(context: ReroutingContext) {
    this.#context = context;
  }

  /** Answers nodes that have this one make a copy anew. */
  serve(register: RegisterQuestion): void {
    register(CANCEL, async (bytes) => {
      const { uuid, shard } = questionOf(bytes);
      this.#cancelOwn(String(uuid), countOf(shard));
      return DONE;
    });
  }

  /** The settings of the cluster, all together. */
  get settings(): Readonly<FlatSettings> {
    const { persistent, transient } = this.#context.cluster.stored.settings;
    return { ...persistent, ...transient };
  }

  /** The open indices. */
  get indices(): readonly OpenIndex[] {
    return this.#context.cluster.all().filter(({ closed }) => !closed);
  }

  find(name: string): OpenIndex | undefined {
    return this.#context.cluster.find(name);
  }

  /** The choice that has a node take the place of another one; undefined where the shard would be placed as without any. */
  instead(
    index: OpenIndex,
    shard: number,
    before: ChosenNodes | undefined,
    from: string,
    to: string,
  ): ChosenNodes | undefined {
    const { placements, nodes } = this.#context;
    const delayed = placements.delayed(index);
    const isThere = (node: string) => [...nodes.data, ...delayed].some(({ id }) => id === node);
    const choice = withoutNodes(chosenInstead(before, from, to), isThere);
    const [placed, otherwise] = [choice, undefined].map((each) => placements.ifChosen(index, shard, each));
    // A place that is taken whatever is enabled has to be kept.
    const isSame = from !== to && placed!.join() === otherwise!.join();
    return isSame ? undefined : choice;
  }

  /** The ids of the nodes that a shard would be placed on by a choice. */
  placesOf(index: OpenIndex, shard: number, choice: ChosenNodes | undefined): readonly string[] {
    return this.#context.placements.ifChosen(index, shard, choice);
  }

  /** Whether a node that a shard is placed on by a choice may make a copy of it. */
  mayMake(index: OpenIndex, shard: number, node: string, choice: ChosenNodes | undefined): boolean {
    return (
      Object.hasOwn(choice?.on ?? {}, node) || this.#context.placements.allows(index, shard, node, false)
    );
  }

  /** The places of a shard by a choice that no copy has: of nodes that went, and of those that don't make theirs. */
  freePlaces(
    index: OpenIndex,
    shard: number,
    choice: ChosenNodes | undefined,
    having: readonly string[],
  ): string[] {
    return this.placesOf(index, shard, choice).filter((id) => !having.includes(id));
  }

  /** Whether a shard has never been written, so that a copy of it can begin empty. */
  async isUnwritten(index: OpenIndex, shard: number): Promise<boolean> {
    const { uuid, continued, origin } = index.metadata;
    if (continued !== undefined) return false;
    if (origin !== undefined) return true;
    const log = await this.#context.followers.find(uuid)?.log();
    if (log === undefined || (await log.firstPosition()) > 1) return false;
    return (await log.lastPosition(shardSubject(shard))) === 0;
  }

  /**
   * Keeps choices; resolves when every living node has them.
   * @param decide what is chosen, by the metadata of the moment: it is called again where another change came first
   */
  async keep(decide: () => Promise<ReadonlyMap<OpenIndex, ChosenByShard>>): Promise<void> {
    await this.#context.cluster.choose(decide);
  }

  /** Has a node make its copy of a shard anew; rejects where it can't be asked. */
  async cancel(node: string, index: OpenIndex, shard: number): Promise<void> {
    const { nodes, questions } = this.#context;
    const { uuid } = index.metadata;
    if (node === nodes.self) this.#cancelOwn(uuid, shard);
    else await questions.askBriefly(node, CANCEL, { uuid, shard });
  }

  #cancelOwn(uuid: string, shard: number): void {
    const { followers, held } = this.#context;
    const index = followers.find(uuid)?.index;
    if (index !== undefined && index.shards[shard] !== undefined) held.cancel(index, shard);
  }
}
