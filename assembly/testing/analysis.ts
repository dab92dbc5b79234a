/**
 * The analysis modules as exports of their own, for tests and benches; no part of the product. Built by test/globalSetup.ts
 * into build/analysis.debug.wasm and build/analysis.release.wasm.
 */
import { tokenHash, tokenNext, tokenStart } from '../analysis/standard';

export { analyzeText } from '../analysis/analyze';
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
export { requestAlloc, requestReset } from '../memory/arena';
export { resultLength, resultPtr } from '../result';

/**
 * Tokenizes `count` texts that lie one after the other at `texts`, their lengths as u32 at `lengths`; a sum over the hashes
 * of all tokens.
 */
export function tokenizeAll(texts: usize, lengths: usize, count: u32): u32 {
  let sum: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const length = load<u32>(lengths + (i << 2));
    tokenStart(texts, length);
    while (tokenNext()) sum += tokenHash;
    texts += length;
  }
  return sum;
}
