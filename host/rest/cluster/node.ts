/** What answers tell of the node: its names, and the stats of the platform that it runs on. */

import type { PoolName } from '../../limits/threadPools.js';
import type { UserAdministration } from '../../security/userAdministration.js';

/** Names that answers give. */
export interface NodeNames {
  node: string;
  cluster: string;
  /** Bytes of a body; 100 MB without. */
  maxBody?: number;
  /** Resilin's own version. */
  version: string;
  /** Stats of the process and the machine; zeros without it. */
  platform?: Platform;
  /** Measures what is done; nothing does without it. */
  meter?: Meter;
  /** Web applications that are served beside the interface; none without. */
  plugins?: readonly SitePlugin[];
  /** Whether another node of the cluster asks, for what only this one knows. */
  isAsked?: boolean;
  /** Keeps users by requests; there are none without. */
  users?: UserAdministration;
  /** Resolves when what engines that follow this one have counted is counted here. */
  counted?: () => Promise<void>;
}

/** A web application beside the interface, as 1.7 tells of those that it serves. */
export interface SitePlugin {
  name: string;
  version: string;
  description: string;
  /** From the root: `/_console/`. */
  url: string;
}

/** Takes what is to be measured, and shows it to Prometheus. */
export interface Meter {
  /** Of the text. */
  readonly contentType: string;
  text(): Promise<string>;
  /**
   * What is to be told how long each request of a route took, answered well or not.
   * @param route its template, such as `/{index}/_search`
   */
  route(method: string, route: string, pool: PoolName): (seconds: number) => void;
}

/** Garbage collections and the milliseconds that they took. */
export interface Collected {
  count: number;
  ms: number;
}

/** The version of Elasticsearch whose interface this is. */
export const WIRE_VERSION = '1.7.3';

/** What stands where Elasticsearch gives the hash of its build: what really answers. */
export function build(version: string): string {
  return `resilin-${version}`;
}
/** The short form of it. */
export const SHORT_BUILD = 'resilin';

/** The process and the machine, as a shell knows them. */
export interface Platform {
  host: string;
  ip: string;
  /** Where HTTP is answered, `127.0.0.1:9200`. */
  httpAddress(): string;
  pid: number;
  /** Of the runtime. */
  runtime: { name: string; version: string };
  processors: number;
  cpu: { model: string; mhz: number };
  /** Bytes. */
  memory(): {
    total: number;
    free: number;
    resident: number;
    heapUsed: number;
    heapTotal: number;
    heapMax: number;
    /** Outside the heap, in use and set aside. */
    external: number;
    buffers: number;
    /** What of the heap is in use by what was made last, and by what is older. */
    young: number;
    old: number;
  };
  load(): number[];
  /** Milliseconds of processor time. */
  cpuTime(): { user: number; system: number };
  /** Percent of all processors of the machine, lately. */
  cpuShares(): { user: number; system: number; idle: number };
  /** Open files and sockets; -1 where they can't be counted. */
  openFiles(): number;
  /** Files and sockets that may be open; -1 where that isn't known. */
  maxFiles(): number;
  threads(): number;
  collections(): { young: Collected; old: Collected };
  /** Percent of one processor since the start. */
  cpuPercent(): number;
  /** Seconds. */
  uptime(): { machine: number; process: number };
  /** Undefined where nothing is kept. */
  disk(): Disk | undefined;
  tcp(): TcpStats;
  swap(): Swap;
  processMemory(): ProcessMemory;
  /** Connections. */
  connections(): { open: number; opened: number };
  /** Answers since the start, by status. */
  answers?(): { byStatus: ReadonlyMap<number, number> };
}

/** What became of TCP connections of the machine, in connections and in segments. */
export interface TcpStats {
  activeOpens: number;
  passiveOpens: number;
  /** Now. */
  established: number;
  received: number;
  sent: number;
  resent: number;
  resets: number;
  failed: number;
  receivedBroken: number;
  sentResets: number;
}

/** Bytes on disk for what memory has no room for. */
export interface Swap {
  total: number;
  free: number;
  used: number;
}

/** Bytes of this process. */
export interface ProcessMemory {
  virtual: number;
  /** Of what is resident. */
  shared: number;
}

/** The file system that holds the data. */
export interface Disk {
  /** Bytes. */
  total: number;
  free: number;
  /** To this user. */
  available: number;
  /** The folder of the data. */
  path: string;
  place?: { mount: string; device: string; type: string };
  /** What was moved since the machine was started. */
  transfers?: { reads: number; writes: number; readBytes: number; writtenBytes: number } | undefined;
}

/** Where there is nothing to tell: a browser. */
export const NO_PLATFORM: Platform = {
  host: 'localhost',
  ip: '127.0.0.1',
  httpAddress: () => '127.0.0.1:9200',
  pid: 0,
  runtime: { name: 'JavaScript', version: '' },
  processors: 1,
  cpu: { model: '', mhz: 0 },
  memory: () => ({
    total: 0,
    free: 0,
    resident: 0,
    heapUsed: 0,
    heapTotal: 0,
    heapMax: 0,
    external: 0,
    buffers: 0,
    young: 0,
    old: 0,
  }),
  load: () => [],
  cpuTime: () => ({ user: 0, system: 0 }),
  cpuShares: () => ({ user: 0, system: 0, idle: 0 }),
  openFiles: () => -1,
  maxFiles: () => -1,
  threads: () => 1,
  collections: () => ({ young: { count: 0, ms: 0 }, old: { count: 0, ms: 0 } }),
  cpuPercent: () => 0,
  uptime: () => ({ machine: 0, process: 0 }),
  disk: () => undefined,
  tcp: () => ({
    activeOpens: 0,
    passiveOpens: 0,
    established: 0,
    received: 0,
    sent: 0,
    resent: 0,
    resets: 0,
    failed: 0,
    receivedBroken: 0,
    sentResets: 0,
  }),
  swap: () => ({ total: 0, free: 0, used: 0 }),
  processMemory: () => ({ virtual: 0, shared: 0 }),
  connections: () => ({ open: 0, opened: 0 }),
};

/** The address of another node, as far as it is known where it answers HTTP. */
export function otherAddress(http: string): string {
  return http === '' ? 'inet[/0.0.0.0:9300]' : `inet[/${http.replace(/:\d+$/, '')}:9300]`;
}

/** Where nodes of 1.7 would talk to each other: these do by way of NATS. */
export function transportAddress({ platform = NO_PLATFORM }: NodeNames): string {
  return `inet[/${platform.ip}:9300]`;
}

/** Where HTTP is answered, as 1.7 writes addresses. */
export function httpAddress({ platform = NO_PLATFORM }: NodeNames): string {
  return `inet[/${platform.httpAddress()}]`;
}
