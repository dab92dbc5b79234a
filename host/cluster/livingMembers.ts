import type { Clock } from '../time/clock.js';
import { NodeReplaced } from './errors.js';
import type { Member } from './members.js';

/**
 * The members that one node has heard of within the time to live, by its own clock: it doesn't matter whether clocks of machines agree.
 */
export class LivingMembers {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #members = new Map<string, { member: Member; joined: number; forget: () => void }>();
  readonly #listeners = new Set<() => void>();
  readonly #replaced = new AbortController();
  #list: readonly Member[] = [];
  #frozen = false;

  constructor(clock: Clock, ttlMs: number) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  get replaced(): AbortSignal {
    return this.#replaced.signal;
  }

  list(): readonly Member[] {
    return this.#list;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Takes what was heard of a member.
   * @param joined grows with each process that joins: of two processes of one node, the one with the larger number counts
   * @param self what this process joined as, if it has
   */
  heard(member: Member, joined: number, self: { member: Member; joined: number } | undefined): void {
    const { node, incarnation } = member;
    if (node === self?.member.node && incarnation !== self.member.incarnation && joined > self.joined) {
      this.#replaced.abort(new NodeReplaced(node));
      return;
    }
    const known = this.#members.get(node);
    if (known && joined < known.joined) return;
    known?.forget();
    const forget = this.#frozen ? () => {} : this.#forgetLater(node, joined);
    this.#members.set(node, { member, joined, forget });
    if (!known || !sameMember(known.member, member)) this.#changed();
  }

  /** Takes a node out that has left or wasn't heard of for too long. */
  gone(node: string, joined: number): void {
    const known = this.#members.get(node);
    if (!known || known.joined > joined) return;
    known.forget();
    this.#members.delete(node);
    this.#changed();
  }

  /** Keeps the list as it is while nothing can be heard of anybody. */
  freeze(): void {
    this.#frozen = true;
    for (const { forget } of this.#members.values()) forget();
  }

  /** Members can be heard of again: each has the time to live from now on. */
  thaw(): void {
    if (!this.#frozen) return;
    this.#frozen = false;
    for (const known of this.#members.values())
      known.forget = this.#forgetLater(known.member.node, known.joined);
  }

  /** Ends all waiting. */
  close(): void {
    for (const { forget } of this.#members.values()) forget();
    this.#listeners.clear();
  }

  #forgetLater(node: string, joined: number): () => void {
    return this.#clock.after(this.#ttlMs, () => this.gone(node, joined));
  }

  #changed(): void {
    const members = [...this.#members.values()].map(({ member }) => member);
    this.#list = members.sort((a, b) => (a.node < b.node ? -1 : 1));
    for (const listener of [...this.#listeners]) listener();
  }
}

function sameMember(a: Member, b: Member): boolean {
  return a.incarnation === b.incarnation && JSON.stringify(a.details) === JSON.stringify(b.details);
}
