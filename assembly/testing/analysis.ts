/** The analysis modules as exports of their own, for tests and benches; no part of the product. */
import { ANALYZER_STANDARD, chainOf } from '../analysis/analyzers';
import { tokenHash, tokenNext, tokenStart } from '../analysis/standard';
import { Token } from '../analysis/token';
import { stemUnits } from '../analysis/stem/stemmers';

export { analyzeText } from '../analysis/analyze';
export { analyzerDefine, analyzerDrop } from '../analysis/analyzers';
export {
  hashBytes,
  tokenEndByte,
  tokenHash,
  tokenLength,
  tokenNext,
  tokenPositionIncrement,
  tokenPtr,
  tokenStart,
  tokenStartByte,
  tokenType,
} from '../analysis/standard';
export { tokenizeAll } from '../kernels/loops';
export { normalizeUnits } from '../analysis/normalize/normalizers';
export { kstemDefine } from '../analysis/stem/kstemWords';
export { uaxUrlEmailDefine } from '../analysis/tokenizers/uaxUrlEmail';
export { stemUnits } from '../analysis/stem/stemmers';
export { requestAlloc, requestReset } from '../memory/arena';
export { resultLength, resultPtr } from '../result';

/**
 * Stems the `count` words that lie one after the other at `words`, each a u32 length in units and the units, padded to 4
 * bytes, and writes the stems in the same form to `stems`, which needs 64 bytes more per word than the words have: the end
 * of what was written.
 */
export function stemAll(id: u32, words: usize, count: u32, stems: usize): usize {
  for (let i: u32 = 0; i < count; i++) {
    const length = load<u32>(words);
    const bytes = (length as usize) << 1;
    memory.copy(stems + 4, words + 4, bytes);
    const stem = stemUnits(id, stems + 4, length);
    store<u32>(stems, stem);
    words += 4 + ((bytes + 3) & ~3);
    stems += 4 + ((((stem as usize) << 1) + 3) & ~3);
  }
  return stems;
}

/** The same with an analyzer, as indexing runs it: the number of tokens. */
export function chainAll(analyzer: u32, texts: usize, lengths: usize, count: u32): u32 {
  let tokens: u32 = 0;
  let sum: u32 = 0;
  const chain = chainOf(analyzer);
  if (chain === null) return 0;
  for (let i: u32 = 0; i < count; i++) {
    const length = load<u32>(lengths + (i << 2));
    if (analyzer == ANALYZER_STANDARD) {
      tokenStart(texts, length);
      while (tokenNext()) {
        sum += tokenHash;
        ++tokens;
      }
    } else if (chain.start(texts, length, false)) {
      while (chain.next()) {
        sum += Token.hashOf(Token.ptr, Token.length);
        ++tokens;
      }
    }
    chain.end();
    texts += length;
  }
  hashSum = sum;
  return tokens;
}

/** The sum over the hashes of what `chainAll` saw. */
export let hashSum: u32 = 0;
