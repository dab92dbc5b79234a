import { describe, expect, it } from 'vitest';
import { diskOf, mountOf, transfersOf } from '../../host/server/disk.js';

const MOUNTS = [
  '21 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw',
  '22 21 0:5 / /srv rw - tmpfs tmpfs rw,size=1k',
  '23 22 254:2 / /srv/new\\040data rw shared:2 master:1 - xfs /dev/vdb rw',
  '24 22 254:3 / /srv/new\\040data rw - btrfs /dev/vdc rw',
  'half a line',
  '',
];

describe('the file system of a folder', () => {
  it('is the innermost that is mounted, the last of several at one place', () => {
    const mounted = (path: string) => mountOf(path, MOUNTS)?.device;
    expect(mounted('/')).toBe('/dev/vda1');
    expect(mounted('/srvs')).toBe('/dev/vda1');
    expect(mounted('/srv/a')).toBe('tmpfs');
    expect(mounted('/srv/new data/index')).toBe('/dev/vdc');
    expect(mountOf('/srv/new data', MOUNTS)).toEqual({
      number: '254:3',
      folder: '/srv/new data',
      type: 'btrfs',
      device: '/dev/vdc',
    });
    expect(mountOf('/', [])).toBeUndefined();
  });

  it('counts what its device moved in sectors of 512 bytes', () => {
    const lines = ['   7       0 loop0 1 0 2 0 3 0 4 0 0 0 0', ' 254       1 vda1 10 1 20 5 30 2 40 6 0 7 8'];
    expect(transfersOf('254:1', lines)).toEqual({
      reads: 10,
      writes: 30,
      readBytes: 10_240,
      writtenBytes: 20_480,
    });
    expect(transfersOf('0:5', lines)).toBeUndefined();
  });

  it('has its sizes and the folder wherever it is', () => {
    const disk = diskOf('.');
    expect(disk.path).toBe(process.cwd());
    expect(disk.total).toBeGreaterThanOrEqual(disk.free);
    expect(disk.free).toBeGreaterThanOrEqual(disk.available);
    expect(() => diskOf('./no such folder')).toThrow('ENOENT');
  });
});
