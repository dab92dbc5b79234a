/**
 * A cluster of nodes in this process, its clients and its misfortunes, all of it decided by one seed: nodes are killed with what their disks had
 * not written, messages come late, twice or never, links are cut. In the end everything is mended, and all nodes must hold the same, which
 * must be what clients were told.
 */
import { InProcessCluster } from '../../../host/cluster/inProcess/inProcessCluster.js';
import { allParts } from '../../../host/latePart.js';
import { CrashDisk } from '../../support/crashDisk.js';
import { Random } from '../../torture/random.js';
import { Clients } from './clients.js';
import { CorePool } from './corePool.js';
import { type Counts, Coverage } from './coverage.js';
import { differencesOf } from './differences.js';
import { Acknowledgements } from './durability.js';
import { beginFaults } from './faultPlan.js';
import { FaultyNetwork } from './faultyNetwork.js';
import { History } from './history.js';
import { SimulatedNode } from './simulatedNode.js';
import { VirtualClock } from './virtualClock.js';
import { withoutChance } from './withoutChance.js';
import { type World, worldOf } from './world.js';

export interface SimulationResult {
  world: World;
  problems: string[];
  /** What happened, a line for each. */
  trace: string[];
  /** Writes that were acknowledged. */
  acknowledged: number;
  /** How often each thing happened. */
  counts: Counts;
}

/** How long the cluster may take until it is whole after the last fault: searches of a process that was killed hold copies for two minutes. */
const CALM_MS = 200_000;
/** A run that takes longer has come to a standstill. */
const LONGEST_MS = 30 * 60_000;
const RETRY_MS = 1000;

/** Runs one seed. One at a time in a thread: the clock and the random numbers of the runtime are replaced. */
export async function simulate(seed: number, module: WebAssembly.Module): Promise<SimulationResult> {
  // Loaded while no clock is waiting for it.
  await allParts();
  const random = new Random(seed);
  const clock = new VirtualClock();
  // Of the run before: nothing of it goes on.
  CorePool.of(module).takeBack();
  return withoutChance(random, clock, () => new Simulation(random, clock, module).run());
}

class Simulation {
  readonly #random: Random;
  readonly #clock: VirtualClock;
  readonly #module: WebAssembly.Module;
  readonly #world: World;
  readonly #network: FaultyNetwork;
  readonly #cluster: InProcessCluster;
  readonly #disks = new Map<string, Promise<CrashDisk>>();
  readonly #running = new Map<string, SimulatedNode>();
  /** Nodes whose processes are being ended. */
  readonly #ending = new Map<string, SimulatedNode>();
  /** The number of the process that each node has, or had last: a later one has taken the place of whoever finds another. */
  readonly #process = new Map<string, number>();
  readonly #history = new History();
  readonly #acknowledgements: Acknowledgements;
  readonly #trace: string[] = [];
  readonly #problems: string[] = [];
  readonly #logs = ['metadata'];
  readonly #coverage = new Coverage();
  #processes = 0;
  readonly #began: number;

  constructor(random: Random, clock: VirtualClock, module: WebAssembly.Module) {
    this.#random = random;
    this.#clock = clock;
    this.#module = module;
    this.#world = worldOf(random);
    this.#began = clock.now();
    const { memberTtlMs, diskMs, nodes } = this.#world;
    this.#network = new FaultyNetwork(random, clock);
    // Messages that are sent again may come when nobody knows their ids any more.
    this.#cluster = new InProcessCluster({ clock, network: this.#network, idsKeptMs: 400, memberTtlMs });
    const wait = () => clock.sleep(1 + random.below(diskMs));
    this.#acknowledgements = new Acknowledgements({
      running: () => [...this.#running.values()],
      mayBeDeleted: (event) => this.#history.mayBeDeleted(event),
    });
    for (const id of nodes) this.#disks.set(id, new CrashDisk(random, wait).open());
  }

  async run(): Promise<SimulationResult> {
    const done = this.#play().catch((e) => void this.#problems.push(`the simulation itself: ${e.stack}`));
    let over = false;
    void done.then(() => {
      over = true;
    });
    const end = this.#clock.now() + LONGEST_MS;
    await this.#clock.run(() => over || this.#clock.now() > end);
    if (!over) this.#problems.push(`it is not over after ${LONGEST_MS / 60_000} minutes`);
    const acknowledged = this.#history.acknowledged;
    this.#countAll();
    const { counts } = this.#coverage;
    return { world: this.#world, problems: this.#problems, trace: this.#trace, acknowledged, counts };
  }

  /** Counts what is known in the end. */
  #countAll(): void {
    const { delivered, doubled, lost } = this.#network.counts;
    const count = (group: string, name: string, times: number) => this.#coverage.count(group, name, times);
    count('messages', 'delivered', delivered);
    count('messages', 'doubled', doubled);
    count('messages', 'lost', lost);
    count('time', 'seconds', Math.round((this.#clock.now() - this.#began) / 1000));
    count('time', 'timers', this.#clock.fired);
    for (const name of this.#logs) {
      const log = this.#cluster.storedLog(name);
      if (log === undefined || log.deleted) continue;
      count('logs', 'messages appended', log.last);
      count('logs', 'messages trimmed', log.first - 1);
    }
    const { placed, withoutData, replicas } = this.#world;
    if (placed) count('worlds', `placed, ${replicas} replicas`, 1);
    else count('worlds', 'all nodes have all', 1);
    if (withoutData.length > 0) count('worlds', 'with a node without data', 1);
  }

  async #play(): Promise<void> {
    const { nodes, faults, faultsEveryMs, lastsMs } = this.#world;
    await Promise.all(nodes.map((id) => this.#start(id)));
    const clients = new Clients({
      world: this.#world,
      random: this.#random,
      clock: this.#clock,
      history: this.#history,
      acknowledgements: this.#acknowledgements,
      nodes: () => [...this.#running.values()],
      tell: (line) => this.#tell(line),
      coverage: this.#coverage,
    });
    await clients.prepare();
    for (const index of this.#running.get(nodes[0]!)!.engine.cluster.all())
      this.#logs.push(`index-${index.metadata.uuid}`);
    const mend = beginFaults(
      this.#clock,
      this.#random,
      { faults, everyMs: faultsEveryMs },
      {
        network: this.#network,
        nodes,
        logs: this.#logs,
        kill: (id) => this.#kill(id),
        start: (id) => void this.#start(id),
        restart: (id) => void this.#restart(id),
        refuseWrites: (id, refuses) => void this.#refuseWrites(id, refuses),
      },
      (fault, name) => {
        this.#tell(fault);
        if (name !== undefined) this.#coverage.count('faults', name);
      },
    );
    const work = clients.work();
    await this.#clock.sleep(lastsMs);
    mend();
    clients.stop();
    await work;
    if (!(await this.#becomesWhole())) return;
    if (await clients.settle(CALM_MS)) await clients.conclude();
    this.#problems.push(...clients.problems, ...this.#acknowledgements.problems, ...this.#history.problems());
    this.#problems.push(...(await differencesOf([...this.#running.values()])));
  }

  #tell(line: string): void {
    this.#trace.push(`${this.#clock.now() % 1e9} ${line}`);
  }

  /** Waits until all nodes run, and know each other. */
  async #becomesWhole(): Promise<boolean> {
    const { nodes, memberTtlMs } = this.#world;
    // Who can't be heard is noticed only then.
    await this.#clock.sleep(memberTtlMs + RETRY_MS);
    const end = this.#clock.now() + CALM_MS;
    const isWhole = () =>
      this.#running.size === nodes.length &&
      [...this.#running.values()].every(
        ({ engine }) => engine.replication!.nodes.all.length === nodes.length,
      );
    while (!isWhole() && this.#clock.now() < end) await this.#clock.sleep(RETRY_MS);
    if (isWhole()) return true;
    const seen = [...this.#running.values()].map(
      ({ id, engine }) => `${id} sees ${engine.replication!.nodes.ids}`,
    );
    this.#problems.push(`the cluster is not whole in the end: ${seen.join(', ')}`);
    return false;
  }

  /** Starts another process of a node, and again where it can't. */
  async #start(id: string): Promise<void> {
    const process = this.#next(id);
    const services = this.#cluster.start(id);
    const disk = await this.#disks.get(id)!;
    const { storage, blobs } = disk;
    const { withoutData, placed, graceMs } = this.#world;
    services.members.replaced.addEventListener('abort', () => {
      this.#tell(`${id} was replaced`);
      this.#coverage.count('processes', 'replaced');
      if (this.#process.get(id) === process) void this.#restart(id);
    });
    try {
      const node = await SimulatedNode.start({
        id,
        incarnation: `process-${process}`,
        services: this.#coverage.countAnswers(services),
        storage,
        blobs,
        module: this.#module,
        hostOf: (turn) => CorePool.of(this.#module).host(turn),
        data: !withoutData.includes(id),
        placed,
        graceMs,
        acknowledged: (written) => this.#acknowledgements.take(written),
        warn: (message) => this.#tell(`${id}: ${message}`),
      });
      this.#running.set(id, node);
      this.#tell(`${id} has joined`);
      this.#coverage.count('processes', 'joined');
      // As a server does that finds so when it has started.
      if (services.members.replaced.aborted && this.#process.get(id) === process) void this.#restart(id);
    } catch (e) {
      this.#tell(`${id} could not start: ${e}`);
      this.#coverage.count('processes', 'not started');
      await services.close();
      await this.#clock.sleep(RETRY_MS);
      if (this.#process.get(id) === process) await this.#start(id);
    }
  }

  /** Ends a node's process as an operator does, and starts another one. */
  async #restart(id: string): Promise<void> {
    const node = this.#running.get(id);
    if (node === undefined) return;
    this.#running.delete(id);
    this.#ending.set(id, node);
    const process = this.#process.get(id);
    await node.engine.close().catch((e) => void this.#problems.push(`${id} could not be ended: ${e}`));
    if (this.#process.get(id) !== process) return;
    this.#ending.delete(id);
    node.end();
    this.#tell(`${id} has ended`);
    this.#coverage.count('processes', 'ended');
    this.#cluster.kill(id);
    this.#disks.set(id, this.#left(id));
    await this.#start(id);
  }

  /** The disk that an ended process leaves: what it still had under way is written no more. */
  async #left(id: string): Promise<CrashDisk> {
    const disk = await this.#disks.get(id)!;
    const next = await disk.crash();
    next.failure = disk.failure;
    return next;
  }

  #kill(id: string): void {
    this.#next(id);
    for (const nodes of [this.#running, this.#ending]) {
      nodes.get(id)?.end();
      nodes.delete(id);
    }
    this.#cluster.kill(id);
    const disk = this.#disks.get(id)!;
    this.#disks.set(
      id,
      disk.then((each) => each.crash()),
    );
  }

  #next(id: string): number {
    this.#process.set(id, ++this.#processes);
    return this.#processes;
  }

  async #refuseWrites(id: string, refuses: boolean): Promise<void> {
    const disk = await this.#disks.get(id)!;
    disk.failure = refuses ? new Error('there is no room left on the disk') : undefined;
  }
}
