/** The stats of a Node process and the machine it runs on. */
import { readdirSync, readFileSync } from 'node:fs';
import { arch, cpus, freemem, hostname, loadavg, totalmem, uptime } from 'node:os';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import type { Collected, Platform } from '../rest/cluster/node.js';
import { diskOf } from './disk.js';
import { processMemory, swapStats, tcpStats } from './kernel.js';

/** What the server adds: where it listens, where its data is, how many connections it has. */
export interface ServerStats {
  address(): string;
  connections(): { open: number; opened: number };
  answers(): { byStatus: ReadonlyMap<number, number> };
  collections(): { young: Collected; old: Collected };
  /** Threads besides the main one. */
  workers: number;
  /** A folder; undefined where nothing is kept: the disk is then that of the working directory. */
  data: string | undefined;
}

/** Reads the stats anew with every call. */
export function nodePlatform(server: ServerStats): Platform {
  const { address, connections, answers, collections, workers, data } = server;
  const processors = cpus();
  const shares = new ProcessorShares();
  const [first] = processors;
  return {
    host: hostname(),
    ip: '127.0.0.1',
    httpAddress: address,
    pid: process.pid,
    runtime: { name: `Node.js ${arch()}`, version: process.versions.node },
    processors: processors.length,
    cpu: { model: first?.model ?? '', mhz: first?.speed ?? 0 },
    memory() {
      const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
      const heapMax = getHeapStatistics().heap_size_limit;
      const young = getHeapSpaceStatistics()
        .filter(({ space_name }) => space_name.startsWith('new_'))
        .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
      return {
        total: totalmem(),
        free: freemem(),
        resident: rss,
        heapUsed,
        heapTotal,
        heapMax,
        external,
        buffers: arrayBuffers,
        young,
        old: Math.max(0, heapUsed - young),
      };
    },
    load: loadavg,
    cpuTime() {
      const { user, system } = process.cpuUsage();
      return { user: user / 1000, system: system / 1000 };
    },
    cpuShares: () => shares.read(),
    openFiles() {
      try {
        return readdirSync('/proc/self/fd').length;
      } catch {
        return -1;
      }
    },
    maxFiles() {
      try {
        const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
        return soft === undefined ? -1 : Number(soft);
      } catch {
        return -1;
      }
    },
    threads: () => 1 + workers,
    collections,
    cpuPercent() {
      const { user, system } = process.cpuUsage();
      return Math.round((user + system) / 10_000 / process.uptime());
    },
    uptime: () => ({ machine: uptime(), process: process.uptime() }),
    disk: () => diskOf(data ?? process.cwd()),
    tcp: () => tcpStats(),
    swap: () => swapStats(),
    processMemory: () => processMemory(),
    connections,
    answers,
  };
}

/** How busy the machine's processors were since they were looked at before, or since it was started. */
class ProcessorShares {
  #before = { user: 0, system: 0, idle: 0 };

  read(): { user: number; system: number; idle: number } {
    const now = { user: 0, system: 0, idle: 0 };
    for (const { times } of cpus()) {
      now.user += times.user + times.nice;
      now.system += times.sys + times.irq;
      now.idle += times.idle;
    }
    const before = this.#before;
    const all = now.user + now.system + now.idle - before.user - before.system - before.idle;
    const share = (of: 'user' | 'system' | 'idle') =>
      all <= 0 ? 0 : Math.round((100 * (now[of] - before[of])) / all);
    const shares = { user: share('user'), system: share('system'), idle: share('idle') };
    if (all > 0) this.#before = now;
    return shares;
  }
}
