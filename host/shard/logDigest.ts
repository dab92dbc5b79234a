/**
 * A hash of what a copy of a shard has read in its log and made of it: over the position of each message, its checksum, and the outcomes of its
 * operations, one after the other. Copies that read and carried out the same have the same. Every so many messages a mark is kept, by which they
 * are compared though one is further, and the last messages are remembered, by which copies are compared that confirm a write. A copy that is behind
 * keeps what another one has further on, and compares it when it gets there.
 */
import { ElasticsearchError } from '../errors.js';
import { readPlace } from '../storage/logRows.js';
import { shardKey } from '../storage/records.js';
import type { Entry, Storage } from '../storage/storage.js';
import type { Digest, DigestMark } from './digestMark.js';
import { RecentDigests } from './recentDigests.js';
import type { Outcome } from './writeQueue.js';

/** Marks that are kept: copies that are further apart are compared when the slower one gets there. */
const MARKS = 8;
const MARK_BYTES = 20;
const HEAD_BYTES = 12;

export class LogDigest {
  readonly #storage: Storage;
  readonly #uid: number;
  readonly #every: number;
  /** Read when it is needed first; null where there is none, since the copy is older than digests are. */
  #state: { messages: number; hash: number; marks: DigestMark[]; recent: RecentDigests } | null | undefined;
  /** What another copy has after messages that haven't come here yet. */
  #expected: Digest | undefined;

  /** @param every how many messages there are from mark to mark */
  constructor(storage: Storage, uid: number, every: number) {
    this.#storage = storage;
    this.#uid = uid;
    this.#every = every;
  }

  /** The store has been filled with other rows. */
  forget(): void {
    this.#state = undefined;
    this.#expected = undefined;
  }

  /** The last marks, the newest one last. */
  get marks(): readonly DigestMark[] {
    return this.#read()?.marks ?? [];
  }

  /** The hash after all messages up to a position; undefined where that is too long ago. */
  at(position: number): DigestMark | undefined {
    return this.#read()?.recent.at(position);
  }

  /** The hash after so many messages; undefined where they haven't come, or that is too long ago. */
  after(messages: number): DigestMark | undefined {
    const state = this.#read();
    return state?.marks.find((mark) => mark.messages === messages) ?? state?.recent.after(messages);
  }

  /**
   * Compares this copy with another one. Returns what it has after so many messages, where that is another hash; where they haven't come yet,
   * {@link add} does. Of what is ahead the nearest is kept.
   */
  compare(other: Digest): DigestMark | undefined {
    const own = this.after(other.messages);
    if (own !== undefined) return own.hash === other.hash ? undefined : own;
    const messages = this.#read()?.messages ?? Number.POSITIVE_INFINITY;
    const nearest = this.#expected?.messages ?? Number.POSITIVE_INFINITY;
    if (other.messages > messages && other.messages < nearest) this.#expected = other;
    return undefined;
  }

  /**
   * Adds a message that has been carried out. Called in the order of the log. Returns a mark where one is due, or where another copy has another hash.
   * @param checksum of one that says that copies are compared by it: those of older versions didn't count them
   */
  add(position: number, checksum: number | undefined, outcomes: readonly Outcome[]): DigestMark | undefined {
    const state = this.#read();
    if (state === undefined) return undefined;
    let hash = mixNumber(state.hash, position);
    if (checksum !== undefined) hash = mix(hash, checksum);
    for (const outcome of outcomes) hash = mixOutcome(hash, outcome);
    state.hash = hash >>> 0;
    state.messages++;
    state.recent.add(position, state.hash);
    const isOther = this.#isOther(state);
    const isDue = state.messages % this.#every === 0;
    if (!isDue && !isOther) return undefined;
    const mark = { messages: state.messages, position, hash: state.hash };
    if (isDue) {
      state.marks.push(mark);
      if (state.marks.length > MARKS) state.marks.shift();
    }
    return mark;
  }

  /** Whether another copy has another hash after so many messages. */
  #isOther({ messages, hash }: Digest): boolean {
    const expected = this.#expected;
    if (expected?.messages !== messages) return false;
    this.#expected = undefined;
    return expected.hash !== hash;
  }

  /** The row that belongs into the transaction of the messages that were added last; undefined where there is none. */
  row(): Entry | undefined {
    const state = this.#read();
    if (state === undefined) return undefined;
    const { messages, hash, marks } = state;
    const bytes = new Uint8Array(HEAD_BYTES + MARK_BYTES * marks.length);
    const view = new DataView(bytes.buffer);
    view.setFloat64(0, messages);
    view.setUint32(8, hash);
    marks.forEach((mark, i) => {
      const at = HEAD_BYTES + MARK_BYTES * i;
      view.setFloat64(at, mark.messages);
      view.setFloat64(at + 8, mark.position);
      view.setUint32(at + 16, mark.hash);
    });
    return [shardKey('h', this.#uid), bytes];
  }

  #read() {
    if (this.#state === undefined) this.#state = this.#stored() ?? null;
    return this.#state ?? undefined;
  }

  #stored() {
    const bytes = this.#storage.get(shardKey('h', this.#uid));
    const place = readPlace(this.#storage, this.#uid);
    const recent = (messages: number, hash: number) =>
      new RecentDigests({ messages, position: place?.position ?? 0, hash });
    if (bytes === undefined) {
      // Places of copies that carried out nothing have no time.
      const hasBegun = (place?.time ?? 0) > 0;
      return hasBegun ? undefined : { messages: 0, hash: 0, marks: [], recent: recent(0, 0) };
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const marks: DigestMark[] = [];
    for (let at = HEAD_BYTES; at + MARK_BYTES <= bytes.length; at += MARK_BYTES)
      marks.push({
        messages: view.getFloat64(at),
        position: view.getFloat64(at + 8),
        hash: view.getUint32(at + 16),
      });
    const [messages, hash] = [view.getFloat64(0), view.getUint32(8)];
    return { messages, hash, marks, recent: recent(messages, hash) };
  }
}

function mixOutcome(hash: number, outcome: Outcome): number {
  if (outcome instanceof ElasticsearchError)
    return mixText(mixNumber(hash, outcome.status), outcome.exception);
  const { version, fresh } = outcome;
  const mixed = mix(hash, fresh ? 1 : 2);
  return typeof version === 'number' ? mixNumber(mixed, version) : mixText(mixed, version.toString());
}

function mixNumber(hash: number, value: number): number {
  return mix(mix(hash, value | 0), Math.floor(value / 0x1_0000_0000) | 0);
}

function mixText(hash: number, text: string): number {
  let mixed = hash;
  for (let i = 0; i < text.length; i++) mixed = mix(mixed, text.charCodeAt(i));
  return mixed;
}

/** Multiplies by an odd number that has its bits spread, and folds the high half onto the low one. */
function mix(hash: number, value: number): number {
  const product = Math.imul(hash ^ value ^ 0x5bd1e995, 0x9e3779b1);
  return product ^ (product >>> 15);
}
