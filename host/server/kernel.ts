/** What Linux tells of the network, of memory and of this process under `/proc`; zeros where there is no such thing. */
import { readFileSync } from 'node:fs';
import type { ProcessMemory, Swap, TcpStats } from '../rest/cluster/node.js';

const KIB = 1024;

/** What became of TCP connections of the whole machine since it was started. */
export function tcpStats(text = textOf('/proc/net/snmp')): TcpStats {
  const [names = [], values = []] = text
    .split('\n')
    .filter((line) => line.startsWith('Tcp: '))
    .map((line) => line.split(' '));
  const stat = (name: string) => Number(values[names.indexOf(name)] ?? 0);
  return {
    activeOpens: stat('ActiveOpens'),
    passiveOpens: stat('PassiveOpens'),
    established: stat('CurrEstab'),
    received: stat('InSegs'),
    sent: stat('OutSegs'),
    resent: stat('RetransSegs'),
    resets: stat('EstabResets'),
    failed: stat('AttemptFails'),
    receivedBroken: stat('InErrs'),
    sentResets: stat('OutRsts'),
  };
}

/** Bytes of the space on disk for what memory has no room for. */
export function swapStats(text = textOf('/proc/meminfo')): Swap {
  const total = kibibytes(text, 'SwapTotal');
  const free = kibibytes(text, 'SwapFree');
  return { total, free, used: total - free };
}

/** Bytes of address space, and of resident memory that other processes may have too. */
export function processMemory(text = textOf('/proc/self/status')): ProcessMemory {
  return {
    virtual: kibibytes(text, 'VmSize'),
    shared: kibibytes(text, 'RssFile') + kibibytes(text, 'RssShmem'),
  };
}

/** A line such as `VmSize:   12 kB`, in bytes. */
function kibibytes(text: string, name: string): number {
  const [, amount] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text) ?? [];
  return Number(amount ?? 0) * KIB;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
