/** How copies of shards came to be where they are, or are coming: from the disk, from a snapshot, from another node. Each node tells of its own. */
import type { Engine } from '../../engine/engine.js';
import { isObject } from '../../json/values.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import type { FetchProgress } from '../../replication/copies.js';
import type { RecoveryProgress } from '../../shard/recoveryProgress.js';
import { decodeJson, encodeJson } from '../../storage/records.js';
import type { Json } from '../json.js';
import { isPrimary } from './copyStats.js';
import { NO_PLATFORM, type NodeNames, otherAddress, transportAddress } from './node.js';
import { RECOVERIES_QUESTION } from './nodeQuestions.js';

/** A file of a copy. */
interface RecoveredFile {
  name: string;
  length: number;
  reused: boolean;
  recovered: number;
}

/** What is told of one copy; times in milliseconds. */
export interface Recovery {
  shard: number;
  type: 'GATEWAY' | 'SNAPSHOT' | 'REPLICA' | 'RELOCATION';
  stage: string;
  primary: boolean;
  /** Since the epoch. */
  started: number;
  /** Undefined as long as it goes on. */
  stopped?: number;
  ms: number;
  /** A node, or a snapshot. */
  source: { [name: string]: Json };
  target: { [name: string]: Json };
  files: { total: number; reused: number; recovered: number };
  bytes: { total: number; reused: number; recovered: number };
  /** Files that are told apart. */
  details: RecoveredFile[];
  operations: { total: number; recovered: number };
  indexMs: number;
  replayMs: number;
  /** Why segments could not be used. */
  problems: string[];
}

/** The copies of an index on this node. */
export function ownRecoveries(engine: Engine, names: NodeNames, index: OpenIndex): Recovery[] {
  const { platform = NO_PLATFORM } = names;
  const target = {
    id: engine.nodeId,
    host: platform.host,
    transport_address: transportAddress(names),
    ip: platform.ip,
    name: names.node,
  };
  const { shards, metadata, restoredFrom } = index;
  const fetches = new Map<number, FetchProgress>();
  for (const fetch of engine.replication?.copies.progress ?? [])
    if (fetch.uuid === metadata.uuid) fetches.set(fetch.shard, fetch);
  return shards.flatMap(({ number, isHeld, recovery }): Recovery[] => {
    const fetch = fetches.get(number);
    const primary = isPrimary(engine, index, number, engine.nodeId);
    const isJoining = !isHeld && index.copyOf(number) !== undefined;
    if (fetch !== undefined && (isHeld || isJoining || fetch.stage === 'INDEX'))
      return [ofFetch(fetch, engine.now(), isHeld, primary, target)];
    if (!isHeld) return [];
    const source = restoredFrom === undefined ? target : { ...restoredFrom };
    const type = restoredFrom === undefined ? 'GATEWAY' : 'SNAPSHOT';
    return [{ shard: number, type, primary, source, target, ...ofOpening(recovery, engine.now()) }];
  });
}

type Told = Omit<Recovery, 'shard' | 'type' | 'primary' | 'source' | 'target'>;

function ofOpening(progress: RecoveryProgress, now: number): Told {
  const { stage, started, stopped, files, operations, indexMs, replayMs, problems } = progress;
  const isDone = stage === 'DONE';
  return {
    stage,
    started,
    ...(isDone ? { stopped } : {}),
    ms: isDone ? progress.ms : started === 0 ? 0 : now - started,
    files: { total: files.total, reused: files.reused, recovered: 0 },
    bytes: { total: files.bytes, reused: files.reusedBytes, recovered: 0 },
    details: [],
    operations: { total: operations.total, recovered: operations.recovered },
    indexMs,
    replayMs,
    problems,
  };
}

/** A copy that is, or was, fetched from another node: its segments, and the rows of its documents as one more file. */
function ofFetch(
  fetch: FetchProgress,
  now: number,
  isSearchable: boolean,
  primary: boolean,
  target: Recovery['target'],
): Recovery {
  const { shard, isRelocation, source, stage, started, stopped, files, rows, segments } = fetch;
  const isFetched = stage !== 'INDEX';
  const { copied, copiedBytes, total } = rows;
  // So many bytes as those that have come let expect.
  const rowBytes = isFetched || copied === 0 ? copiedBytes : Math.round((copiedBytes * total) / copied);
  let left = files.copiedBytes;
  const details = segments.map(({ name, bytes }): RecoveredFile => {
    const recovered = Math.min(left, bytes);
    left -= recovered;
    return { name, length: bytes, reused: false, recovered };
  });
  details.push({ name: 'documents', length: rowBytes, reused: false, recovered: copiedBytes });
  const host = source.http.replace(/:\d+$/, '');
  return {
    shard,
    type: isRelocation ? 'RELOCATION' : 'REPLICA',
    // What has come follows the log until it has caught up.
    stage: isSearchable ? 'DONE' : isFetched ? 'TRANSLOG' : 'INDEX',
    primary,
    started,
    ...(isSearchable ? { stopped } : {}),
    ms: (isSearchable ? stopped : now) - started,
    source: {
      id: source.id,
      host,
      transport_address: otherAddress(source.http),
      ip: host,
      name: source.name,
    },
    target,
    files: { total: files.total + 1, reused: 0, recovered: files.copied + Number(isFetched) },
    bytes: { total: files.bytes + rowBytes, reused: 0, recovered: files.copiedBytes + copiedBytes },
    details,
    operations: { total: 0, recovered: 0 },
    indexMs: (isFetched ? stopped : now) - started,
    replayMs: 0,
    problems: [],
  };
}

/** A copy as `_recovery` shows it. */
export function recoveryJson(recovery: Recovery, isDetailed: boolean): Json {
  const { shard, type, stage, primary, started, stopped, ms, source, target } = recovery;
  const { files, bytes, details, operations, indexMs, replayMs, problems } = recovery;
  return {
    id: shard,
    type,
    stage,
    primary,
    start_time_in_millis: started,
    ...(stopped === undefined ? {} : { stop_time_in_millis: stopped }),
    total_time_in_millis: ms,
    source,
    target,
    index: {
      size: {
        total_in_bytes: bytes.total,
        reused_in_bytes: bytes.reused,
        recovered_in_bytes: bytes.recovered,
        percent: percent(bytes.reused + bytes.recovered, bytes.total, '0.0%'),
      },
      files: {
        ...files,
        percent: percent(files.reused + files.recovered, files.total, '0.0%'),
        ...(isDetailed && details.length > 0
          ? {
              details: details.map(({ name, length, reused, recovered }) => ({
                name,
                length_in_bytes: length,
                reused,
                recovered_in_bytes: recovered,
              })),
            }
          : {}),
      },
      total_time_in_millis: indexMs,
      source_throttle_time_in_millis: 0,
      target_throttle_time_in_millis: 0,
    },
    translog: {
      recovered: operations.recovered,
      total: operations.total,
      percent: percent(operations.recovered, operations.total, '100.0%'),
      total_on_start: operations.total,
      total_time_in_millis: replayMs,
    },
    start: { check_index_time_in_millis: 0, total_time_in_millis: ms },
    // 1.7 has nothing to say here.
    ...(problems.length === 0 ? {} : { rebuilt: { from: 'documents', because: problems } }),
  };
}

/** A share in percent, as recoveries tell it. */
export function percent(part: number, total: number, ofNothing: string): string {
  return total === 0 ? ofNothing : `${((100 * part) / total).toFixed(1)}%`;
}

/** The copies of indices on all nodes that answer, shard by shard. */
export async function allRecoveries(
  engine: Engine,
  names: NodeNames,
  indices: readonly OpenIndex[],
): Promise<{ index: OpenIndex; recoveries: Recovery[] }[]> {
  const uuids = indices.map(({ metadata }) => metadata.uuid);
  const answers = await engine.replication?.askOthers(RECOVERIES_QUESTION, { indices: uuids });
  const others = [...(answers ?? [])].map(([node, bytes]) => [node, decodeJson(bytes)] as const);
  return indices.map((index) => {
    const { uuid } = index.metadata;
    const all = others.flatMap(([node, answer]) => readRecoveries(answer, uuid, node));
    const recoveries = [...ownRecoveries(engine, names, index), ...all].sort(
      (a, b) => a.shard - b.shard || Number(b.primary) - Number(a.primary),
    );
    return { index, recoveries };
  });
}

const TEXTS = ['type', 'stage'] as const;
const NUMBERS = ['shard', 'started', 'ms', 'indexMs', 'replayMs'] as const;
const COUNTS = ['files', 'bytes', 'operations'] as const;

/** What a node has sent of an index. */
function readRecoveries(answer: unknown, uuid: string, node: string): Recovery[] {
  const all: unknown = isObject(answer) && Object.hasOwn(answer, uuid) ? answer[uuid] : [];
  const isRecovery = (each: unknown) =>
    isObject(each) &&
    TEXTS.every((name) => typeof each[name] === 'string') &&
    NUMBERS.every((name) => Number.isFinite(each[name])) &&
    COUNTS.every((name) => isObject(each[name]) && Object.values(each[name]).every(Number.isFinite)) &&
    isObject(each.source) &&
    isObject(each.target) &&
    Array.isArray(each.details) &&
    Array.isArray(each.problems);
  if (!Array.isArray(all) || !all.every(isRecovery))
    throw new Error(`the node [${node}] has sent recoveries that are none`);
  return all as Recovery[];
}

/** Answers another node with the copies that this one has of the indices that are asked for. */
export function answerRecoveries(engine: Engine, names: NodeNames, question: Uint8Array): Uint8Array {
  const asked: unknown = decodeJson(question);
  const uuids = isObject(asked) && Array.isArray(asked.indices) ? new Set<unknown>(asked.indices) : undefined;
  if (uuids === undefined) throw new Error('a question for recoveries names no indices');
  const indices = engine.cluster.all().filter(({ closed, metadata }) => !closed && uuids.has(metadata.uuid));
  return encodeJson(
    Object.fromEntries(
      indices.map((index) => [index.metadata.uuid, ownRecoveries(engine, names, index)] as const),
    ),
  );
}
