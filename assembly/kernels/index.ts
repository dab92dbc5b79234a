// What the module of kernels exports, and nothing else.

export { bitsFor128, pack128, unpack128, unpackGaps128 } from '../codec/bitpack128';
export { murmur3 } from '../codec/murmur3';
export { byte315ToFloat, floatToByte315 } from '../codec/norm';
export { xxh64 } from '../codec/xxh64';
export { distance } from '../docvalues/geodesy';
export { requestAlloc, requestReset } from '../memory/arena';
export { andCount, count } from '../memory/bitset';
export { heapAlloc, heapFree } from '../memory/heap';
export { idf } from '../similarity/similarity';
export {
  acceptAll,
  decodeGapBlocks,
  decodeNorms,
  encodeNorms,
  hashAll,
  readVints,
  sumOfDistances,
  tokenizeAll,
  tokensOf,
  topK,
  unpackBlocks,
  writeVints,
} from './loops';
