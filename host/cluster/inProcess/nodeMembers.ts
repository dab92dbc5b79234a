import { LivingMembers } from '../livingMembers.js';
import { type Member, type Members, checkedMember } from '../members.js';
import type { MemberEntry, MemberTable } from './memberTable.js';
import { MEMBERS_ENDPOINT } from './network.js';
import type { NodeProcess } from './nodeProcess.js';

/** The members, as one node sees them. */
export class NodeMembers implements Members {
  readonly #process: NodeProcess;
  readonly #table: MemberTable;
  readonly #living: LivingMembers;
  readonly #renewMs: number;
  #self: { member: Member; joined: number } | undefined;
  #cancelRenewal = () => {};
  readonly #unwatch: () => void;

  constructor(process: NodeProcess, table: MemberTable, ttlMs: number) {
    this.#process = process;
    this.#table = table;
    this.#living = new LivingMembers(process.clock, ttlMs);
    this.#renewMs = ttlMs / 3;
    this.#unwatch = table.watch((entry) => process.receive(MEMBERS_ENDPOINT, () => this.#heard(entry)));
  }

  get replaced(): AbortSignal {
    return this.#living.replaced;
  }

  list(): readonly Member[] {
    return this.#living.list();
  }

  onChange(listener: () => void): () => void {
    return this.#living.onChange(listener);
  }

  async watch(): Promise<void> {
    const { clock } = this.#process;
    for (const entry of await this.#process.call(MEMBERS_ENDPOINT, () => this.#table.list(clock.now())))
      this.#heard(entry);
  }

  async join(self: Member): Promise<void> {
    const member = checkedMember(structuredClone(self));
    const { clock } = this.#process;
    // Sent again, it may join twice: the later number is as good.
    const joined = await this.#process.call(MEMBERS_ENDPOINT, () =>
      this.#table.put(member, undefined, clock.now()),
    );
    this.#self = { member, joined };
    this.#renewLater();
    await this.watch();
  }

  async update(self: Member): Promise<void> {
    if (!this.#self) return this.join(self);
    const { joined } = this.#self;
    const now = { member: checkedMember(structuredClone(self)), joined };
    this.#self = now;
    this.#renewLater();
    await this.#process.call(MEMBERS_ENDPOINT, () => this.#put(now));
  }

  async leave(): Promise<void> {
    this.#cancelRenewal();
    const self = this.#self;
    this.#self = undefined;
    if (!self) return;
    const { clock } = this.#process;
    await this.#process.call(MEMBERS_ENDPOINT, () =>
      this.#table.remove(self.member, self.joined, clock.now()),
    );
    this.#living.gone(self.member.node, self.joined);
  }

  close(): void {
    this.#cancelRenewal();
    this.#unwatch();
    this.#living.close();
  }

  #heard({ member, joined, left }: MemberEntry): void {
    if (left) this.#living.gone(member.node, joined);
    else this.#living.heard(member, joined, this.#self);
    if (this.replaced.aborted) this.#cancelRenewal();
  }

  /** What arrives of something older than the newest is dropped. */
  #put(self: { member: Member; joined: number }): void {
    if (this.#self === self) this.#table.put(self.member, self.joined, this.#process.clock.now());
  }

  #renewLater(): void {
    this.#cancelRenewal();
    this.#cancelRenewal = this.#process.clock.after(this.#renewMs, () => {
      const self = this.#self;
      if (!self) return;
      this.#process.send(MEMBERS_ENDPOINT, () => this.#put(self));
      this.#renewLater();
    });
  }
}
