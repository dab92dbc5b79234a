/** What goes wrong in a simulated cluster, and when. */
import type { Random } from '../../torture/random.js';
import { FAIR, FOUL, type FaultyNetwork } from './faultyNetwork.js';
import type { VirtualClock } from './virtualClock.js';

export const FAULTS = [
  'kill',
  'killAll',
  'restart',
  'isolate',
  'cut',
  'cutLog',
  'slowLog',
  'weather',
  'fullDisk',
] as const;

export type FaultName = (typeof FAULTS)[number];

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
  /** Ends a node's process as an operator does, and starts it again. */
  restart(node: string): void;
  /** Has a disk refuse all that is written to it, or take it again. */
  refuseWrites(node: string, refuses: boolean): void;
}

/** Kinds of faults, how often they happen, and for how long they may last. */
export interface FaultOptions {
  readonly faults: readonly FaultName[];
  /** Milliseconds between two, at most. */
  readonly everyMs: number;
}

/**
 * Faults, one after the other, until the returned function is called; that heals the network, ends bad weather, empties disks, and starts what
 * is dead. What happens when depends on the random numbers alone.
 * @param tell is told of each fault, and which kind it is of, and of its end
 */
export function beginFaults(
  clock: VirtualClock,
  random: Random,
  { faults, everyMs }: FaultOptions,
  faulted: Faulted,
  tell: (fault: string, name?: FaultName) => void = () => {},
): () => void {
  const { network, nodes, logs } = faulted;
  const dead = new Set<string>();
  const full = new Set<string>();
  let going = true;
  const pick = <T>(list: readonly T[]) => list[random.below(list.length)]!;
  /** Milliseconds that a fault lasts: some as long as one in passing, some longer than nodes wait for each other. */
  const spell = () => random.below(random.chance(0.5) ? 2000 : 15_000);
  const revive = (node: string) => {
    if (!dead.delete(node)) return;
    tell(`start ${node}`);
    faulted.start(node);
  };
  const kill = (node: string) => {
    if (dead.has(node)) return;
    dead.add(node);
    tell(`kill ${node}`, 'kill');
    faulted.kill(node);
    clock.after(random.chance(0.3) ? 1 : spell(), () => revive(node));
  };
  const refuse = (node: string, refuses: boolean) => {
    if (refuses === full.has(node)) return;
    if (refuses) full.add(node);
    else full.delete(node);
    if (refuses) tell(`the disk of ${node} is full`, 'fullDisk');
    else tell(`the disk of ${node} is no longer full`);
    faulted.refuseWrites(node, refuses);
  };
  const kinds: Record<FaultName, () => void> = {
    kill: () => kill(pick(nodes)),
    killAll: () => {
      tell('kill all', 'killAll');
      nodes.forEach(kill);
    },
    restart: () => {
      const node = pick(nodes);
      if (dead.has(node)) return;
      tell(`restart ${node}`, 'restart');
      faulted.restart(node);
    },
    isolate: () => {
      const [node, ms] = [pick(nodes), spell()];
      tell(`isolate ${node} for ${ms} ms`, 'isolate');
      network.isolate(node, ms);
    },
    cut: () => {
      const [from, to, ms] = [pick(nodes), pick(nodes), spell()];
      tell(`cut ${from} > ${to} for ${ms} ms`, 'cut');
      network.cut(from, to, ms);
    },
    cutLog: () => {
      const [node, log, ms] = [pick(nodes), `log/${pick(logs)}`, spell()];
      const toNode = random.chance(0.5);
      tell(`cut ${toNode ? `${log} > ${node}` : `${node} > ${log}`} for ${ms} ms`, 'cutLog');
      if (toNode) network.cut(log, node, ms);
      else network.cut(node, log, ms);
    },
    slowLog: () => {
      const [node, log, ms] = [pick(nodes), pick(logs), spell()];
      tell(`slow log/${log} > ${node} for ${ms} ms`, 'slowLog');
      network.slow(`log/${log}`, node, 1500, ms);
    },
    weather: () => {
      const ms = spell();
      tell(`foul weather for ${ms} ms`, 'weather');
      network.weather = FOUL;
      clock.after(ms, () => {
        network.weather = FAIR;
      });
    },
    fullDisk: () => {
      const node = pick(nodes);
      refuse(node, true);
      clock.after(spell(), () => refuse(node, false));
    },
  };
  const next = () => {
    if (!going) return;
    kinds[pick(faults)]();
    clock.after(random.below(everyMs), next);
  };
  clock.after(random.below(everyMs), next);
  return () => {
    going = false;
    network.heal();
    network.weather = FAIR;
    for (const node of [...full]) refuse(node, false);
    for (const node of [...dead]) revive(node);
  };
}
