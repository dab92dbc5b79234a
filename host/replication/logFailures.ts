/** Why indices take no writes, and metadata can't be changed, on this node or another. */
import type { OpenIndex } from '../metadata/openIndex.js';
import type { Followers } from './followers.js';
import type { Membership } from './membership.js';
import type { MetadataLog } from './metadataLog.js';
import type { NodeDetails, Nodes } from './nodes.js';

/** What is known of it. */
export interface LogFailuresContext {
  membership: Membership;
  nodes: Nodes;
  metadata: MetadataLog;
  followers: Followers;
  warn(message: string): void;
}

export class LogFailures {
  readonly #context: LogFailuresContext;

  constructor(context: LogFailuresContext) {
    this.#context = context;
  }

  /** Tells the other nodes that an index follows its log no further on this one; or that it does again, without a reason. */
  failed({ metadata }: OpenIndex, reason: string | undefined): void {
    const { [metadata.uuid]: _, ...others } = this.#context.membership.details.failures ?? {};
    this.#tell({ failures: reason === undefined ? others : { ...others, [metadata.uuid]: reason } });
  }

  /** Tells them that the log of the metadata is followed no further on this one; or that it is again, without a reason. */
  metadataFailed(reason: string | undefined): void {
    this.#tell({ metadataFailure: reason });
  }

  #tell(details: Partial<NodeDetails>): void {
    const { membership, warn } = this.#context;
    membership.tell(details).catch((e) => warn(`telling the other nodes: ${(e as Error).message}`));
  }

  /** Why writes to an index fail on some node, or at the moment on this one; undefined where they don't. */
  of(index: OpenIndex): string | undefined {
    return this.lasting(index) ?? this.#context.followers.find(index.metadata.uuid)?.trouble;
  }

  /** The same without what passes by itself, such as that nobody leads its log at the moment. */
  lasting({ metadata: { uuid } }: OpenIndex): string | undefined {
    const { membership, nodes } = this.#context;
    const reason = ({ failures }: Pick<NodeDetails, 'failures'>) => failures?.[uuid];
    return reason(membership.details) ?? nodes.all.map(reason).find(Boolean);
  }

  /** Why metadata can't be changed on some node; undefined where they can. */
  get ofMetadata(): string | undefined {
    const { metadata, nodes } = this.#context;
    return metadata.failure ?? nodes.all.map(({ metadataFailure }) => metadataFailure).find(Boolean);
  }
}
