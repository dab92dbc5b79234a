import type { Member } from './members.js';

/** What a node stores of itself in the list of members, which has one entry for each node. */
export interface NewEntry {
  readonly member: Member;
  /** The revision of the first entry of this process; undefined for that one. */
  readonly joined: number | undefined;
  /** Whether it has left. */
  readonly left: boolean;
}

/** An entry as it was stored. */
export interface MemberEntry extends NewEntry {
  /** Larger than that of every process that joined before. */
  readonly joined: number;
  /** The count of changes of the whole list when this was stored: an entry of a smaller one is older. */
  readonly revision: number;
}

/** The last entry of a node. */
export interface LastEntry {
  /** 0 where there is none, or none any more: entries that aren't renewed within the time to live are removed. */
  readonly revision: number;
  /** Nothing where there is none, or one that can't be read. */
  readonly entry?: MemberEntry;
}

/** The service that keeps the list. */
export interface MemberEntries {
  /** @throws LogUnavailable, ServicesClosed */
  last(node: string): Promise<LastEntry>;
  /**
   * Stores an entry of a node in the place of its last one, if that is the one that is expected: what arrives late, or once more, changes
   * nothing.
   * @param after the revision of the last entry; 0 for none
   * @returns its revision; undefined when the last one is another than expected
   * @throws LogUnavailable, ServicesClosed
   */
  put(entry: NewEntry, after: number): Promise<number | undefined>;
}
