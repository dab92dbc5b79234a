import type { Member } from '../members.js';

/** An entry of the list. */
export interface MemberEntry {
  readonly member: Member;
  /** The count of changes when this process joined: larger than that of all processes that joined before. */
  readonly joined: number;
  /** Whether it has left. */
  readonly left: boolean;
}

/** The list of members, as a service keeps it: an entry goes when it isn't renewed. */
export class MemberTable {
  readonly #ttlMs: number;
  readonly #entries = new Map<string, { entry: MemberEntry; storedAt: number }>();
  readonly #watchers = new Set<(entry: MemberEntry) => void>();
  #changes = 0;

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  /** Stores what a member says of itself. @param joined what its first call returned; returns the same */
  put(member: Member, joined: number | undefined, now: number): number {
    const entry = { member, joined: joined ?? this.#changes + 1, left: false };
    this.#change(entry, now);
    return entry.joined;
  }

  /** Takes a process out, unless another one of its node has joined since. */
  remove(member: Member, joined: number, now: number): void {
    const there = this.#entries.get(member.node)?.entry;
    if (there && there.joined <= joined) this.#change({ member, joined, left: true }, now);
  }

  list(now: number): MemberEntry[] {
    const living = [...this.#entries.values()].filter(
      ({ entry, storedAt }) => !entry.left && now - storedAt < this.#ttlMs,
    );
    return living.map(({ entry }) => entry);
  }

  /** Calls back with each entry that is put, renewed or removed; the returned function ends that. */
  watch(watcher: (entry: MemberEntry) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #change(entry: MemberEntry, now: number): void {
    this.#changes++;
    this.#entries.set(entry.member.node, { entry, storedAt: now });
    for (const watcher of this.#watchers) watcher(entry);
  }
}
