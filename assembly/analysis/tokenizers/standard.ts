import { heapAllocZeroed } from '../../memory/heap';
import { Source } from '../source';
import { nothing, Stage } from '../stage';
import {
  tokenEndByte,
  tokenHash,
  tokenLength,
  tokenNext,
  tokenPtr,
  tokenStart,
  tokenStartByte,
  tokenType,
} from '../standard';
import { Token } from '../token';

/** The standard tokenizer as a stage; lower-casing comes free of charge, so that a filter that only does this is left out. */
@unmanaged
export class StandardStage extends Stage {
  lowerCase: bool;
}

/** Arguments: none. */
export function makeStandard(_args: usize, _end: usize): usize {
  const at = heapAllocZeroed(offsetof<StandardStage>());
  if (at) changetype<StandardStage>(at).behave(pull, start, nothing);
  return at;
}

/** Lets the stage give lower-cased terms. */
export function fuseLowerCase(stage: usize): void {
  changetype<StandardStage>(stage).lowerCase = true;
}

function start(_stage: usize): void {
  tokenStart(Source.ptr, Source.length);
}

function pull(at: usize): bool {
  if (!tokenNext()) return false;
  if (changetype<StandardStage>(at).lowerCase) {
    Token.setHashedTerm(tokenPtr, tokenLength, tokenHash);
  } else {
    Token.setTerm(Source.ptr + tokenStartByte, tokenEndByte - tokenStartByte);
  }
  Source.describe(Source.ptr + tokenStartByte, Source.ptr + tokenEndByte, tokenType);
  return true;
}
