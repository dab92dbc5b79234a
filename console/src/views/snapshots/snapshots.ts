/** Snapshots as the server tells of them, and how far those are that are being made or restored. */
import { isObject, type JsonObject } from '../../api/json';

/** Of `GET /_snapshot/{repository}/_all`. */
export interface Snapshot {
  snapshot: string;
  state: 'IN_PROGRESS' | 'SUCCESS' | 'PARTIAL' | 'FAILED' | string;
  reason?: string;
  indices: string[];
  start_time?: string;
  start_time_in_millis: number;
  duration_in_millis?: number;
  failures: { index: string; shard_id: number; reason: string }[];
  shards: { total: number; failed: number; successful: number };
}

/** How many shards of how many are done. */
export interface Progress {
  done: number;
  failed: number;
  total: number;
}

/** The progress of snapshots that are being made, by their names. @param status of `_snapshot/{repository}/_status` */
export function readStatus(status: JsonObject): Map<string, Progress> {
  const found = new Map<string, Progress>();
  for (const each of Array.isArray(status.snapshots) ? status.snapshots : []) {
    if (!isObject(each) || !isObject(each.shards_stats)) continue;
    const { done, failed, total } = each.shards_stats;
    found.set(String(each.snapshot), { done: Number(done), failed: Number(failed), total: Number(total) });
  }
  return found;
}

/** Something that is being restored: by bytes as far as they are known. */
export interface Restored {
  index: string;
  /** From 0 to 1. */
  share: number;
  stage: string;
}

/** Shards that are being restored from a snapshot, by index. @param recovery of `_recovery?active_only=true` */
export function readRecovery(recovery: JsonObject): Restored[] {
  return Object.entries(recovery).flatMap(([index, value]): Restored[] => {
    const shards = isObject(value) && Array.isArray(value.shards) ? value.shards.filter(isObject) : [];
    const own = shards.filter(({ type }) => type === 'SNAPSHOT');
    if (own.length === 0) return [];
    let [total, there] = [0, 0];
    for (const { index: part } of own) {
      const size = isObject(part) && isObject(part.size) ? part.size : {};
      total += Number(size.total_in_bytes ?? 0);
      there += Number(size.reused_in_bytes ?? 0) + Number(size.recovered_in_bytes ?? 0);
    }
    const stage = String(own.find((shard) => shard.stage !== 'DONE')?.stage ?? 'DONE');
    return [{ index, share: total === 0 ? 0 : there / total, stage: stage.toLowerCase() }];
  });
}
