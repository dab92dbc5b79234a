/**
 * Marks in the logs of indices, which say how often these were closed and opened: what is written behind one comes to nothing, or to something
 * again. The metadata decide whether an index is closed; where its log could not be told, that is made up for as soon as a node can.
 */
import type { OpenIndex } from '../metadata/openIndex.js';
import { isSameAnalysis } from '../settings/analysisSettings.js';
import { encodeJson } from '../storage/records.js';
import type { Clock } from '../time/clock.js';
import type { Followers } from './followers.js';
import type { MappingChanges } from './mappingChanges.js';
import { countOf, questionOf, type RegisterQuestion } from './message.js';
import type { NodeQuestions } from './nodeQuestions.js';
import type { Nodes } from './nodes.js';
import type { StoreStall } from './storeStall.js';

/** What marks need of the node. */
export interface IndexMarksContext {
  clock: Clock;
  nodes: Nodes;
  questions: NodeQuestions;
  followers: Followers;
  mappings: MappingChanges;
  stall: StoreStall;
  /** All indices. */
  indices(): readonly OpenIndex[];
  /** Whether all living nodes know marks. */
  knowMarks(): boolean;
}

/** Has another node put a mark. */
const MARK = 'mark';
/** Milliseconds between two looks for marks that are missing. */
const LOOK_MS = 10_000;

export class IndexMarks {
  readonly #context: IndexMarksContext;
  #cancel = () => {};
  #isClosed = false;

  constructor(context: IndexMarksContext) {
    this.#context = context;
  }

  /** Puts marks for nodes that can't. */
  serve(register: RegisterQuestion): void {
    register(MARK, async (bytes, signal) => {
      const { uuid, turn } = questionOf(bytes);
      const follower = await this.#context.followers.known(String(uuid), signal);
      if (follower === undefined) throw new Error('a mark of no index');
      return encodeJson({ position: await this.#context.mappings.turnTo(follower, countOf(turn)) });
    });
  }

  /** Looks for marks that are missing, at intervals. */
  start(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#context.clock.after(LOOK_MS, () => void this.#putMissing().then(() => this.start()));
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  /** Whether this node follows the log of an index: if not, that takes no writes here, whatever the log says. */
  isFollowed({ metadata }: OpenIndex): boolean {
    return this.#context.followers.find(metadata.uuid)?.failure === undefined;
  }

  /** Whether the log of an index says already what a mark would, as far as this node has come. */
  isMarked({ metadata }: OpenIndex, turn: number): boolean {
    const follower = this.#context.followers.find(metadata.uuid);
    if (follower === undefined) return false;
    // Nodes that don't know marks can't read the log any more where it has one.
    const isOpen = follower.turn % 2 === 0 && !this.#context.knowMarks();
    return (isOpen || follower.turn >= turn) && isSameAnalysis(follower.analysis, metadata.settings.flat);
  }

  /**
   * Puts a mark into the log of an index, unless it is there. Documents behind it are parsed by the settings that the index has now. Resolves when
   * every living node has it, as far as they answer in time.
   * @param turn see {@link IndexMetadata}
   * @throws ElasticsearchError 503 where this node can't
   */
  async put(index: OpenIndex, turn: number): Promise<void> {
    const { questions, followers, mappings } = this.#context;
    const position = await questions.within(() => mappings.turnTo(followers.of(index), turn));
    await mappings.tellAll(index, position);
  }

  /** The same by way of another node where this one can't. @throws ElasticsearchError 503 where none can */
  async putAnywhere(index: OpenIndex, turn: number): Promise<void> {
    const { nodes, questions, mappings } = this.#context;
    try {
      await this.put(index, turn);
    } catch (e) {
      const { uuid } = index.metadata;
      for (const id of this.#able(uuid)) {
        if (id === nodes.self) continue;
        const answer = await questions.askBriefly(id, MARK, { uuid, turn }).catch(() => undefined);
        if (answer === undefined) continue;
        return mappings.tellAll(index, countOf(questionOf(answer).position));
      }
      throw e;
    }
  }

  /** The nodes that may put marks into the log of an index: they follow it, and their stores take commits. */
  #able(uuid: string): string[] {
    const able = this.#context.nodes.all.filter(
      ({ failures, stalled }) => failures?.[uuid] === undefined && stalled === undefined,
    );
    return able.map(({ id }) => id);
  }

  /** Puts marks of what the metadata say and logs do not; one node does that of those that can. */
  async #putMissing(): Promise<void> {
    const { nodes, followers, stall, indices, knowMarks } = this.#context;
    for (const index of indices()) {
      const { turn = 0, uuid } = index.metadata;
      const follower = followers.find(uuid);
      if (follower === undefined || follower.turn >= turn || index.filling) continue;
      if (this.#isClosed || stall.reason !== undefined || !knowMarks()) return;
      if (follower.failure !== undefined || follower.trouble !== undefined) continue;
      // Health shows why its log takes nothing; the next look is soon.
      if (this.#able(uuid)[0] === nodes.self) await this.put(index, turn).catch(() => {});
    }
  }
}
