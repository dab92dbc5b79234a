/** Why indices take no writes, on this node or another. */
import type { OpenIndex } from '../metadata/openIndex.js';
import type { Followers } from './followers.js';
import type { Membership } from './membership.js';
import type { NodeDetails, Nodes } from './nodes.js';

/** What is known of it. */
export interface LogFailuresContext {
  membership: Membership;
  nodes: Nodes;
  followers: Followers;
  warn(message: string): void;
}

export class LogFailures {
  readonly #context: LogFailuresContext;

  constructor(context: LogFailuresContext) {
    this.#context = context;
  }

  /** Tells the other nodes that an index follows its log no further on this one. */
  failed({ metadata }: OpenIndex, reason: string): void {
    const { membership, warn } = this.#context;
    const failures = { ...membership.details.failures, [metadata.uuid]: reason };
    membership.tell({ failures }).catch((e) => warn(`telling the other nodes: ${e}`));
  }

  /** Why writes to an index fail on some node, or at the moment on this one; undefined where they don't. */
  of({ metadata }: OpenIndex): string | undefined {
    const { membership, nodes, followers } = this.#context;
    const { uuid } = metadata;
    const reason = ({ failures }: Pick<NodeDetails, 'failures'>) => failures?.[uuid];
    return reason(membership.details) ?? nodes.all.map(reason).find(Boolean) ?? followers.find(uuid)?.trouble;
  }
}
