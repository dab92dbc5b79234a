import { heapAllocZeroed } from '../../memory/heap';
import { nothing, Stage } from '../stage';
import { stemUnits } from '../stem/stemmers';
import { Token } from '../token';
import { setTermUnits, termUnits, unitCount } from '../units';

/** A stemmer or a normalization over UTF-16 units, by number. Arguments: u8 number. */
@unmanaged
class StemStage extends Stage {
  stemmer: u32;
}

export function makeStem(args: usize, end: usize): usize {
  if (args >= end) return 0;
  const at = heapAllocZeroed(offsetof<StemStage>());
  if (!at) return 0;
  const stage = changetype<StemStage>(at);
  stage.stemmer = load<u8>(args);
  stage.behave(pull, nothing, nothing);
  return at;
}

function pull(at: usize): bool {
  const stage = changetype<StemStage>(at);
  if (!stage.pullInput()) return false;
  if (Token.keyword) return true;
  const units = termUnits();
  if (!units) return false;
  return setTermUnits(units, stemUnits(stage.stemmer, units, unitCount));
}
