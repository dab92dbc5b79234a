import { ERR_DICTIONARY } from '../../abi/status';
import { heapAllocZeroed } from '../../memory/heap';
import { nothing, Stage } from '../stage';
import { ENGLISH_POSSESSIVE, GERMAN, KSTEM } from '../stem/byHand';
import { kstemDefined } from '../stem/kstemWords';
import { stemUnits } from '../stem/stemmers';
import { Analysis, Token } from '../token';
import { setTermUnits, termUnits, unitCount } from '../units';

/**
 * A stemmer or a normalization over UTF-16 units, by number. Arguments: u8 number; for what takes `'s` away optionally u8
 * 1: with the ASCII apostrophe only.
 */
@unmanaged
class StemStage extends Stage {
  stemmer: u32;
  asciiOnly: bool;
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
  stage.asciiOnly = args + 1 < end && load<u8>(args, 1) == 1;
  stage.behave(stemmer == ENGLISH_POSSESSIVE ? pullPossessive : pull, nothing, nothing);
  return at;
}

function pull(at: usize): bool {
  const stage = changetype<StemStage>(at);
  if (!stage.pullInput()) return false;
  if (Token.keyword) return true;
  const units = termUnits(stage.stemmer == GERMAN ? 2 : 1);
  if (!units) return false;
  return setTermUnits(units, stemUnits(stage.stemmer, units, unitCount));
}

/** Takes `'s` away, with any of three apostrophes. It is no stemmer to Lucene: keywords are nothing to it. */
function pullPossessive(at: usize): bool {
  if (!changetype<StemStage>(at).pullInput()) return false;
  const length = Token.length;
  if (length < 2) return true;
  const end = Token.ptr + length;
  if (((load<u8>(end - 1) as u32) | 0x20) != 0x73) return true;
  if (load<u8>(end - 2) == 0x27) {
    Token.length = length - 2;
  } else if (length >= 4 && !changetype<StemStage>(at).asciiOnly) {
    const mark = (load<u16>(end - 4) as u32) | ((load<u8>(end - 2) as u32) << 16);
    // U+2019 and U+FF07 in UTF-8.
    if (mark == 0x9980e2 || mark == 0x87bcef) Token.length = length - 4;
  }
  return true;
}
