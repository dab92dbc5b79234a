// The ABI: everything the host can call, and nothing else. README.md says what each call means.

import { ERR_ARGUMENT } from './abi/status';
import { holdReleased } from './memory/lifetimes';
import { defineKinds } from './search/kinds';
import { searchShard } from './search/search';
import { readTerms } from './search/termReads';
import { getShard } from './segment/shards';

export { analyzeText as analyze } from './analysis/analyze';
export { analyzerDefine, analyzerDrop } from './analysis/analyzers';
export { kstemDefine } from './analysis/stem/kstemWords';
export { uaxUrlEmailDefine } from './analysis/tokenizers/uaxUrlEmail';
export { requestAlloc, requestReset } from './memory/arena';
export { heapAlloc, heapFree } from './memory/heap';
export { resultLength, resultPtr } from './result';
export { nestBegin, nestEnd } from './nesting';
export { questionEvery } from './workLimit';
export {
  applyBatch as apply,
  fieldDefine,
  fieldFilter,
  segmentCount,
  segmentDrop,
  segmentImage,
  segmentInfo,
  segmentLive,
  segmentLoad,
  segmentRename,
  segmentSetLive,
  shardChanges,
  shardCreate,
  shardDrop,
  shardForceMerge as forceMerge,
  shardRefresh as refresh,
  shardWork as work,
} from './segment/shard';
export { shardClear, shardFielddata, shardFieldBytes, shardInfo } from './segment/stats';

export { segmentHasUids, segmentKeys, segmentSetUids } from './segment/uids';

import { heapUsed } from './memory/heap';
import { fielddataBytes, limitFielddata } from './segment/segment';

/** Changes with what a call takes or gives, or with the bytes of a plan; `host/core/instance.ts` names the same number. */
const ABI_VERSION: u32 = 7;

/** Bytes of released memory that a debug build holds back, to find who still reads it. */
const HELD: u32 = 4 << 20;

holdReleased(HELD);
defineKinds();

export function abiVersion(): u32 {
  return ABI_VERSION;
}

export function memoryUsed(): f64 {
  return <f64>heapUsed();
}

export function fielddataUsed(): f64 {
  return <f64>fielddataBytes;
}

export function fielddataLimit(bytes: f64): void {
  limitFielddata(bytes);
}

export function search(shard: u32, ptr: usize, length: u32): i32 {
  const found = getShard(shard);
  if (found === null) return ERR_ARGUMENT;
  return searchShard(found, ptr, length);
}

export function terms(shard: u32, ptr: usize, length: u32): i32 {
  const found = getShard(shard);
  if (found === null) return ERR_ARGUMENT;
  return readTerms(found, ptr, length);
}
