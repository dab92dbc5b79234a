import type { Random } from '../../torture/random.js';
import { FAIR, FOUL, type FaultyNetwork } from './faultyNetwork.js';
import type { VirtualClock } from './virtualClock.js';

/** What faults happen to. */
export interface Faulted {
  readonly network: FaultyNetwork;
  readonly nodes: readonly string[];
  /** Names of logs that there are. */
  readonly logs: readonly string[];
  /** Kills a node's process, if it runs. */
  kill(node: string): void;
  /** Starts a node that was killed. */
  start(node: string): void;
}

/** Milliseconds between two faults, at most. */
const BETWEEN_MS = 3000;

/**
 * Faults, one after the other, until the returned function is called; that heals the network, ends bad weather, and starts what is dead.
 * What happens when depends on the random numbers alone.
 * @param tell is told of each fault, for those who look into a run
 */
export function beginFaults(
  clock: VirtualClock,
  random: Random,
  faulted: Faulted,
  tell: (fault: string) => void = () => {},
): () => void {
  const { network, nodes, logs } = faulted;
  const dead = new Set<string>();
  let going = true;
  const pick = <T>(list: readonly T[]) => list[random.below(list.length)]!;
  const revive = (node: string) => {
    if (!dead.delete(node)) return;
    tell(`start ${node}`);
    faulted.start(node);
  };
  const kill = (node: string) => {
    if (dead.has(node)) return;
    dead.add(node);
    tell(`kill ${node}`);
    faulted.kill(node);
    clock.after(random.chance(0.3) ? 1 : random.below(20_000), () => revive(node));
  };
  const faults: (() => void)[] = [
    () => kill(pick(nodes)),
    () => kill(pick(nodes)),
    () => random.chance(0.2) && nodes.forEach(kill),
    () => {
      const [node, ms] = [pick(nodes), random.below(15_000)];
      tell(`isolate ${node} for ${ms} ms`);
      network.isolate(node, ms);
    },
    () => {
      const [from, to, ms] = [pick(nodes), pick(nodes), random.below(15_000)];
      tell(`cut ${from} > ${to} for ${ms} ms`);
      network.cut(from, to, ms);
    },
    () => {
      const [node, log, ms] = [pick(nodes), `log/${pick(logs)}`, random.below(8000)];
      const toNode = random.chance(0.5);
      tell(`cut ${toNode ? `${log} > ${node}` : `${node} > ${log}`} for ${ms} ms`);
      if (toNode) network.cut(log, node, ms);
      else network.cut(node, log, ms);
    },
    () => {
      const [node, log, ms] = [pick(nodes), pick(logs), random.below(10_000)];
      tell(`slow log/${log} > ${node} for ${ms} ms`);
      network.slow(`log/${log}`, node, 1500, ms);
    },
    () => {
      const ms = random.below(10_000);
      tell(`foul weather for ${ms} ms`);
      network.weather = FOUL;
      clock.after(ms, () => {
        network.weather = FAIR;
      });
    },
  ];
  const next = () => {
    if (!going) return;
    pick(faults)();
    clock.after(random.below(BETWEEN_MS), next);
  };
  clock.after(random.below(BETWEEN_MS), next);
  return () => {
    going = false;
    network.heal();
    network.weather = FAIR;
    for (const node of [...dead]) revive(node);
  };
}
