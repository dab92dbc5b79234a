import { ERR_MEMORY, OK } from '../abi/status';
import { applyToBuffer } from './apply';
import { FLUSH_DONE, FlushJob } from './flush';
import { MERGE_DONE, MergeJob } from './merge';
import { chooseMerge, mergeCount, mergeFirst } from './policy';
import { Shard } from './shards';

/**
 * What drives a shard: batches go to the open buffer, a full buffer or a refresh starts a flush, and `work` advances flushes
 * first and merges after them. There is one job of each kind at a time.
 */

/** A buffer is flushed when it holds this many occurrences, or takes this many bytes. */
const BUFFER_TOKENS: u32 = 1 << 20;
const BUFFER_BYTES: u64 = 24 << 20;
/** Deletions that wait for a refresh; with more of them one is started. */
const MAX_DELETES: u32 = 1 << 20;

/** Largest budget of a step: eight bytes for each posting of it still make an offset. */
const MAX_STEP: u32 = 1 << 24;

/** What is left to do after `work`. */
const IDLE: i32 = 0;
const FLUSHING: i32 = 1;
const MERGING: i32 = 2;

/** Postings, or work as costly as that, done by the last `work`. */
export let lastCost: u64 = 0;

function isFull(shard: Shard): bool {
  const buffer = shard.buffer;
  return buffer ? buffer.tokens >= BUFFER_TOKENS || buffer.bytes >= BUFFER_BYTES : false;
}

/** Starts a flush of the open buffer; no other is running. */
function startFlush(shard: Shard, refresh: bool): i32 {
  if (!FlushJob.start(shard, refresh)) return ERR_MEMORY;
  if (refresh) shard.refreshWanted = false;
  return OK;
}

/** Advances the flush, and starts the one that a refresh waits for. */
function stepFlush(shard: Shard, job: FlushJob, budget: u32): i32 {
  const status = job.step(budget);
  lastCost += job.cost;
  if (status < 0 || job.phase != FLUSH_DONE) return status;
  job.free();
  shard.flush = null;
  shard.mergesBlocked = false;
  return shard.refreshWanted ? startFlush(shard, true) : OK;
}

/** Applies a batch; a full buffer is flushed first, after the flush before it. */
export function applyToShard(shard: Shard, ptr: usize, length: u32): i32 {
  if (isFull(shard)) {
    let job = shard.flush;
    while (job) {
      const status = stepFlush(shard, job, MAX_STEP);
      if (status < 0) return status;
      job = shard.flush;
    }
    if (isFull(shard)) {
      const status = startFlush(shard, false);
      if (status < 0) return status;
    }
  }
  const status = applyToBuffer(shard, ptr, length);
  if (status < 0) return status;
  if (shard.deleteCount > MAX_DELETES) shard.refreshWanted = true;
  // Without memory for the job, the next batch tries again.
  if (!shard.flush && (isFull(shard) || shard.refreshWanted)) startFlush(shard, shard.refreshWanted);
  return OK;
}

/** Starts a refresh, or notes it down until the flush that is running ends: 1, or 0 if there is nothing to refresh. */
export function refreshShard(shard: Shard): i32 {
  const flush = shard.flush;
  const isNew = shard.buffer != null || shard.deleteCount > 0 || shard.segmentCount < shard.allCount;
  if (flush) {
    if (!flush.refresh || flush.isOutdated()) shard.refreshWanted = true;
    return FLUSHING;
  }
  if (!isNew && !shard.refreshWanted) return IDLE;
  const status = startFlush(shard, true);
  return status < 0 ? status : FLUSHING;
}

/** Advances the merge, or starts the one that is due. */
function stepMerge(shard: Shard, budget: u32): i32 {
  let job = shard.merge;
  if (!job) {
    job = MergeJob.start(shard, mergeFirst, mergeCount);
    if (!job) return ERR_MEMORY;
    shard.merge = job;
  }
  const status = job.step(budget);
  lastCost += job.cost;
  if (status >= 0 && job.phase != MERGE_DONE) return OK;
  job.free();
  shard.merge = null;
  return status;
}

/** Whether a merge is on its way or due. */
function isMergeDue(shard: Shard): bool {
  return shard.merge != null || (!shard.mergesBlocked && chooseMerge(shard));
}

/** Works for about `budget` postings; what is left to do, or an error. */
export function workOnShard(shard: Shard, budget: u32): i32 {
  lastCost = 0;
  while (lastCost < budget) {
    const left = min(budget - <u32>lastCost, MAX_STEP);
    const flush = shard.flush;
    if (flush) {
      const status = stepFlush(shard, flush, left);
      if (status < 0) return status;
      continue;
    }
    // Only for lack of memory a refresh is wanted and not on its way.
    if (shard.refreshWanted) {
      const status = startFlush(shard, true);
      if (status < 0) return status;
      continue;
    }
    if (!isMergeDue(shard)) return IDLE;
    const status = stepMerge(shard, left);
    if (status < 0) {
      shard.mergesBlocked = true;
      shard.forceTo = 0;
      return status;
    }
  }
  return shard.flush || shard.refreshWanted ? FLUSHING : isMergeDue(shard) ? MERGING : IDLE;
}

/** Schedules merging down to at most `segments` segments. */
export function forceMergeShard(shard: Shard, segments: u32): void {
  shard.forceTo = max(segments, 1);
  shard.mergesBlocked = false;
}
