/** Carries out commands that move copies between the nodes of a cluster: 1.7's, with what its deciders say of them. */
import { illegalArgument } from '../../errors.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import type { ClusterNode } from '../nodes.js';
import type { CopiesView, ShardCopy } from '../shardCopies.js';
import { Allocation } from './allocation.js';
import { type Decision, decisionsOf, decisionsText } from './deciders.js';
import type { Rerouting } from './rerouting.js';
import { type KnownNode, resolveNode } from './resolveNode.js';

/** A command of a request. */
export interface RerouteCommand {
  kind: 'move' | 'cancel' | 'allocate';
  /** As the answer shows them. */
  parameters: { index: string; shard: number; allow_primary?: boolean } & Record<
    string,
    string | number | boolean | undefined
  >;
}

/** What is said of a command. */
export interface Explanation {
  command: RerouteCommand['kind'];
  parameters: RerouteCommand['parameters'];
  decisions: readonly Decision[];
}

/** What commands need of the cluster. */
export interface RerouteContext extends CopiesView {
  readonly rerouting: Rerouting;
  readonly nodes: { readonly data: readonly ClusterNode[] };
}

/** What became of commands. */
export interface Rerouted {
  /** Where copies are from now on, or would be. */
  allocation: Allocation;
  explanations: Explanation[];
  /** Whether all nodes that are to make copies anew have heard of it. */
  acknowledged: boolean;
}

/** What is said of a command; a refusal is the error where no explanations are wanted. */
interface Said {
  decisions: readonly Decision[];
  refusal?: string;
}

/**
 * Carries commands out one after the other, or none of them: without `explain` the first that can't be is an error.
 * @param isDryRun nothing is changed
 */
export async function reroute(
  replication: RerouteContext,
  nodes: readonly KnownNode[],
  commands: readonly RerouteCommand[],
  { explain, isDryRun }: { explain: boolean; isDryRun: boolean },
): Promise<Rerouted> {
  const decide = async () => {
    const execution = new Execution(replication, nodes);
    const explanations: Explanation[] = [];
    for (const command of commands) {
      const { decisions, refusal } = await execution.execute(command);
      if (refusal !== undefined && !explain) throw illegalArgument(refusal);
      explanations.push({ command: command.kind, parameters: command.parameters, decisions });
    }
    return { allocation: execution.allocation, explanations };
  };
  let made = await decide();
  if (isDryRun || (made.allocation.chosen.size === 0 && made.allocation.cancelled.length === 0))
    return { ...made, acknowledged: true };
  await replication.rerouting.keep(async () => {
    made = await decide();
    return made.allocation.chosen;
  });
  const asked = made.allocation.cancelled.map(({ node, index, shard }) =>
    replication.rerouting.cancel(node, index, shard),
  );
  const results = await Promise.allSettled(asked);
  return { ...made, acknowledged: results.every(({ status }) => status === 'fulfilled') };
}

/** Commands that have been carried out, and are not in force yet. */
class Execution {
  readonly allocation: Allocation;
  readonly #replication: RerouteContext;
  readonly #nodes: readonly KnownNode[];

  constructor(replication: RerouteContext, nodes: readonly KnownNode[]) {
    this.#replication = replication;
    this.#nodes = nodes;
    this.allocation = new Allocation(replication, () => replication.rerouting.indices);
  }

  execute(command: RerouteCommand): Said | Promise<Said> {
    switch (command.kind) {
      case 'move':
        return this.#move(command);
      case 'cancel':
        return this.#cancel(command);
      case 'allocate':
        return this.#allocate(command);
    }
  }

  #node(text: unknown): KnownNode {
    return resolveNode(this.#nodes, String(text));
  }

  /** The index and shard that a command names, and its copies; none where there is no such shard. */
  #shard({ parameters: { index: name, shard } }: RerouteCommand): {
    index: OpenIndex | undefined;
    copies: ShardCopy[];
  } {
    const index = this.#replication.rerouting.find(name);
    if (index === undefined || index.closed || index.shards[shard] === undefined)
      return { index: undefined, copies: [] };
    return { index, copies: this.allocation.copies(index, shard) };
  }

  #decisions(index: OpenIndex, shard: number, copy: ShardCopy, node: KnownNode): Decision[] {
    const { rerouting, nodes } = this.#replication;
    return decisionsOf({
      allocation: this.allocation,
      index,
      shard,
      copy,
      node,
      nodes: nodes.data,
      settings: rerouting.settings,
    });
  }

  #move(command: RerouteCommand): Said {
    const { index: name, shard, from_node, to_node } = command.parameters;
    const from = this.#node(from_node);
    const to = this.#node(to_node);
    const { index, copies } = this.#shard(command);
    const decider = 'move_allocation_command';
    const at = `[move_allocation] can't move [${name}][${shard}]`;
    const copy = copies.find(({ node }) => node === from.id);
    const isTarget = copies.some(({ relocatingNode }) => relocatingNode === from.id);
    if (index === undefined || (copy === undefined && !isTarget))
      return no(
        decider,
        `shard [${name}][${shard}] not found`,
        `${at}, failed to find it on node ${from.text}`,
      );
    if (copy?.state !== 'STARTED')
      return no(
        decider,
        `shard [${name}][${shard}] has not been started`,
        `${at}, shard is not started (state = ${copy?.state ?? 'INITIALIZING'}]`,
      );
    if (!to.data) return onlyOnData(decider, String(to_node));
    const decisions = this.#decisions(index, shard, copy, to);
    if (!areAllowed(decisions)) {
      const nodes = `from ${from.text}, to ${to.text}`;
      return {
        decisions,
        refusal: `${at}, ${nodes}, since its not allowed, reason: ${decisionsText(decisions)}`,
      };
    }
    this.#instead(index, shard, from.id, to.id);
    return { decisions };
  }

  #instead(index: OpenIndex, shard: number, from: string, to: string): void {
    const before = this.allocation.choice(index, shard);
    const choice = this.#replication.rerouting.instead(index, shard, before, from, to);
    this.allocation.choose(index, shard, choice);
  }

  #cancel(command: RerouteCommand): Said {
    const { index: name, shard, node: text, allow_primary } = command.parameters;
    const node = this.#node(text);
    const { index, copies } = this.#shard(command);
    const decider = 'cancel_allocation_command';
    const on = `[${name}][${shard}] on node ${node.text}`;
    const source = copies.find(({ relocatingNode }) => relocatingNode === node.id);
    const copy = copies.find((each) => each.node === node.id);
    if (index === undefined || (source === undefined && copy === undefined)) {
      const why = `can't cancel [${name}][${shard}], failed to find it on node ${node.text}`;
      return no(decider, why, `[cancel_allocation] ${why}`);
    }
    if (copy?.primary === true && allow_primary !== true) {
      const is = copy.state === 'RELOCATING' ? 'initializing its state' : 'started';
      const why = `can't cancel ${on}, shard is primary and ${is}`;
      return no(decider, why, `[cancel_allocation] ${why}`);
    }
    // A copy that was on its way to a node stays where it is.
    if (source !== undefined) this.#instead(index, shard, node.id, source.node!);
    else if (copy!.state === 'RELOCATING') this.#instead(index, shard, copy!.relocatingNode!, node.id);
    // The only copy stays: there is nothing that it could be made anew of.
    const isElsewhere = copies.some(
      (each) => each.node !== node.id && (each.state === 'STARTED' || each.state === 'RELOCATING'),
    );
    if (copy !== undefined && isElsewhere) this.allocation.cancel(index, shard, node.id);
    return { decisions: [{ decider, decision: 'YES', explanation: `shard ${on} can be cancelled` }] };
  }

  async #allocate(command: RerouteCommand): Promise<Said> {
    const { index: name, shard, node: text, allow_primary } = command.parameters;
    const node = this.#node(text);
    const { index, copies } = this.#shard(command);
    const decider = 'allocate_allocation_command';
    const copy = copies.find(({ state }) => state === 'UNASSIGNED');
    if (index === undefined || copy === undefined) {
      const why = `failed to find [${name}][${shard}] on the list of unassigned shards`;
      return no(decider, why, `[allocate] ${why}`);
    }
    if (copy.primary && allow_primary !== true) {
      const why = `trying to allocate a primary shard [${name}][${shard}], which is disabled`;
      return no(decider, why, `[allocate] ${why}`);
    }
    if (!node.data) return onlyOnData(decider, String(text));
    const decisions = this.#decisions(index, shard, copy, node);
    const refused = `[allocate] allocation of [${name}][${shard}] on node ${node.text} is not allowed, reason: `;
    if (!areAllowed(decisions)) return { decisions, refusal: `${refused}${decisionsText(decisions)}` };
    const { rerouting } = this.#replication;
    // 1.7 begins a shard anew of which no copy is left, and forgets its documents: the log that knows of them would not.
    if (copy.primary && !(await rerouting.isUnwritten(index, shard))) {
      const why = 'no living node has a copy of the shard: start one that has';
      return no(decider, why, `${refused}[NO(${why})]`);
    }
    const having = copies.flatMap(({ node: on, relocatingNode }) => [on ?? [], relocatingNode ?? []].flat());
    const free = rerouting.freePlaces(index, shard, this.allocation.choice(index, shard), having);
    const place = free.includes(node.id) ? node.id : (free[0] ?? node.id);
    this.#instead(index, shard, place, node.id);
    return { decisions };
  }
}

function areAllowed(decisions: readonly Decision[]): boolean {
  return decisions.every(({ decision }) => decision !== 'NO');
}

function no(decider: string, explanation: string, refusal: string): Said {
  return { decisions: [{ decider, decision: 'NO', explanation }], refusal };
}

function onlyOnData(decider: string, node: string): Said {
  const why = `Allocation can only be done on data nodes, not [${node}]`;
  return no(decider, why, why);
}
