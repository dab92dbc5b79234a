import type { Clock } from '../time/clock.js';
import { NodeReplaced } from './errors.js';
import type { MemberEntry } from './memberEntries.js';
import type { Member } from './members.js';

/** The newest entry of a node. */
interface Known {
  readonly entry: MemberEntry;
  forget: () => void;
}

/** What a process has joined as, and the revision of its first entry. */
export interface Joined {
  readonly member: Member;
  readonly joined: number;
}

/**
 * The members that one node has heard of within the time to live, by its own clock: it doesn't matter whether clocks of machines agree.
 * In whatever order entries are heard, the newest one of a node counts; for as long it is known that a node has left.
 */
export class LivingMembers {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #known = new Map<string, Known>();
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
   * Takes an entry that was heard.
   * @param self what this process joined as, if it has: a process of the same node that joined later replaces it, also when that has left
   */
  heard(entry: MemberEntry, self: Joined | undefined): void {
    const { joined, revision } = entry;
    const { node } = entry.member;
    if (isLater(entry, self)) {
      this.#replaced.abort(new NodeReplaced(node));
      return;
    }
    const known = this.#known.get(node);
    if (known && (joined < known.entry.joined || revision <= known.entry.revision)) return;
    known?.forget();
    const forget = this.#frozen ? () => {} : this.#forgetLater(node);
    this.#known.set(node, { entry, forget });
    if (!sameMember(livingOf(known?.entry), livingOf(entry))) this.#changed();
  }

  /** Keeps the list as it is while nothing can be heard of anybody. */
  freeze(): void {
    this.#frozen = true;
    for (const { forget } of this.#known.values()) forget();
  }

  /** Members can be heard of again: each has the time to live from now on. */
  thaw(): void {
    if (!this.#frozen) return;
    this.#frozen = false;
    for (const [node, known] of this.#known) known.forget = this.#forgetLater(node);
  }

  /** Ends all waiting. */
  close(): void {
    for (const { forget } of this.#known.values()) forget();
    this.#listeners.clear();
  }

  #forgetLater(node: string): () => void {
    return this.#clock.after(this.#ttlMs, () => {
      const entry = this.#known.get(node)?.entry;
      this.#known.delete(node);
      if (livingOf(entry) !== undefined) this.#changed();
    });
  }

  #changed(): void {
    const members = [...this.#known.values()].flatMap(({ entry }) => livingOf(entry) ?? []);
    this.#list = members.sort((a, b) => (a.node < b.node ? -1 : 1));
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Whether an entry is of a process of the same node that has joined later. */
export function isLater({ member, joined }: MemberEntry, self: Joined | undefined): boolean {
  return (
    member.node === self?.member.node &&
    member.incarnation !== self.member.incarnation &&
    joined > self.joined
  );
}

function livingOf(entry: MemberEntry | undefined): Member | undefined {
  return entry?.left === false ? entry.member : undefined;
}

function sameMember(a: Member | undefined, b: Member | undefined): boolean {
  return a?.incarnation === b?.incarnation && JSON.stringify(a?.details) === JSON.stringify(b?.details);
}
