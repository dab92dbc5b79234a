import { expect, it } from 'vitest';
import { processMemory, swapStats, tcpStats } from '../../host/server/kernel.js';

it('finds the figures of TCP by the names in the line before', () => {
  const text = [
    'Ip: Forwarding DefaultTTL',
    'Ip: 1 64',
    'Tcp: RtoAlgorithm MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab InSegs OutSegs RetransSegs InErrs OutRsts',
    'Tcp: 1 -1 10 11 12 13 14 15 16 17 18 19',
    'Udp: InDatagrams',
    'Udp: 5',
  ].join('\n');
  expect(tcpStats(text)).toEqual({
    activeOpens: 10,
    passiveOpens: 11,
    failed: 12,
    resets: 13,
    established: 14,
    received: 15,
    sent: 16,
    resent: 17,
    receivedBroken: 18,
    sentResets: 19,
  });
  expect(tcpStats('').sent).toBe(0);
});

it('reads amounts of memory, which come in kilobytes', () => {
  const memory = 'MemTotal:       8 kB\nSwapCached:     7 kB\nSwapTotal:     10 kB\nSwapFree:       4 kB\n';
  expect(swapStats(memory)).toEqual({ total: 10_240, free: 4096, used: 6144 });
  expect(swapStats('')).toEqual({ total: 0, free: 0, used: 0 });
  const status =
    'VmPeak:\t      9 kB\nVmSize:\t      6 kB\nRssAnon:\t 1 kB\nRssFile:\t 2 kB\nRssShmem:\t 1 kB\n';
  expect(processMemory(status)).toEqual({ virtual: 6144, shared: 3072 });
});
