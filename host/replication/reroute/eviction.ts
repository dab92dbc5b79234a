/** Has copies go from a node whose disk is too full, one after the other, as a command to move them would: a choice that stays, so that none comes back. */
import type { OpenIndex } from '../../metadata/openIndex.js';
import type { ClusterNode } from '../nodes.js';
import { Allocation } from './allocation.js';
import { decisionsOf } from './deciders.js';
import type { RerouteContext } from './execution.js';

/** Rows of a copy take about as much of a disk as the files of its segments. */
const BYTES_PER_FILE_BYTE = 2;

/** Moves a copy of this node to the node with the most room that may have it; none where one is on its way already. */
export async function evictOne(replication: RerouteContext & { readonly self: string }): Promise<void> {
  const decide = () => chosen(replication)?.chosen ?? new Map();
  if (decide().size === 0) return;
  await replication.rerouting.keep(async () => decide());
}

function chosen({
  self,
  ...replication
}: RerouteContext & { readonly self: string }): Allocation | undefined {
  const { rerouting, nodes } = replication;
  const allocation = new Allocation(replication, () => rerouting.indices);
  if (allocation.moving(self) > 0) return undefined;
  const free = ({ disk }: ClusterNode) => disk?.free ?? 0;
  const targets = nodes.data.filter(({ id }) => id !== self).sort((a, b) => free(b) - free(a));
  for (const { index, shard } of heldHere(rerouting.indices, self, allocation)) {
    const copy = allocation.copies(index, shard).find(({ node }) => node === self)!;
    const size = BYTES_PER_FILE_BYTE * (index.copyOf(shard)?.fileBytes ?? 0);
    const question = {
      allocation,
      index,
      shard,
      copy,
      size,
      nodes: nodes.data,
      settings: rerouting.settings,
    };
    const to = targets.find((node) =>
      decisionsOf({ ...question, node }).every(({ decision }) => decision === 'YES'),
    );
    if (to === undefined) continue;
    const before = allocation.choice(index, shard);
    allocation.choose(index, shard, rerouting.instead(index, shard, before, self, to.id));
    return allocation;
  }
  return undefined;
}

/** The copies of this node that may be searched. */
function heldHere(indices: readonly OpenIndex[], self: string, allocation: Allocation) {
  return indices.flatMap((index) =>
    index.shards.flatMap(({ number: shard }) =>
      allocation.copies(index, shard).some(({ node, state }) => node === self && state === 'STARTED')
        ? [{ index, shard }]
        : [],
    ),
  );
}
