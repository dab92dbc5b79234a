import { heapAllocZeroed } from '../../memory/heap';
import { normalizeUnits } from '../normalize/normalizers';
import { nothing, Stage } from '../stage';
import { Token } from '../token';
import { setTermUnits, termUnits, unitCount } from '../units';

/** A normalizer over UTF-16 units, by number; keywords, too, are normalized. Arguments: u8 number. */
@unmanaged
class NormalizeStage extends Stage {
  normalizer: u32;
}

export function makeNormalize(args: usize, end: usize): usize {
  if (args >= end) return 0;
  const at = heapAllocZeroed(offsetof<NormalizeStage>());
  if (!at) return 0;
  const stage = changetype<NormalizeStage>(at);
  stage.normalizer = load<u8>(args);
  stage.behave(pull, nothing, nothing);
  return at;
}

function pull(at: usize): bool {
  const stage = changetype<NormalizeStage>(at);
  if (!stage.pullInput()) return false;
  if (Token.length == 0) return true;
  const units = termUnits(2);
  if (!units) return false;
  return setTermUnits(units, normalizeUnits(stage.normalizer, units, unitCount));
}
