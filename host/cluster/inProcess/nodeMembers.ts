import { LivingMembers } from '../livingMembers.js';
import type { MemberEntry } from '../memberEntries.js';
import { type Member, type Members, checkedMember } from '../members.js';
import { OwnEntry } from '../ownEntry.js';
import type { MemberTable } from './memberTable.js';
import { MEMBERS_ENDPOINT } from './network.js';
import type { NodeProcess } from './nodeProcess.js';

/** The members, as one node sees them. */
export class NodeMembers implements Members {
  readonly #process: NodeProcess;
  readonly #table: MemberTable;
  readonly #living: LivingMembers;
  readonly #own: OwnEntry;
  readonly #renewMs: number;
  #cancelRenewal = () => {};
  readonly #unwatch: () => void;

  constructor(process: NodeProcess, table: MemberTable, ttlMs: number) {
    const { clock } = process;
    this.#process = process;
    this.#table = table;
    this.#living = new LivingMembers(clock, ttlMs);
    this.#own = new OwnEntry(
      {
        last: (node) => process.call(MEMBERS_ENDPOINT, () => table.last(node, clock.now())),
        put: (entry, after) => process.call(MEMBERS_ENDPOINT, () => table.put(entry, after, clock.now())),
      },
      this.#living,
      clock,
    );
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
    await this.#own.join(checkedMember(structuredClone(self)));
    this.#renewLater();
    await this.watch();
  }

  async update(self: Member): Promise<void> {
    if (!this.#own.hasJoined) return this.join(self);
    await this.#own.update(checkedMember(structuredClone(self)));
  }

  async leave(): Promise<void> {
    this.#cancelRenewal();
    await this.#own.leave();
  }

  close(): void {
    this.#cancelRenewal();
    this.#unwatch();
    this.#living.close();
  }

  #heard(entry: MemberEntry): void {
    this.#living.heard(entry, this.#own.joined);
    if (this.replaced.aborted) this.#cancelRenewal();
  }

  #renewLater(): void {
    this.#cancelRenewal();
    this.#cancelRenewal = this.#process.clock.after(this.#renewMs, () => {
      if (this.replaced.aborted) return;
      this.#own.renew().catch(() => {});
      this.#renewLater();
    });
  }
}
