import { OK } from '../../abi/status';
import { heapAllocZeroed } from '../../memory/heap';
import { Stage } from '../stage';
import { Analysis, SavedToken, Token } from '../token';
import { TYPE_GRAM } from '../tokenTypes';

/** Lucene's CommonGramsQueryFilter, behind the common grams: leaves out the tokens that a pair stands for. Arguments: none. */
@unmanaged
class CommonGramsQueryStage extends Stage {
  previous: SavedToken;
  /** A second one, to take turns with. */
  other: SavedToken;
  hasPrevious: bool;
  /** The token given last was a pair. */
  gavePair: bool;
  exhausted: bool;
}

export function makeCommonGramsQuery(_args: usize, _end: usize): usize {
  const previous = SavedToken.make();
  const other = SavedToken.make();
  const at = heapAllocZeroed(offsetof<CommonGramsQueryStage>());
  if (!previous || !other || !at) return 0;
  const stage = changetype<CommonGramsQueryStage>(at);
  stage.previous = previous;
  stage.other = other;
  stage.behave(pull, start, drop);
  return at;
}

function start(at: usize): void {
  const stage = changetype<CommonGramsQueryStage>(at);
  stage.hasPrevious = false;
  stage.gavePair = false;
  stage.exhausted = false;
}

function drop(at: usize): void {
  const stage = changetype<CommonGramsQueryStage>(at);
  stage.previous.free();
  stage.other.free();
}

function pull(at: usize): bool {
  const stage = changetype<CommonGramsQueryStage>(at);
  while (!stage.exhausted && stage.pullInput()) {
    const previous = stage.previous;
    if (stage.hasPrevious && Token.type != TYPE_GRAM) {
      const current = stage.other;
      if (!current.save()) return false;
      stage.previous = current;
      stage.other = previous;
      return give(stage, previous);
    }
    if (!previous.save()) return false;
    stage.hasPrevious = true;
  }
  if (Analysis.status != OK) return false;
  stage.exhausted = true;
  if (!stage.hasPrevious || stage.gavePair) return false;
  stage.hasPrevious = false;
  return give(stage, stage.previous);
}

function give(stage: CommonGramsQueryStage, token: SavedToken): bool {
  token.restore();
  stage.gavePair = Token.type == TYPE_GRAM;
  if (stage.gavePair) Token.increment = 1;
  return true;
}
