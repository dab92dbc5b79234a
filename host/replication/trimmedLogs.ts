/** What a node does whose log of an index has been trimmed past what it has: copies and the mapping come from other nodes. */
import type { OpenIndex } from '../metadata/openIndex.js';
import { isObject } from '../json/values.js';
import { decodeJson, encodeJson } from '../storage/records.js';
import type { Clock } from '../time/clock.js';
import { isCount, type RegisterQuestion } from './message.js';
import type { CountedPeers } from './countedPeers.js';
import type { IndexFollower } from './indexFollower.js';
import type { FetchedMapping, LoggedMapping } from './indexLog.js';
import type { Nodes } from './nodes.js';
import { pause } from './pause.js';

/** What it needs of the node. */
export interface TrimmedLogsContext {
  nodes: Nodes;
  peers: CountedPeers;
  clock: Clock;
  /** The follower of an index that another node knows; undefined where the index has gone. */
  followerOf(uuid: string, signal: AbortSignal): Promise<IndexFollower | undefined>;
  /** Has a copy fetched anew. */
  renew(index: OpenIndex, shard: number, reason: string): void;
}

const QUESTION = 'mappingCopy';
const SETTLE_MS = 50;

export class TrimmedLogs {
  readonly #context: TrimmedLogsContext;

  constructor(context: TrimmedLogsContext) {
    this.#context = context;
  }

  /** Tells other nodes of mappings. */
  serve(register: RegisterQuestion): void {
    register(QUESTION, async (bytes, signal) => {
      const question: unknown = decodeJson(bytes);
      const follower = isObject(question)
        ? await this.#context.followerOf(String(question.uuid), signal)
        : undefined;
      if (follower === undefined) throw new Error('it does not know the index');
      for (;;) {
        signal.throwIfAborted();
        const moment = follower.mappingMoment();
        if (moment !== undefined) return encodeJson(moment);
        await pause(this.#context.clock, SETTLE_MS, signal);
      }
    });
  }

  /**
   * Has the copies fetched anew whose log goes on at `first` only.
   * @returns whether other nodes have all of them; those that nobody else has stay as they are
   */
  renewCopies(index: OpenIndex, first: number): boolean {
    const { nodes, renew } = this.#context;
    const { uuid } = index.metadata;
    let all = true;
    for (const copy of [...index.copies]) {
      if ((copy.logPlace?.position ?? 0) >= first - 1) continue;
      if (nodes.othersWith(uuid, copy.number).length === 0) all = false;
      else renew(index, copy.number, `its log begins at ${first}, behind what this node has`);
    }
    return all;
  }

  /** The mapping of another node that has read the log up to where it begins; undefined where there is none. */
  async mappingOf(
    { metadata }: OpenIndex,
    first: number,
    signal: AbortSignal,
  ): Promise<FetchedMapping | undefined> {
    const { nodes, peers } = this.#context;
    for (const { id } of nodes.all) {
      if (id === nodes.self) continue;
      try {
        const fetched = readMapping(
          await peers.ask(id, QUESTION, encodeJson({ uuid: metadata.uuid }), signal),
          metadata.uuid,
        );
        if (fetched.place.position >= first - 1) return fetched;
      } catch {
        signal.throwIfAborted();
      }
    }
    return undefined;
  }
}

function readMapping(bytes: Uint8Array, uuid: string): FetchedMapping {
  const answer: unknown = decodeJson(bytes);
  if (!isObject(answer) || !isObject(answer.place)) throw new Error('a mapping that is none');
  const { position, checksum } = answer.place;
  const mapping = answer.mapping as LoggedMapping | undefined;
  if (!isCount(position) || !isCount(checksum)) throw new Error('a place that is none');
  if (mapping !== undefined && (!isObject(mapping) || mapping.uuid !== uuid || !isCount(mapping.position)))
    throw new Error('a mapping that is none');
  return { place: { position, checksum }, mapping };
}
