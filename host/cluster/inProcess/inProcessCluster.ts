import { type Clock, wallClock } from '../../time/clock.js';
import { LogMissing } from '../errors.js';
import type { Logs } from '../log.js';
import { checkedName } from '../names.js';
import type { ClusterServices } from '../services.js';
import { MemberTable } from './memberTable.js';
import { type Network, directNetwork, logEndpoint } from './network.js';
import { NodeLog } from './nodeLog.js';
import { NodeMembers } from './nodeMembers.js';
import { NodePeers } from './nodePeers.js';
import { NodeProcess } from './nodeProcess.js';
import { StoredLog } from './storedLog.js';

export interface InProcessOptions {
  /** The wall clock unless given. */
  clock?: Clock;
  /** One that brings everything at once, unless given. */
  network?: Network;
  /** Milliseconds after which a member that isn't heard of is gone. */
  memberTtlMs?: number;
  /** Milliseconds for which logs know the ids of their messages. */
  idsKeptMs?: number;
}

/** A cluster whose nodes are in this process; its logs live as long as it does. */
export class InProcessCluster {
  readonly #clock: Clock;
  readonly #network: Network;
  readonly #ttlMs: number;
  readonly #idsKeptMs: number;
  readonly #logs = new Map<string, StoredLog>();
  readonly #members: MemberTable;
  readonly #running = new Map<string, InProcessServices>();
  #processes = 0;

  constructor(options: InProcessOptions = {}) {
    this.#clock = options.clock ?? wallClock;
    this.#network = options.network ?? directNetwork;
    this.#ttlMs = options.memberTtlMs ?? 10_000;
    this.#idsKeptMs = options.idsKeptMs ?? 120_000;
    this.#members = new MemberTable(this.#ttlMs);
  }

  /** The services of a new process of a node. A process that the node still has is killed. */
  start(node: string): ClusterServices {
    this.kill(node);
    const process = new NodeProcess(checkedName('node', node), ++this.#processes, this.#clock, this.#network);
    const services = new InProcessServices(
      process,
      this.#logsOf(process),
      new NodeMembers(process, this.#members, this.#ttlMs),
      new NodePeers(process, (name) => this.#running.get(name)?.peers),
    );
    this.#running.set(node, services);
    return services;
  }

  /** Ends a node's process as `kill -9` does: nothing of it goes on, whoever waits in it does so for ever. */
  kill(node: string): void {
    this.#running.get(node)?.kill();
    this.#running.delete(node);
  }

  /** What the servers of a log have of it; nothing when there is no such log. */
  storedLog(name: string): StoredLog | undefined {
    return this.#logs.get(name);
  }

  #logsOf(process: NodeProcess): Logs {
    const opened = new Map<StoredLog, NodeLog>();
    return {
      open: async (name, { create = false } = {}) => {
        checkedName('log', name);
        const stored = await process.call(logEndpoint(name), () => this.#opened(name, create));
        const log = opened.get(stored) ?? new NodeLog(process, stored);
        opened.set(stored, log);
        return log;
      },
      list: () => process.call(logEndpoint(''), () => this.#list()),
    };
  }

  #opened(name: string, create: boolean): StoredLog {
    const there = this.#logs.get(name);
    if (there && !there.deleted) return there;
    if (!create) throw new LogMissing(name);
    const stored = new StoredLog(name, this.#idsKeptMs);
    this.#logs.set(name, stored);
    return stored;
  }

  #list(): string[] {
    const there = [...this.#logs.values()].filter((log) => !log.deleted);
    return there.map((log) => log.name).sort();
  }
}

/** The services of one process. */
class InProcessServices implements ClusterServices {
  readonly #process: NodeProcess;
  readonly logs: Logs;
  readonly members: NodeMembers;
  readonly peers: NodePeers;

  constructor(process: NodeProcess, logs: Logs, members: NodeMembers, peers: NodePeers) {
    this.#process = process;
    this.logs = logs;
    this.members = members;
    this.peers = peers;
  }

  get clock(): Clock {
    return this.#process.clock;
  }

  kill(): void {
    this.members.close();
    this.#process.kill();
  }

  async close(): Promise<void> {
    this.members.close();
    this.#process.close();
  }
}
