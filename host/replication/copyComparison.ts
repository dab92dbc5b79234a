/**
 * Comparing the copies of a shard: whenever a copy has a mark of what it read in the log and made of it (`LogDigest`), or has confirmed a write
 * with another hash than another one, the others are asked for theirs. A copy that is alone with its own is fetched anew from another node; where
 * no side has more than half, the index takes no writes, and says so.
 */
import { isObject } from '../json/values.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { DigestMark } from '../shard/digestMark.js';
import { decodeJson, encodeJson } from '../storage/records.js';
import type { Clock } from '../time/clock.js';
import type { RegisterQuestion } from './message.js';
import type { ClusterNode } from './nodes.js';
import { pause } from './pause.js';

/** What comparing needs of the node. */
export interface CopyComparisonContext {
  self: string;
  clock: Clock;
  find(uuid: string): OpenIndex | undefined;
  /** The living nodes with a copy of a shard, this one among them where it has one. */
  copiesOf(index: OpenIndex, shard: number): readonly ClusterNode[];
  /** Rejects where the node doesn't answer in some seconds. */
  ask(node: string, kind: string, question: unknown): Promise<Uint8Array>;
  register: RegisterQuestion;
  warn(message: string): void;
  /** The copy of this node counts no more. */
  renew(index: OpenIndex, shard: number, reason: string): void;
  /** Nothing is written to the index any more. */
  fail(index: OpenIndex, reason: string): void;
}

/** What is asked about: a mark of the shard of an index. */
interface MarkQuestion {
  uuid: string;
  shard: number;
  messages: number;
}

const DIGEST = 'copyDigest';
const COMPARE = 'compareCopies';
const DIFFERS = 'copyDiffers';
/** Copies that are behind are waited for so often before sides are counted. */
const MOST_WAITS = 12;
/** Hashes of which no mark is kept are forgotten soon, and the next write compares others. */
const FEW_WAITS = 2;
const WAIT_MS = 5000;

export class CopyComparison {
  readonly #context: CopyComparisonContext;
  /** Shards that are being compared. */
  readonly #comparing = new Map<string, Promise<void>>();
  readonly #ending = new AbortController();

  constructor(context: CopyComparisonContext) {
    this.#context = context;
    context.register(DIGEST, async (bytes) => {
      const { uuid, shard, messages } = questionOf(bytes);
      const mark = this.#markOf(uuid, shard, messages);
      return encodeJson(mark === undefined ? {} : { hash: mark.hash });
    });
    // Who asks keeps its copy until this one has seen what it came to.
    context.register(COMPARE, (bytes) => this.#compareAsked(bytes, true));
    context.register(DIFFERS, (bytes) => this.#compareAsked(bytes, false));
  }

  close(): void {
    this.#ending.abort();
  }

  /**
   * The copy of this node has a mark; resolves when it is compared.
   * @param isAsked whether another node, which knows a difference, says so
   */
  marked(index: OpenIndex, shard: number, mark: DigestMark, isAsked = false): Promise<void> {
    const key = `${index.metadata.uuid}/${shard}`;
    // The marks after it show a difference as well.
    const before = this.#comparing.get(key);
    if (before !== undefined) return before;
    const comparing = this.#compare(index, shard, mark, isAsked)
      .catch((e) => this.#context.warn(`[${index.name}][${shard}] comparing copies: ${(e as Error).message}`))
      .finally(() => this.#comparing.delete(key));
    this.#comparing.set(key, comparing);
    return comparing;
  }

  /** The copy of another node has confirmed a write with another hash than the one by which it is answered. */
  differs(index: OpenIndex, shard: number, node: string, { messages }: Pick<DigestMark, 'messages'>): void {
    const { uuid } = index.metadata;
    const own = this.#markOf(uuid, shard, messages);
    if (own !== undefined) void this.marked(index, shard, own);
    // The next write shows it again.
    else this.#context.ask(node, DIFFERS, { uuid, shard, messages }).catch(() => {});
  }

  /** Compares again what was compared last, of all copies of an index on this node. */
  again(index: OpenIndex): void {
    for (const { number, isHeld, marks } of index.shards) {
      const last = isHeld ? marks.at(-1) : undefined;
      if (last !== undefined) void this.marked(index, number, last);
    }
  }

  async #compareAsked(bytes: Uint8Array, isAsked: boolean): Promise<Uint8Array> {
    const { uuid, shard, messages } = questionOf(bytes);
    const mark = this.#markOf(uuid, shard, messages);
    const index = this.#context.find(uuid);
    if (mark !== undefined && index !== undefined) await this.marked(index, shard, mark, isAsked);
    return encodeJson({});
  }

  #markOf(uuid: string, shard: number, messages: number): DigestMark | undefined {
    const copy = this.#context.find(uuid)?.shards[shard];
    return copy?.digestAfter(messages);
  }

  async #compare(index: OpenIndex, shard: number, mark: DigestMark, isAsked: boolean): Promise<void> {
    const { warn, clock, copiesOf, self, ask, renew, fail } = this.#context;
    const { signal } = this.#ending;
    const question: MarkQuestion = { uuid: index.metadata.uuid, shard, messages: mark.messages };
    const isKept = index.copyOf(shard)?.marks.some(({ messages }) => messages === mark.messages) === true;
    for (let attempt = 1; !signal.aborted; attempt++) {
      const others = copiesOf(index, shard).filter(({ id }) => id !== self);
      const hashes = await this.#hashesOf(others, question);
      if (hashes.size === 0 || [...hashes.values()].every((hash) => hash === mark.hash)) return;
      // What is asked about may have been fetched anew meanwhile.
      if (this.#markOf(question.uuid, shard, mark.messages)?.hash !== mark.hash) return;
      const all = [mark.hash, ...hashes.values()];
      const countOf = (wanted: number) => all.filter((hash) => hash === wanted).length;
      const most = all.find((hash) => 2 * countOf(hash) > others.length + 1);
      const named = others.map(({ id, name }) => `${name}: ${shown(hashes.get(id))}`).join(', ');
      const reason = `its copies differ since a message at or before the position ${mark.position} of its log (this node: ${shown(mark.hash)}, ${named})`;
      if (most === undefined && hashes.size < others.length) {
        if (attempt < (isKept ? MOST_WAITS : FEW_WAITS)) {
          await pause(clock, WAIT_MS, signal);
          continue;
        }
        if (!isKept) return;
      }
      // The others decide for themselves, now that they can.
      const told = isAsked ? [] : others.map(({ id }) => ask(id, COMPARE, question));
      const seen = Promise.allSettled(told);
      if (most === undefined) fail(index, `[${shard}] ${reason}, and no side has more than half of them`);
      else if (most !== mark.hash) {
        // Without its copy they would see no difference. Who doesn't answer in some seconds isn't waited for.
        await seen;
        renew(index, shard, reason);
      } else warn(`[${index.name}][${shard}] ${reason}: those that are in the minority are fetched anew`);
      return;
    }
  }

  /** What those have that answer, and have come as far. */
  async #hashesOf(others: readonly ClusterNode[], question: MarkQuestion): Promise<Map<string, number>> {
    const hashes = new Map<string, number>();
    await Promise.all(
      others.map(async ({ id }) => {
        try {
          const answer: unknown = decodeJson(await this.#context.ask(id, DIGEST, question));
          if (isObject(answer) && typeof answer.hash === 'number') hashes.set(id, answer.hash);
        } catch {
          // It compares when it can.
        }
      }),
    );
    return hashes;
  }
}

function shown(hash: number | undefined): string {
  return hash === undefined ? 'not there yet' : hash.toString(16).padStart(8, '0');
}

function questionOf(bytes: Uint8Array): MarkQuestion {
  const question: unknown = decodeJson(bytes);
  const { uuid, shard, messages } = isObject(question) ? question : {};
  if (typeof uuid !== 'string' || typeof shard !== 'number' || typeof messages !== 'number')
    throw new Error('a question about a mark that is none');
  return { uuid, shard, messages };
}
