/**
 * A cluster of nodes in this process, its clients and its misfortunes, all of it decided by one seed: nodes are killed with what their disks had
 * not written, messages come late, twice or never, links are cut. In the end everything is mended, and all nodes must hold the same, which
 * must be what clients were told.
 */
import { InProcessCluster } from '../../../host/cluster/inProcess/inProcessCluster.js';
import { CrashDisk } from '../../support/crashDisk.js';
import { Random } from '../../torture/random.js';
import { Clients } from './clients.js';
import { beginFaults } from './faultPlan.js';
import { FaultyNetwork } from './faultyNetwork.js';
import { History } from './history.js';
import { SimulatedNode } from './simulatedNode.js';
import { VirtualClock } from './virtualClock.js';
import { withoutChance } from './withoutChance.js';

export interface SimulationResult {
  problems: string[];
  /** What happened, a line for each. */
  trace: string[];
  /** Writes that were acknowledged. */
  acknowledged: number;
}

const NODES = ['a', 'b', 'c'];
const FAULTS_MS = 20_000;
/** After the last fault: members that died are gone, whoever waits has been told. */
const CALM_MS = 150_000;

/** Runs one seed. */
export function simulate(seed: number, module: WebAssembly.Module): Promise<SimulationResult> {
  const random = new Random(seed);
  const clock = new VirtualClock();
  return withoutChance(random, clock, () => new Simulation(random, clock, module).run());
}

class Simulation {
  readonly #random: Random;
  readonly #clock: VirtualClock;
  readonly #module: WebAssembly.Module;
  readonly #network: FaultyNetwork;
  readonly #cluster: InProcessCluster;
  readonly #disks = new Map<string, Promise<CrashDisk>>();
  readonly #running = new Map<string, SimulatedNode>();
  readonly #history = new History();
  readonly #trace: string[] = [];
  readonly #problems: string[] = [];
  readonly #logs = ['metadata'];
  #processes = 0;

  constructor(random: Random, clock: VirtualClock, module: WebAssembly.Module) {
    this.#random = random;
    this.#clock = clock;
    this.#module = module;
    this.#network = new FaultyNetwork(random, clock);
    // Messages that are sent again may come when nobody knows their ids any more.
    this.#cluster = new InProcessCluster({ clock, network: this.#network, idsKeptMs: 400 });
    for (const id of NODES) this.#disks.set(id, new CrashDisk(random).open());
  }

  async run(): Promise<SimulationResult> {
    const done = this.#play().catch((e) => void this.#problems.push(`the simulation itself: ${e.stack}`));
    let over = false;
    void done.then(() => {
      over = true;
    });
    await this.#clock.run(() => over);
    const acknowledged = this.#history.acknowledged;
    return { problems: this.#problems, trace: this.#trace, acknowledged };
  }

  async #play(): Promise<void> {
    await Promise.all(NODES.map((id) => this.#start(id)));
    const clients = new Clients({
      random: this.#random,
      clock: this.#clock,
      history: this.#history,
      nodes: () => [...this.#running.values()],
      tell: (line) => this.#tell(line),
    });
    await clients.prepare();
    for (const index of this.#running.get('a')!.engine.cluster.all())
      this.#logs.push(`index-${index.metadata.uuid}`);
    const mend = beginFaults(
      this.#clock,
      this.#random,
      {
        network: this.#network,
        nodes: NODES,
        logs: this.#logs,
        kill: (id) => this.#kill(id),
        start: (id) => void this.#start(id),
      },
      (fault) => this.#tell(fault),
    );
    const work = clients.work();
    await this.#clock.sleep(FAULTS_MS);
    mend();
    clients.stop();
    await work;
    await this.#clock.sleep(CALM_MS);
    if (this.#running.size < NODES.length)
      this.#problems.push(`only ${[...this.#running.keys()]} run in the end`);
    await clients.conclude();
    this.#problems.push(...clients.problems, ...this.#history.problems(), ...(await this.#differences()));
  }

  #tell(line: string): void {
    this.#trace.push(`${this.#clock.now() % 1e9} ${line}`);
  }

  async #start(id: string): Promise<void> {
    const process = ++this.#processes;
    const services = this.#cluster.start(id);
    const disk = await this.#disks.get(id)!;
    const { storage, blobs } = disk;
    const warn = (message: string) => this.#tell(`${id}: ${message}`);
    try {
      const node = await SimulatedNode.start({
        id,
        incarnation: `process-${process}`,
        services,
        storage,
        blobs,
        module: this.#module,
        warn,
      });
      this.#running.set(id, node);
      this.#tell(`${id} has joined`);
    } catch (e) {
      this.#tell(`${id} could not start: ${e}`);
      await services.close();
      await this.#clock.sleep(1000);
      if (process === this.#processes || !this.#running.has(id)) await this.#start(id);
    }
  }

  #kill(id: string): void {
    this.#running.delete(id);
    this.#cluster.kill(id);
    const disk = this.#disks.get(id)!;
    this.#disks.set(
      id,
      disk.then((each) => each.crash()),
    );
  }

  /** What the nodes don't agree on. */
  async #differences(): Promise<string[]> {
    const nodes = [...this.#running.values()];
    const first = nodes[0]!;
    const optimized = await first.call('POST', '/_optimize?max_num_segments=1');
    if (optimized.status !== 200) return [`no optimizing: ${JSON.stringify(optimized.body)}`];
    const views = await Promise.all(nodes.map((node) => viewOf(node)));
    return views.flatMap((view, i) =>
      Object.entries(view).flatMap(([name, value]) =>
        value === views[0]![name]
          ? []
          : [`${nodes[i]!.id} differs in ${name}:\n  ${value}\n  ${views[0]![name]}`],
      ),
    );
  }
}

/** All that a node holds and answers, as texts. */
async function viewOf(node: SimulatedNode): Promise<Record<string, string>> {
  const view: Record<string, string> = {};
  for (const path of ['/_mapping', '/_aliases', '/_template', '/_cluster/settings', '/_settings'])
    view[path] = JSON.stringify((await node.call('GET', path)).body);
  for (const index of node.engine.cluster.all()) {
    for (const { number, documents } of index.shards) {
      const rows = index.model.typeNames().flatMap((type) =>
        [...documents.idsOf(type)].map((id) => {
          const { source, ...rest } = documents.committed(type, id)!;
          return JSON.stringify({ ...rest, source: new TextDecoder().decode(source) });
        }),
      );
      view[`${index.name}/${number}`] = rows.join('\n');
    }
    for (const query of ['text:one', 'text:two text:three', '*'])
      view[`${index.name}?${query}`] = JSON.stringify(
        (
          await node.call(
            'GET',
            `/${index.name}/_search?size=100&version=true&q=${encodeURIComponent(query)}`,
          )
        ).body.hits,
      );
  }
  return view;
}
