import { heapAllocZeroed } from '../../memory/heap';
import { ERR_DICTIONARY } from '../../status';
import { nothing, Stage } from '../stage';
import { ENGLISH_POSSESSIVE, GERMAN, KSTEM } from '../stem/byHand';
import { kstemDefined } from '../stem/kstemWords';
import { stemUnits } from '../stem/stemmers';
import { Analysis, Token } from '../token';
import { setTermUnits, termUnits, unitCount } from '../units';

/** A stemmer or a normalization over UTF-16 units, by number. Arguments: u8 number. */
@unmanaged
class StemStage extends Stage {
  stemmer: u32;
}

export function makeStem(args: usize, end: usize): usize {
  if (args >= end) return 0;
  const stemmer = load<u8>(args) as u32;
  if (stemmer == KSTEM && !kstemDefined()) {
    Analysis.status = ERR_DICTIONARY;
    return 0;
  }
  const at = heapAllocZeroed(offsetof<StemStage>());
  if (!at) return 0;
  const stage = changetype<StemStage>(at);
  stage.stemmer = stemmer;
  stage.behave(pull, nothing, nothing);
  return at;
}

function pull(at: usize): bool {
  const stage = changetype<StemStage>(at);
  if (!stage.pullInput()) return false;
  // What takes 's away is no stemmer to Lucene: keywords are nothing to it.
  if (Token.keyword && stage.stemmer != ENGLISH_POSSESSIVE) return true;
  const units = termUnits(stage.stemmer == GERMAN ? 2 : 1);
  if (!units) return false;
  return setTermUnits(units, stemUnits(stage.stemmer, units, unitCount));
}
