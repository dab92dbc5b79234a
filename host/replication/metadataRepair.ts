/**
 * Repairing the log of the metadata where it has lost messages, or is gone: a new log begins with all metadata of one node, and the other nodes
 * take them in the place of theirs. Nothing of this is done by itself.
 */
import { MAX_MESSAGE_BYTES, MessageTooLarge } from '../cluster/errors.js';
import { ElasticsearchError, illegalArgument } from '../errors.js';
import { isObject } from '../json/values.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { decodeJson, encodeJson } from '../storage/records.js';
import type { Clock } from '../time/clock.js';
import { elapsed } from '../time/elapsed.js';
import { countOf, isCount, questionOf, type RegisterQuestion } from './message.js';
import type { MetadataCopies } from './metadataCopies.js';
import { type MetadataLog, SUBJECT } from './metadataLog.js';
import { beginOfLog, logOfPosition, type MetadataLogs } from './metadataLogs.js';
import type { NodeQuestions } from './nodeQuestions.js';
import type { Nodes } from './nodes.js';
import { pause } from './pause.js';

/** How far a node is in the log of the metadata, and what it has made of that. */
interface MetadataState {
  node: string;
  name: string;
  position: number;
  checksum: number | undefined;
  /** Why it follows the log no further. */
  failure: string | undefined;
  /** Whether that is so because it has an older version than others. */
  isOutdated: boolean;
  /** Uuids of its indices, by name. */
  indices: Readonly<Record<string, string>>;
}

/** A node as a plan shows it. */
export interface FoundMetadata {
  node: string;
  name: string;
  /** The number of the log that it has followed: another one begins with each repair. */
  log: number;
  /** How far. */
  position: number;
  failure?: string;
  /** Indices that go on this node, since the metadata that count don't have them. */
  dropped: string[];
}

/** What a repair would do. */
export interface MetadataPlan {
  /** Why metadata can't be changed. */
  reason: string;
  found: FoundMetadata[];
  /** The node whose metadata count, and how far it is. */
  from: string;
  position: number;
  /** Whether nodes have followed histories of which neither is the beginning of the other: somebody has to choose. */
  split: boolean;
}

/** What repairs need of the node. */
export interface MetadataRepairContext {
  nodes: Nodes;
  clock: Clock;
  questions: NodeQuestions;
  log: MetadataLog;
  logs: MetadataLogs;
  copies: MetadataCopies;
  indices(): readonly OpenIndex[];
}

const STATE = 'metadataState';
const BEGIN = 'metadataBegin';
const LOOK = 'metadataLook';
/** Nodes are waited for so long to take the metadata that count. */
const TAKEN_MS = 20_000;
const RETRY_MS = 250;

export class MetadataRepair {
  readonly #context: MetadataRepairContext;

  constructor(context: MetadataRepairContext) {
    this.#context = context;
  }

  /** Answers other nodes that repair. */
  serve(register: RegisterQuestion): void {
    register(STATE, async () => encodeJson(this.#stateHere()));
    register(BEGIN, async (bytes) =>
      encodeJson({ log: await this.#begin(countOf(questionOf(bytes).position)) }),
    );
    register(LOOK, async () => {
      this.#context.log.look();
      return encodeJson({});
    });
  }

  /**
   * What a repair would do; undefined where nothing is wrong that one could mend. Throws where a living node doesn't say how far it is.
   * @param from the node whose metadata are to count
   */
  async plan(from?: string): Promise<MetadataPlan | undefined> {
    const { logs, questions } = this.#context;
    const states = await this.#states();
    const last = Math.max(...states.map(({ position }) => logOfPosition(position)));
    const newest = await questions.within(() => logs.newest(last));
    const plan = planOf(states, newest !== undefined && newest >= last, from);
    if (plan !== undefined) questions.demandAll(new Set(states.map(({ node }) => node)));
    return plan;
  }

  /**
   * Does what a plan says; throws where its node isn't as far as it was.
   * @returns the names of the nodes that have taken the metadata, and of those that haven't yet
   */
  async carryOut(from: string, position: number): Promise<{ taken: string[]; missing: string[] }> {
    const { nodes, questions, clock, log } = this.#context;
    const plan = await this.plan(from);
    if (plan === undefined) throw illegalArgument('the metadata can be changed: there is nothing to repair');
    if (plan.position !== position) throw changed();
    const number =
      from === nodes.self
        ? await this.#begin(position)
        : begunLog(await questions.askBriefly(from, BEGIN, { position }));
    const begin = beginOfLog(number);
    const until = elapsed(clock) + TAKEN_MS;
    for (;;) {
      log.look();
      await questions.askOthers(LOOK, {});
      await pause(clock, RETRY_MS);
      const states = await this.#states();
      const isTaken = (state: MetadataState) => state.position > begin && state.failure === undefined;
      if (!states.every(isTaken) && elapsed(clock) < until) continue;
      const names = (of: readonly MetadataState[]) => of.map(({ name }) => name).sort();
      return {
        taken: names(states.filter(isTaken)),
        missing: names(states.filter((state) => !isTaken(state))),
      };
    }
  }

  /** Begins a log with the metadata of this node; its number. The log before is deleted first: nothing comes into it that the new one has not. */
  async #begin(position: number): Promise<number> {
    const { log, logs, copies, questions } = this.#context;
    const { place, bytes } = await copies.read();
    if (place.position !== position) throw changed();
    if (bytes.length > MAX_MESSAGE_BYTES) throw new MessageTooLarge(bytes.length, MAX_MESSAGE_BYTES);
    return questions.within(async (signal) => {
      const number = await logs.next(logOfPosition(position));
      const begun = await logs.begin(number);
      await logs.deleteBefore(number);
      // What was changed until then is in force.
      const last = await copies.read();
      await begun.append(SUBJECT, last.bytes, { expectLast: beginOfLog(number), signal });
      log.look();
      return number;
    });
  }

  async #states(): Promise<MetadataState[]> {
    const { nodes, questions } = this.#context;
    const names = new Map(nodes.all.map(({ id, name }) => [id, name]));
    const answers = await questions.askOthers(STATE, {});
    const others = [...answers].map(([node, bytes]) => stateOf(node, decodeJson(bytes)));
    return [this.#stateHere(), ...others].map((state) => ({
      ...state,
      name: names.get(state.node) ?? state.node,
    }));
  }

  #stateHere(): MetadataState {
    const { nodes, log, indices } = this.#context;
    const { place, failure, isOutdated } = log;
    const named = indices().map(({ name, metadata }) => [name, metadata.uuid] as const);
    return {
      node: nodes.self,
      name: nodes.self,
      position: place.position,
      checksum: place.checksum,
      failure,
      isOutdated,
      indices: Object.fromEntries(named),
    };
  }
}

/** @param isThere whether there is a log that nodes may be following */
function planOf(
  states: readonly MetadataState[],
  isThere: boolean,
  wanted: string | undefined,
): MetadataPlan | undefined {
  const failed = states.find(({ failure, isOutdated }) => failure !== undefined && !isOutdated);
  if (failed === undefined) return undefined;
  // The same whoever is asked.
  const sorted = [...states].sort((a, b) => b.position - a.position || (a.node < b.node ? -1 : 1));
  const isWanted = ({ node, name }: MetadataState) => node === wanted || name === wanted;
  const from = wanted === undefined ? sorted[0] : sorted.find(isWanted);
  if (from === undefined) throw illegalArgument(`no living node is [${wanted}]`);
  if (from.isOutdated)
    throw illegalArgument(`[${from.name}] has an older version than others: it knows less than they do`);
  const has = new Set(Object.values(from.indices));
  return {
    reason: failed.failure!,
    found: sorted.map(({ node, name, position, failure, indices }) => ({
      node,
      name,
      log: logOfPosition(position),
      position: position - beginOfLog(logOfPosition(position)),
      ...(failure === undefined ? {} : { failure }),
      dropped: Object.keys(indices).filter((index) => !has.has(indices[index]!)),
    })),
    from: from.node,
    position: from.position,
    split: isSplit(states, isThere),
  };
}

/** Whether it isn't so that the furthest node has all that the others have. */
function isSplit(states: readonly MetadataState[], isThere: boolean): boolean {
  const failed = states.filter(({ failure, isOutdated }) => failure !== undefined && !isOutdated);
  // What was written into a log that has forgotten, those who know what it had don't have.
  const goOn =
    isThere &&
    states.some(
      ({ failure, position }) =>
        failure === undefined &&
        position > beginOfLog(logOfPosition(position)) &&
        failed.some((other) => logOfPosition(other.position) === logOfPosition(position)),
    );
  return (
    goOn ||
    states.some((a) =>
      states.some(
        (b) =>
          a.position === b.position &&
          a.checksum !== undefined &&
          b.checksum !== undefined &&
          a.checksum !== b.checksum,
      ),
    )
  );
}

function changed(): ElasticsearchError {
  const detail =
    'the metadata of the node are not what they were when the repair was planned: look at them again';
  return new ElasticsearchError('ElasticsearchIllegalStateException', detail, { status: 409 });
}

/** What other nodes say is checked. */
function begunLog(bytes: Uint8Array): number {
  return countOf(questionOf(bytes).log);
}

function stateOf(node: string, value: unknown): MetadataState {
  const { position, checksum, failure, isOutdated, indices } = isObject(value) ? value : {};
  const named = Object.entries(isObject(indices) ? indices : {});
  return {
    node,
    name: node,
    position: isCount(position) ? position : 0,
    checksum: isCount(checksum) ? checksum : undefined,
    failure: typeof failure === 'string' ? failure : undefined,
    isOutdated: isOutdated === true,
    indices: Object.fromEntries(
      named.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  };
}
