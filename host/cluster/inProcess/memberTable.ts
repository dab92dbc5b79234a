import type { LastEntry, MemberEntry, NewEntry } from '../memberEntries.js';

/** The list of members, as a service keeps it: an entry goes when it isn't renewed. */
export class MemberTable {
  readonly #ttlMs: number;
  readonly #entries = new Map<string, { entry: MemberEntry; storedAt: number }>();
  readonly #watchers = new Set<(entry: MemberEntry) => void>();
  #changes = 0;

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  /** The last entry of a node. */
  last(node: string, now: number): LastEntry {
    const entry = this.#list(now).find(({ member }) => member.node === node);
    return entry === undefined ? { revision: 0 } : { revision: entry.revision, entry };
  }

  /** Stores an entry; returns its revision, or undefined when the node's last one is another than that at `after`. */
  put({ member, joined, left }: NewEntry, after: number, now: number): number | undefined {
    if (this.last(member.node, now).revision !== after) return undefined;
    const revision = ++this.#changes;
    const entry = { member, joined: joined ?? revision, left, revision };
    this.#entries.set(member.node, { entry, storedAt: now });
    for (const watcher of this.#watchers) watcher(entry);
    return revision;
  }

  /** Entries of nodes that have left are among them. */
  list(now: number): readonly MemberEntry[] {
    return this.#list(now);
  }

  /** Calls back with each entry that is stored; the returned function ends that. */
  watch(watcher: (entry: MemberEntry) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #list(now: number): MemberEntry[] {
    const there = [...this.#entries.values()].filter(({ storedAt }) => now - storedAt < this.#ttlMs);
    return there.map(({ entry }) => entry);
  }
}
