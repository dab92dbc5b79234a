/** What becomes of the messages that this node's copies carry out: whoever has written one, and waits for that here, is told. */
import { onAbort } from '../cluster/onAbort.js';
import type { Outcome } from '../shard/writeQueue.js';
import type { DocumentCommand } from './documentCommand.js';
import type { KeptOutcomes } from './keptOutcomes.js';

/** A message that was carried out. */
export interface MessageOutcome {
  outcomes: Outcome[];
  position: number;
}

export class AwaitedOutcomes {
  /** The process, as messages name it. */
  readonly #writer: string;
  readonly #kept: KeptOutcomes;
  readonly #awaited = new Map<number, (outcome: MessageOutcome) => void>();
  /** How many are waited for, by shard. */
  readonly #waiting = new Map<string, number>();
  #messages = 0;
  #operations = 0;

  /** @param kept has those that other nodes ask for */
  constructor(writer: string, kept: KeptOutcomes) {
    this.#writer = writer;
    this.#kept = kept;
  }

  /** Messages, and operations in them, that were carried out. */
  get counts(): { messages: number; operations: number } {
    return { messages: this.#messages, operations: this.#operations };
  }

  /** A message was carried out here. */
  carriedOut(
    { writer, number, isDistant }: Omit<DocumentCommand, 'ops'>,
    outcomes: Outcome[],
    position: number,
  ): void {
    this.#messages++;
    this.#operations += outcomes.length;
    if (writer === this.#writer) this.#awaited.get(number)?.({ outcomes, position });
    if (isDistant === true) this.#kept.keep(writer, number, outcomes);
  }

  /** Whether anything is waited for that a shard is to carry out. */
  areAwaited(shard: string): boolean {
    return this.#waiting.has(shard);
  }

  /** Resolves with what becomes of a message of this process; rejects with the signal's reason. */
  async of(shard: string, number: number, signal: AbortSignal): Promise<MessageOutcome> {
    signal.throwIfAborted();
    let unlisten = () => {};
    this.#waiting.set(shard, 1 + (this.#waiting.get(shard) ?? 0));
    try {
      return await new Promise((resolve, reject) => {
        unlisten = onAbort(signal, () => reject(signal.reason));
        this.#awaited.set(number, resolve);
      });
    } finally {
      unlisten();
      this.#awaited.delete(number);
      const left = this.#waiting.get(shard)! - 1;
      if (left > 0) this.#waiting.set(shard, left);
      else this.#waiting.delete(shard);
    }
  }
}
