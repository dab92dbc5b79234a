/** Settings that have copies move from node to node while clients write. */
import { type Answer, Unanswered } from '../../torture/peer.js';
import type { Random } from '../../torture/random.js';
import type { TestCluster, TestNode } from '../harness/testCluster.js';
import type { Fault } from './fault.js';
import { inTime } from './inTime.js';

/** The index whose copies move: no node needs to have it. */
export const MOVING = 'data-b';
/** Its replicas while nothing happens. */
export const REPLICAS = 1;
const PATIENCE_MS = 10_000;
const RETRY_MS = 200;
const MOST_TRIES = 200;

/** Another number of copies. */
export function replicasChanged({ nodes }: TestCluster, random: Random): Fault {
  const replicas = random.below(nodes.length);
  const settings = (number: number) => ({ number_of_replicas: number });
  return changed(nodes, `${MOVING} with ${replicas} replicas`, `/${MOVING}/_settings`, [
    settings(replicas),
    settings(REPLICAS),
  ]);
}

/** A node that may not have copies of the index. */
export function copiesFiltered({ nodes }: TestCluster, { number }: TestNode): Fault {
  const settings = (name: string) => ({ 'index.routing.allocation.exclude._name': name });
  return changed(nodes, `no copies of ${MOVING} on node ${number}`, `/${MOVING}/_settings`, [
    settings(`n${number}`),
    settings(''),
  ]);
}

/** A node that may not have copies of anything. */
export function drained({ nodes }: TestCluster, { number }: TestNode): Fault {
  const settings = (name: string) => ({ transient: { 'cluster.routing.allocation.exclude._name': name } });
  return changed(nodes, `drained: node ${number}`, '/_cluster/settings', [
    settings(`n${number}`),
    settings(''),
  ]);
}

/** Changes settings once if that is possible, and back until it is done. */
function changed(
  nodes: readonly TestNode[],
  name: string,
  path: string,
  [there, back]: readonly [object, object],
): Fault {
  const begun = tried(nodes, path, there);
  return {
    name,
    heal: async () => {
      // What is under way could come after.
      await begun;
      for (let i = 0; i < MOST_TRIES; i++) {
        if (await tried(nodes, path, back)) return;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
      throw new Error(`${path} can't be changed: ${JSON.stringify(back)}`);
    },
  };
}

/** Asks one node after the other; false when none says that it is done. */
async function tried(nodes: readonly TestNode[], path: string, settings: object): Promise<boolean> {
  for (const node of nodes) {
    let answer: Answer;
    try {
      answer = await inTime(node.send('PUT', path, settings), PATIENCE_MS);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      continue;
    }
    if (answer.status === 200) return true;
    if (answer.status < 500) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return false;
}
