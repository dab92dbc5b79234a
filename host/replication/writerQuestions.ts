/** What a node that has no copy of a shard asks those that have one about what it writes: outcomes of messages, and documents that are updated. */
import { PeerRejected } from '../cluster/errors.js';
import { onAbort } from '../cluster/onAbort.js';
import { OVER } from '../cluster/over.js';
import { rejected } from '../errors.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { decodeDocuments, encodeDocuments } from '../shard/documentMessage.js';
import type { Outcome } from '../shard/writeQueue.js';
import { encodeJson } from '../storage/records.js';
import type { StoredDocument } from '../storage/storedDocuments.js';
import type { Clock } from '../time/clock.js';
import { type Confirmation, readConfirmation, writtenConfirmation } from './confirmations.js';
import { decodeMessage, encodeMessage, isCount, questionOf, type RegisterQuestion } from './message.js';
import type { CountedPeers } from './countedPeers.js';
import type { IndexFollower } from './indexFollower.js';
import { decodeOutcomes, type KeptOutcomes } from './keptOutcomes.js';
import type { ClusterNode } from './nodes.js';
import { pause } from './pause.js';

/** What the questions need of the node. */
export interface WriterQuestionsContext {
  clock: Clock;
  peers: CountedPeers;
  kept: KeptOutcomes;
  /** The living nodes that have a copy. */
  copiesOf(index: OpenIndex, shard: number): readonly ClusterNode[];
  /** The follower of an index by its uuid; undefined where the index has gone. */
  followerOf(uuid: string, signal: AbortSignal): Promise<IndexFollower | undefined>;
}

/** The next copy is asked as well when one hasn't answered for so many milliseconds. */
const HEDGE_MS = 400;
const RETRY_MS = 200;
/** The kinds of the questions. */
const OUTCOMES = 'outcomes';
const DOCUMENT = 'document';
const NOTHING = new Uint8Array(0);
/** What a list in JSON begins with. */
const BRACKET = 0x5b;

/** Asks copies, and answers for this node's. */
export class WriterQuestions {
  readonly #context: WriterQuestionsContext;

  constructor(context: WriterQuestionsContext) {
    this.#context = context;
  }

  /**
   * What became of a message of this process, and what the copy has come to with it that says so.
   * @throws an error where every copy that lives has forgotten it
   */
  async outcomes(
    index: OpenIndex,
    shard: number,
    position: number,
    message: { writer: string; number: number; count: number },
    signal: AbortSignal,
  ): Promise<{ outcomes: Outcome[]; digest: Confirmation | undefined }> {
    const { count, ...named } = message;
    const question = { uuid: index.metadata.uuid, shard, position, ...named, isCompared: true };
    const answer = await this.#first(index, shard, OUTCOMES, question, signal);
    // Older versions answer with the list alone.
    if (answer[0] === BRACKET) return { outcomes: decodeOutcomes(answer, count), digest: undefined };
    const [head, outcomes] = decodeMessage(answer);
    return { outcomes: decodeOutcomes(outcomes, count), digest: readConfirmation(head) };
  }

  /** The newest version of a document of a copy that has carried out a position; 429 where all copies have too much to do. */
  async document(
    index: OpenIndex,
    shard: number,
    position: number,
    { type, id }: { type: string; id: string },
    signal: AbortSignal,
  ): Promise<StoredDocument | undefined> {
    const question = { uuid: index.metadata.uuid, shard, position, type, id };
    const answer = await this.#first(index, shard, DOCUMENT, question, signal);
    const [heads, sources] = decodeMessage(answer);
    return decodeDocuments(heads, sources)[0]?.document;
  }

  /** Answers other nodes: see the two above. */
  serve(register: RegisterQuestion): void {
    for (const kind of [OUTCOMES, DOCUMENT])
      register(kind, (bytes, signal) => this.#answer(kind, bytes, signal));
  }

  async #answer(kind: string, bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    const { uuid, shard, position, writer, number, isCompared, type, id } = questionOf(bytes);
    if (typeof uuid !== 'string' || !isCount(shard) || !isCount(position)) throw malformed();
    const follower = await this.#context.followerOf(uuid, signal);
    const held = follower?.index.shards[shard];
    if (follower === undefined || held === undefined || !held.isHeld)
      throw new Error('it has no copy of the shard');
    await follower.reach(shard, position, signal);
    if (follower.index.shards[shard] !== held) throw new Error('it has no copy of the shard any more');
    if (kind === OUTCOMES) {
      if (typeof writer !== 'string' || !isCount(number)) throw malformed();
      const outcomes = this.#context.kept.find(writer, number);
      if (outcomes === undefined || isCompared !== true) return outcomes ?? NOTHING;
      return encodeMessage(writtenConfirmation(held.digestAt(position)), [outcomes]);
    }
    if (typeof type !== 'string' || typeof id !== 'string') throw malformed();
    const document = held.documents.committed(type, id);
    const { heads, bytes: sources } = encodeDocuments([document && { document }]);
    return encodeMessage(heads, [sources]);
  }

  /** The first answer that is one: copies are asked one after the other, the next one too where one takes long. */
  async #first(
    index: OpenIndex,
    shard: number,
    kind: string,
    question: unknown,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const { peers, clock } = this.#context;
    const bytes = encodeJson(question);
    signal.throwIfAborted();
    const over = new AbortController();
    const either = over.signal;
    const unlisten = onAbort(signal, () => over.abort(signal.reason));
    try {
      for (;;) {
        const nodes = this.#context.copiesOf(index, shard);
        let found: Uint8Array | undefined;
        let forgotten = 0;
        const refused: PeerRejected[] = [];
        const asking = new Set<Promise<void>>();
        for (const { id } of nodes) {
          const asked = peers.ask(id, kind, bytes, either).then(
            (answer) => {
              if (answer.length === 0) forgotten++;
              else found ??= answer;
            },
            (e) => {
              if (e instanceof PeerRejected) refused.push(e);
            },
          );
          asking.add(asked);
          void asked.then(() => asking.delete(asked));
          await Promise.race([asked, pause(clock, HEDGE_MS, either)]);
          if (found !== undefined) return found;
          signal.throwIfAborted();
        }
        while (asking.size > 0 && found === undefined) await Promise.race(asking);
        if (found !== undefined) return found;
        signal.throwIfAborted();
        if (nodes.length > 0 && forgotten === nodes.length)
          throw new Error('the copies do not know it any more');
        // Of a document nothing was done yet; what was written has an outcome, which is waited for.
        if (kind === DOCUMENT && nodes.length > 0 && refused.length === nodes.length)
          throw rejected(refused[0]!.reason);
        await pause(clock, RETRY_MS, either);
        signal.throwIfAborted();
      }
    } finally {
      unlisten();
      over.abort(OVER);
    }
  }
}

function malformed(): Error {
  return new Error('a message of another node that is none');
}
