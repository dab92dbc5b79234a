import type { Clock } from '../time/clock.js';
import { LogUnavailable } from './errors.js';
import type { Joined, LivingMembers } from './livingMembers.js';
import type { MemberEntries } from './memberEntries.js';
import type { Member } from './members.js';

/** Milliseconds between two tries where the service doesn't say yet which entry is the last one. */
const RETRY_MS = 250;
/** Tries in a row that may find another last entry each time. */
const MOST_TRIES = 40;

/** What this process has joined as, and what of it is stored. */
interface Self {
  member: Member;
  joined: number | undefined;
  /** Its last entry that this process knows of, or that of whoever had the node's place before it. */
  revision: number;
  left: boolean;
}

/**
 * The entry of this node in the list of members. Each is stored in the place of one that was read before, so that processes of a node join
 * in the order in which they have read of each other: what a process announced that has been killed since takes nobody's place when
 * it arrives late.
 */
export class OwnEntry {
  readonly #entries: MemberEntries;
  readonly #living: LivingMembers;
  readonly #clock: Clock;
  #self: Self | undefined;
  #changes = 0;
  #stored = 0;
  #putting: { change: number; done: Promise<void> } | undefined;

  constructor(entries: MemberEntries, living: LivingMembers, clock: Clock) {
    this.#entries = entries;
    this.#living = living;
    this.#clock = clock;
  }

  /** Whether it is stored that this process has joined. */
  get hasJoined(): boolean {
    return this.#self?.joined !== undefined;
  }

  /** The revision of the last entry of this node that this process has stored or read; 0 where there is none. */
  get revision(): number {
    return this.#self?.revision ?? 0;
  }

  /** What this process joined as; nothing before it has, and when it leaves. */
  get joined(): Joined | undefined {
    const self = this.#self;
    if (self?.joined === undefined || self.left) return undefined;
    return { member: self.member, joined: self.joined };
  }

  /** Stores that this process is there. @throws LogUnavailable, ServicesClosed */
  async join(member: Member): Promise<void> {
    this.#self ??= { member, joined: undefined, revision: 0, left: false };
    const self = this.#self;
    self.member = member;
    await this.#change();
    this.#heard(self);
  }

  /** Stores what this process says of itself, or something newer; many updates in a row become few. @throws as `join` does */
  async update(member: Member): Promise<void> {
    if (this.#self === undefined) return this.join(member);
    this.#self.member = member;
    await this.#change();
  }

  /** Stores the same again: what isn't renewed is removed. @throws as `join` does */
  async renew(): Promise<void> {
    if (this.#self !== undefined) await this.#change();
  }

  /** Stores that this process has left. @throws as `join` does */
  async leave(): Promise<void> {
    const self = this.#self;
    if (self === undefined) return;
    self.left = true;
    await this.#change();
    this.#self = undefined;
    this.#heard(self);
  }

  /** Others hear of what was stored; this node hears at once of what it waits for. */
  #heard({ member, joined, revision, left }: Self): void {
    if (joined !== undefined) this.#living.heard({ member, joined, revision, left }, undefined);
  }

  /** Resolves when all that has changed until now is stored. */
  async #change(): Promise<void> {
    const change = ++this.#changes;
    while (this.#stored < change) {
      this.#putting ??= this.#begin();
      const putting = this.#putting;
      try {
        await putting.done;
      } catch (e) {
        // What was begun before this change was no try to store it.
        if (putting.change >= change) throw e;
      }
    }
  }

  #begin() {
    const change = this.#changes;
    const done = this.#put()
      .then(() => {
        this.#stored = change;
      })
      .finally(() => {
        this.#putting = undefined;
      });
    return { change, done };
  }

  async #put(): Promise<void> {
    const self = this.#self;
    if (self === undefined) return;
    if (self.joined === undefined) await this.#readLast(self);
    for (let tries = 1; !this.#isOver(self); tries++) {
      const { member, joined, left, revision } = self;
      const stored = await this.#entries.put({ member, joined, left }, revision);
      if (stored !== undefined) {
        self.revision = stored;
        self.joined ??= stored;
        if (self.joined <= stored) return;
        // The service has lost the list, and counts from the beginning.
        self.joined = undefined;
        continue;
      }
      if (tries === MOST_TRIES) throw new LogUnavailable('members', `[${member.node}] has other entries`);
      await this.#readLast(self);
      if (self.revision === revision) await new Promise<void>((done) => this.#clock.after(RETRY_MS, done));
    }
  }

  /** Reads which entry the next one takes the place of. */
  async #readLast(self: Self): Promise<void> {
    const { revision, entry } = await this.#entries.last(self.member.node);
    self.revision = revision;
    if (entry === undefined) return;
    // Stored, and not confirmed.
    if (entry.member.incarnation === self.member.incarnation) self.joined ??= entry.joined;
    else this.#living.heard(entry, this.joined);
  }

  /** Whether there is nothing to store any more. */
  #isOver({ joined, left }: Self): boolean {
    return this.#living.replaced.aborted || (left && joined === undefined);
  }
}
