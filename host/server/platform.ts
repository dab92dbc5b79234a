/** The figures of a Node process and the machine it runs on. */
import { statfsSync } from 'node:fs';
import { arch, cpus, freemem, hostname, loadavg, totalmem, uptime } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Platform } from '../rest/node.js';

/** What the server adds: where it listens, where its data is, how many connections it has. */
export interface ServerFigures {
  address(): string;
  connections(): { open: number; opened: number };
  answers(): { byStatus: ReadonlyMap<number, number>; seconds: number };
  /** A folder; undefined where nothing is kept. */
  data: string | undefined;
}

/** Reads the figures anew with every call. */
export function nodePlatform({ address, connections, answers, data }: ServerFigures): Platform {
  const processors = cpus();
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
      const { rss, heapUsed, heapTotal } = process.memoryUsage();
      const heapMax = getHeapStatistics().heap_size_limit;
      return { total: totalmem(), free: freemem(), resident: rss, heapUsed, heapTotal, heapMax };
    },
    load: loadavg,
    cpuPercent() {
      const { user, system } = process.cpuUsage();
      return Math.round((user + system) / 10_000 / process.uptime());
    },
    uptime: () => ({ machine: uptime(), process: process.uptime() }),
    disk() {
      if (data === undefined) return undefined;
      const { bsize, blocks, bfree, bavail } = statfsSync(data);
      return { total: bsize * blocks, free: bsize * bfree, available: bsize * bavail };
    },
    connections,
    answers,
  };
}
