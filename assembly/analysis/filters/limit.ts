import { heapAllocZeroed } from '../../memory/heap';
import { nothing, Stage } from '../stage';
import { Token } from '../token';

/**
 * Lucene's LimitTokenCountFilter: the first tokens only. Arguments:
 *
 *     u32 tokens | u8 flags: bit 0 reads the others, too
 */
@unmanaged
class LimitStage extends Stage {
  most: u32;
  consumeAll: bool;
  count: u32;
}

export function makeLimit(args: usize, end: usize): usize {
  if (end - args < 5) return 0;
  const at = heapAllocZeroed(offsetof<LimitStage>());
  if (!at) return 0;
  const stage = changetype<LimitStage>(at);
  stage.most = load<u32>(args);
  stage.consumeAll = (load<u8>(args, 4) & 1) != 0;
  stage.behave(pull, start, nothing);
  return at;
}

function start(at: usize): void {
  changetype<LimitStage>(at).count = 0;
}

function pull(at: usize): bool {
  const stage = changetype<LimitStage>(at);
  if (stage.count < stage.most) {
    ++stage.count;
    return stage.pullInput();
  }
  if (stage.consumeAll) {
    while (stage.pullInput()) Token.increment = 0;
  }
  return false;
}
