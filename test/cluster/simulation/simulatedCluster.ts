/** Nodes in one process, over virtual time and a network without faults of its own, with disks that outlive their processes. */
import { InProcessCluster } from '../../../host/cluster/inProcess/inProcessCluster.js';
import type { ClusterServices } from '../../../host/cluster/services.js';
import { MemoryBlobs, MemoryStorage } from '../../../host/storage/memory.js';
import { coreBytes } from '../../support/core.js';
import { type NodeOptions, SimulatedNode } from './simulatedNode.js';
import { VirtualClock } from './virtualClock.js';

/** What a node keeps. */
export interface Disk {
  storage: MemoryStorage;
  blobs: MemoryBlobs;
}

/** How far a node's clock on the wall is ahead of the time that passes, in milliseconds. */
export interface Skew {
  ms: number;
}

export interface StartOptions extends Partial<Omit<NodeOptions, 'services'>> {
  skew?: Skew;
  /** What the process sees of its services; all of them as they are without. */
  seen?: (services: ClusterServices) => ClusterServices;
}

const module = await WebAssembly.compile(coreBytes());

export class SimulatedCluster {
  readonly clock = new VirtualClock();
  /** What holds the nodes together: their logs, and who of them lives. */
  readonly cluster = new InProcessCluster({
    clock: this.clock,
    network: { deliveries: (from, to) => (this.loses(from, to) ? [] : [this.delay(from, to)]) },
  });
  /** Whether messages between two endpoints are lost: a node's id, or `log/NAME`. */
  loses = (_from: string, _to: string): boolean => false;
  /** How long messages between two endpoints take, in milliseconds. */
  delay = (_from: string, _to: string): number => 0;
  /** By the ids of nodes. */
  readonly disks = new Map<string, Disk>();
  readonly #running = this.clock.run();
  #processes = 0;

  /** A process of a node, over its disk; resolves when it has joined. */
  start(
    id: string,
    { skew, seen = (services) => services, ...options }: StartOptions = {},
  ): Promise<SimulatedNode> {
    const disk = this.disks.get(id) ?? { storage: new MemoryStorage(), blobs: new MemoryBlobs() };
    this.disks.set(id, disk);
    const incarnation = `${id}-${++this.#processes}`;
    return SimulatedNode.start({
      id,
      incarnation,
      services: seen(skewed(this.cluster.start(id), skew)),
      module,
      ...disk,
      ...options,
    });
  }

  /** Ends the given nodes, and time. */
  async close(nodes: Iterable<SimulatedNode>): Promise<void> {
    for (const { engine } of nodes) await engine.close();
    this.clock.stop();
    await this.#running;
  }
}

function skewed(services: ClusterServices, skew: Skew | undefined): ClusterServices {
  if (skew === undefined) return services;
  const { logs, members, peers, clock } = services;
  return {
    ...{ logs, members, peers },
    clock: {
      now: () => clock.now() + skew.ms,
      monotonic: () => clock.now(),
      after: (ms, callback) => clock.after(ms, callback),
    },
    close: () => services.close(),
  };
}
