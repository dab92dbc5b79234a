/**
 * One stage of a chain: a char filter, the tokenizer or a token filter. Stages call each other through the function
 * table, so that no stage knows another.
 *
 *     char filter … → tokenizer → token filter → token filter → whoever pulls
 *
 * Each kind of stage is an `@unmanaged` class that extends `Stage` and a factory that makes it from its arguments; the
 * factories are listed in chain.ts.
 */
@unmanaged
export class Stage {
  /** Table index of `(stage: usize): bool`: moves `Token` to the next token; false at the end or on failure. */
  pullIndex: u32;
  /** Table index of `(stage: usize): void`: forgets everything of the text before; called before each text, first stage first. */
  startIndex: u32;
  /** Table index of `(stage: usize): void`: frees what the stage owns beside its struct. */
  dropIndex: u32;
  /** The stage before; 0 for a tokenizer or a char filter. */
  input: usize;
  /** Set by stages whose terms depend on offsets. */
  needsOffsets: bool;

  /** Moves `Token` to the next token of the stage before. */
  @inline pullInput(): bool {
    const input = changetype<Stage>(this.input);
    return call_indirect<bool>(input.pullIndex, this.input);
  }

  /** Sets the three functions. */
  behave(pull: (stage: usize) => bool, start: (stage: usize) => void, drop: (stage: usize) => void): void {
    this.pullIndex = pull.index;
    this.startIndex = start.index;
    this.dropIndex = drop.index;
  }
}

/** For stages that keep nothing between tokens, or own nothing. */
export function nothing(_stage: usize): void {}
