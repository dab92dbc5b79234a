/** What is read of a shard that this node has no copy of: questions to a node that has one. */
import { ElasticsearchError } from '../errors.js';
import type { WorkLimit } from '../workLimit.js';

/** What a copy can be asked. `readAnswers.ts` says what each has in its head and its bytes. */
export type CopyQuestionKind = 'search' | 'terms' | 'rows' | 'keys' | 'documents' | 'queries';

/** A question to a copy. */
export interface CopyQuestion {
  kind: CopyQuestionKind;
  /** JSON. */
  head: Readonly<Record<string, unknown>>;
  bytes: Uint8Array;
}

/** What a copy answers; whoever reads it checks its shape. */
export interface CopyAnswer {
  head: Readonly<Record<string, unknown>>;
  bytes: Uint8Array;
}

/** Questions about one shard, all to the same copy for as long as that answers. */
export interface CopyReads {
  /** The id of the node that answered last; undefined before. */
  readonly node: string | undefined;
  /**
   * Asks a copy; another one where the first doesn't answer and nothing has been read of it.
   * @throws CopyGone where there is none, 429 where those that there are have too much to do; what the copy's own search throws; `WorkOver` where nobody waits any more
   */
  ask(question: CopyQuestion, limit: WorkLimit): Promise<CopyAnswer>;
  /**
   * From now on the copy that answers keeps all rows that it names, until the returned function is called. So what is asked next must be
   * asked of the same.
   */
  hold(): () => void;
}

/** 503: no copy of a shard answers, or the one that a search is of has gone. */
export class CopyGone extends ElasticsearchError {
  /** Whether something was read of it. */
  readonly wasRead: boolean;

  constructor(shard: string, reason: string, wasRead = false) {
    super('NoShardAvailableActionException', `${shard} ${reason}`, { status: 503 });
    this.wasRead = wasRead;
  }
}
