/** Whether a copy of a shard may be put on a node: what each of 1.7's deciders says, in their order. */
import type { OpenIndex } from '../../metadata/openIndex.js';
import { ownValue } from '../../ownNames.js';
import { type AllocatedNode, awarenessOf, filteredOut, mostPerNode } from '../allocation.js';
import { type DiskSpace, freePercent, isAbove, type Watermark, watermarksOf } from '../diskWatermarks.js';
import { doubleText } from '../../numbers/javaNumbers.js';
import type { FlatSettings } from '../../settings/indexSettings.js';
import { sizeText } from '../../settings/sizes.js';
import type { Allocation } from './allocation.js';
import type { ShardCopy } from '../shardCopies.js';

/** What a decider says. */
export interface Decision {
  decider: string;
  decision: 'YES' | 'NO' | 'THROTTLE';
  explanation: string;
}

/** What deciders look at. */
export interface Question {
  allocation: Allocation;
  index: OpenIndex;
  shard: number;
  /** The copy that is to be put somewhere. */
  copy: ShardCopy;
  /** Bytes of it, where they are known. */
  size?: number;
  /** Where to. */
  node: AllocatedNode;
  /** All nodes that may have copies. */
  nodes: readonly AllocatedNode[];
  /** Those of the cluster. */
  settings: Readonly<FlatSettings>;
}

type Decider = (question: Question) => readonly [decision: Decision['decision'], explanation: string];

/** What every node says that it is. */
const WIRE_VERSION = '1.7.3';
const CONCURRENT = 'cluster.routing.allocation.node_concurrent_recoveries';
const DEFAULT_CONCURRENT = 2;

/** The nodes that have copies, and those that copies go to. */
function assignedTo(copies: readonly ShardCopy[]): string[] {
  return copies.flatMap(({ node, relocatingNode }) => [node ?? [], relocatingNode ?? []].flat());
}

const DECIDERS: Readonly<Record<string, Decider>> = {
  same_shard: ({ allocation, index, shard, node: { id } }) =>
    assignedTo(allocation.copies(index, shard)).includes(id)
      ? ['NO', `shard cannot be allocated on same node [${id}] it already exists on`]
      : ['YES', 'shard is not allocated to same node or host'],
  filter({ index, node, settings }) {
    const reason = filteredOut(node, index.settings, settings);
    return reason === undefined ? ['YES', 'node passes include/exclude/require filters'] : ['NO', reason];
  },
  replica_after_primary_active({ allocation, index, shard, copy }) {
    if (copy.primary) return ['YES', 'shard is primary'];
    const [first] = allocation.copies(index, shard);
    return first?.state === 'STARTED' || first?.state === 'RELOCATING'
      ? ['YES', 'primary is already active']
      : ['NO', 'primary shard is not yet active'];
  },
  throttling({ allocation, node, settings }) {
    const limit = Number(ownValue(settings, CONCURRENT) ?? DEFAULT_CONCURRENT);
    const count = allocation.moving(node.id);
    return count >= limit
      ? ['THROTTLE', `too many shards currently recovering [${count}], limit: [${limit}]`]
      : ['YES', `below shard recovery limit of [${limit}]`];
  },
  enable: () => ['YES', 'allocation disabling is ignored'],
  disable: () => ['YES', 'allocation disabling is ignored'],
  awareness,
  shards_limit({ allocation, index, node }) {
    const limit = mostPerNode(index.settings);
    if (limit === undefined) return ['YES', 'total shard limit disabled: [-1] <= 0'];
    const count = allocation
      .copiesOf(index)
      .filter((copy) => (copy.relocatingNode ?? copy.node) === node.id).length;
    return count >= limit
      ? ['NO', `too many shards for this index on node [${count}], limit: [${limit}]`]
      : ['YES', `shard count under limit [${limit}] of total shards per node`];
  },
  node_version: ({ copy }) =>
    copy.primary && copy.node === undefined
      ? ['YES', 'primary shard can be allocated anywhere']
      : [
          'YES',
          `target node version [${WIRE_VERSION}] is same or newer than source node version [${WIRE_VERSION}]`,
        ],
  disk_threshold: diskThreshold,
  // Snapshots are made of copies that go on to be there until they are read.
  snapshot_in_progress: () => ['YES', 'shard not primary or relocation disabled'],
};

function awareness({ allocation, index, shard, copy, node, nodes, settings }: Question): ReturnType<Decider> {
  const all = awarenessOf(settings);
  if (all.length === 0) return ['YES', 'no allocation awareness enabled'];
  const copies = allocation.copies(index, shard);
  for (const { attribute, forced } of all) {
    const value = node.attributes[attribute];
    if (value === undefined) return ['NO', `node does not contain awareness attribute: [${attribute}]`];
    const values = new Set([...forced, ...nodes.flatMap(({ attributes }) => attributes[attribute] ?? [])]);
    const most = Math.ceil(copies.length / values.size);
    const others = copies
      .filter((each) => each.node !== undefined && each.node !== copy.node)
      .map((each) => nodes.find(({ id }) => id === (each.relocatingNode ?? each.node)));
    const count = others.filter((other) => other?.attributes[attribute] === value).length;
    if (count >= most) return ['NO', `too many shards on node for attribute: [${attribute}]`];
  }
  return ['YES', 'node meets awareness requirements'];
}

/** A copy must leave so much of the disk free as the high watermark wants; a disk above the low one takes the first copy of a new index alone. */
function diskThreshold({ copy, size = 0, node, nodes, settings }: Question): ReturnType<Decider> {
  const watermarks = watermarksOf(settings);
  if (watermarks === undefined) return ['YES', 'disk threshold decider disabled'];
  if (nodes.length <= 1) return ['YES', 'only a single node is present'];
  const disk = nodes.find(({ id }) => id === node.id)?.disk;
  if (disk === undefined) return ['YES', 'disk usages unavailable'];
  const { low, high } = watermarks;
  const isNew = copy.primary && copy.node === undefined;
  if (isAbove(disk, low)) {
    if (isNew && !isAbove(disk, high)) return ['YES', 'primary has never been allocated before'];
    return ['NO', lacking(isNew ? high : low, disk)];
  }
  const after = { ...disk, free: disk.free - size };
  if (isAbove(after, high)) return ['NO', `after allocation ${lacking(high, after)}`];
  return ['YES', `enough disk for shard on node, free: [${sizeText(disk.free)}]`];
}

function lacking({ percent, bytes }: Watermark, disk: DiskSpace): string {
  return disk.free < bytes
    ? `less than required [${sizeText(bytes)}] free on node, free: [${sizeText(disk.free)}]`
    : `more than allowed [${doubleText(100 - percent)}%] used disk on node, free: [${doubleText(freePercent(disk))}%]`;
}

/** What all deciders say. */
export function decisionsOf(question: Question): Decision[] {
  return Object.entries(DECIDERS).map(([decider, decide]) => {
    const [decision, explanation] = decide(question);
    return { decider, decision, explanation };
  });
}

/** All decisions, as 1.7 writes them into errors. */
export function decisionsText(decisions: readonly Decision[]): string {
  return decisions.map(({ decision, explanation }) => `[${decision}(${explanation})]`).join('');
}
