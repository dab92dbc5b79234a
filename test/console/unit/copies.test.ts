import { describe, expect, it } from 'vitest';
import { drainBody, EXCLUDED, gridOf, readCopies } from '../../../console/src/views/overview/copies';

describe('the copies of shards', () => {
  const rows = [
    { index: 'b', shard: '0', prirep: 'p', state: 'STARTED', node: 'two' },
    { index: 'a', shard: '0', prirep: 'p', state: 'RELOCATING', node: 'one -> 127.0.0.1 two' },
    { index: 'a', shard: '0', prirep: 'r', state: 'UNASSIGNED', node: null },
  ];

  it('are read from a table of 1.7', () => {
    expect(readCopies(rows)[1]).toEqual({
      index: 'a',
      shard: 0,
      isPrimary: true,
      state: 'RELOCATING',
      node: 'one',
    });
  });

  it('stand by index and node', () => {
    const grid = gridOf(readCopies(rows));
    expect([...grid.keys()]).toEqual(['a', 'b']);
    expect([...grid.get('a')!.keys()]).toEqual(['one', '']);
  });

  it('leave a node and come back to it', () => {
    expect(drainBody([], 'one', true)).toEqual({ transient: { [EXCLUDED]: 'one' } });
    expect(drainBody(['two'], 'one', true)).toEqual({ transient: { [EXCLUDED]: 'two,one' } });
    expect(drainBody(['two', 'one'], 'two', false)).toEqual({ transient: { [EXCLUDED]: 'one' } });
    expect(drainBody(['one'], 'one', false)).toEqual({ transient: { [EXCLUDED]: '' } });
  });
});
