/** This node as one of the members of the cluster, and what it says of itself there. */
import type { Members } from '../cluster/members.js';
import type { NodeDetails } from './nodes.js';

/** The process that is a member. */
export interface MemberProcess {
  node: string;
  incarnation: string;
}

export class Membership {
  readonly #members: Members;
  readonly #process: MemberProcess;
  #details: NodeDetails;
  #isSilent = false;
  /** Whether it has begun to join: before, what it tells would make it a member before it has caught up. */
  #hasBegun = false;

  constructor(
    members: Members,
    { node, incarnation }: MemberProcess,
    of: Pick<NodeDetails, 'data' | 'formats' | 'attributes'>,
  ) {
    this.#members = members;
    this.#process = { node, incarnation };
    this.#details = { name: '', http: '', version: '', started: 0, ...of };
  }

  /** What the node says of itself. */
  get details(): NodeDetails {
    return this.#details;
  }

  /** Whether this node may have copies of shards. */
  get hasData(): boolean {
    return this.#details.data;
  }

  /** What settings of allocation name of this node besides. */
  get attributes(): Readonly<Record<string, string>> {
    return this.#details.attributes ?? {};
  }

  /** Sets what the node says of itself as soon as it joins. */
  describe(details: Partial<NodeDetails>): void {
    this.#details = { ...this.#details, ...details };
  }

  /** Begins to hear of the other members. */
  watch(): Promise<void> {
    return this.#members.watch();
  }

  async join(): Promise<void> {
    const joined = this.#members.join(this.#member());
    this.#hasBegun = true;
    await joined;
  }

  /** Changes what the node says of itself; before it joins, what it will say. */
  async tell(details: Partial<NodeDetails>): Promise<void> {
    this.describe(details);
    // Saying anything would be joining again.
    if (this.#isSilent || !this.#hasBegun) return;
    await this.#members.update(this.#member());
  }

  /** Says nothing more from now on; returns whether that is new. */
  silence(): boolean {
    const isNew = !this.#isSilent;
    this.#isSilent = true;
    return isNew;
  }

  async leave(): Promise<void> {
    this.#isSilent = true;
    await this.#members.leave().catch(() => {});
  }

  #member() {
    return { ...this.#process, details: { ...this.#details } };
  }
}
