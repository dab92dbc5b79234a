/** The stats of the machine and the process, as the statistics of a node show them. */
import type { Json } from '../json.js';
import type { Disk, Platform } from './node.js';

export function osStats(platform: Platform, timestamp: number): Json {
  const { total: all, free } = platform.memory();
  const swap = platform.swap();
  const { user, system, idle } = platform.cpuShares();
  const used = all - free;
  const percent = (part: number) => (all === 0 ? 0 : Math.round((100 * part) / all));
  return {
    timestamp,
    uptime_in_millis: Math.round(platform.uptime().machine * 1000),
    load_average: platform.load().map((load) => Math.round(load * 100) / 100),
    cpu: { sys: system, user, idle, usage: user + system, stolen: 0 },
    mem: {
      free_in_bytes: free,
      used_in_bytes: used,
      free_percent: percent(free),
      used_percent: percent(used),
      actual_free_in_bytes: free,
      actual_used_in_bytes: used,
    },
    swap: { used_in_bytes: swap.used, free_in_bytes: swap.free },
  };
}

export function processStats(platform: Platform, timestamp: number): Json {
  const { resident } = platform.memory();
  const { virtual, shared } = platform.processMemory();
  const { user, system } = platform.cpuTime();
  return {
    timestamp,
    open_file_descriptors: platform.openFiles(),
    cpu: {
      percent: platform.cpuPercent(),
      sys_in_millis: Math.round(system),
      user_in_millis: Math.round(user),
      total_in_millis: Math.round(user + system),
    },
    mem: {
      resident_in_bytes: resident,
      share_in_bytes: shared,
      total_virtual_in_bytes: Math.max(virtual, resident),
    },
  };
}

export function runtimeStats(platform: Platform, timestamp: number): Json {
  const { heapUsed, heapTotal, heapMax, external, buffers, young, old } = platform.memory();
  const { young: minor, old: major } = platform.collections();
  const pool = (used: number, max: number): Json => ({
    used_in_bytes: used,
    max_in_bytes: max,
    peak_used_in_bytes: used,
    peak_max_in_bytes: max,
  });
  const collector = ({ count, ms }: { count: number; ms: number }): Json => ({
    collection_count: count,
    collection_time_in_millis: Math.round(ms),
  });
  const threads = platform.threads();
  return {
    timestamp,
    uptime_in_millis: Math.round(platform.uptime().process * 1000),
    mem: {
      heap_used_in_bytes: heapUsed,
      heap_used_percent: heapMax === 0 ? 0 : Math.round((100 * heapUsed) / heapMax),
      heap_committed_in_bytes: heapTotal,
      heap_max_in_bytes: heapMax,
      non_heap_used_in_bytes: external,
      non_heap_committed_in_bytes: external,
      pools: { young: pool(young, heapMax), survivor: pool(0, 0), old: pool(old, heapMax) },
    },
    threads: { count: threads, peak_count: threads },
    gc: { collectors: { young: collector(minor), old: collector(major) } },
    buffer_pools: {
      direct: { count: 0, used_in_bytes: buffers, total_capacity_in_bytes: buffers },
      mapped: { count: 0, used_in_bytes: 0, total_capacity_in_bytes: 0 },
    },
  };
}

export function networkStats(platform: Platform): Json {
  const tcp = platform.tcp();
  return {
    tcp: {
      active_opens: tcp.activeOpens,
      passive_opens: tcp.passiveOpens,
      curr_estab: tcp.established,
      in_segs: tcp.received,
      out_segs: tcp.sent,
      retrans_segs: tcp.resent,
      estab_resets: tcp.resets,
      attempt_fails: tcp.failed,
      in_errs: tcp.receivedBroken,
      out_rsts: tcp.sentResets,
    },
  };
}

/** What monitoring tools read where nothing is kept. */
const NO_DISK = { total_in_bytes: 0, free_in_bytes: 0, available_in_bytes: 0 };

export function fsStats(platform: Platform, timestamp: number): Json {
  const disk = platform.disk();
  const { path, place } = disk ?? {};
  const where =
    place === undefined ? { path } : { path, mount: place.mount, dev: place.device, type: place.type };
  return {
    timestamp,
    total: disk === undefined ? NO_DISK : diskStats(disk),
    data: disk === undefined ? [] : [{ ...where, ...diskStats(disk) }],
  };
}

/** Sizes of a file system and what was moved to and from it, both as far as they are known. */
export function diskStats(disk: Disk | undefined): Record<string, number> {
  if (disk === undefined) return {};
  const { total, free, available, transfers } = disk;
  const sizes = { total_in_bytes: total, free_in_bytes: free, available_in_bytes: available };
  if (transfers === undefined) return sizes;
  const { reads, writes, readBytes, writtenBytes } = transfers;
  return {
    ...sizes,
    disk_reads: reads,
    disk_writes: writes,
    disk_io_op: reads + writes,
    disk_read_size_in_bytes: readBytes,
    disk_write_size_in_bytes: writtenBytes,
    disk_io_size_in_bytes: readBytes + writtenBytes,
  };
}
