/** Where copies are placed: the same for whoever asks, in equal shares, and with few moves when nodes come and go. */
import { describe, expect, it } from 'vitest';
import { awarenessOf, filteredOut } from '../../host/replication/allocation.js';
import { type PlacedNode, placeIndex } from '../../host/replication/placement.js';

const nodesOf = (count: number): PlacedNode[] =>
  Array.from({ length: count }, (_, i) => ({ id: `node-${i}`, attributes: { zone: `z${i % 3}` } }));
const uuids = Array.from({ length: 40 }, (_, i) => `index-${i}`);

describe('placement', () => {
  it('is the same whatever the order of the nodes, on as many different ones as there are copies', () => {
    const nodes = nodesOf(7);
    for (const uuid of uuids) {
      const placed = placeIndex(uuid, 5, 3, nodes);
      expect(placeIndex(uuid, 5, 3, [...nodes].reverse())).toEqual(placed);
      for (const ids of placed) expect(new Set(ids).size).toBe(3);
    }
    expect(placeIndex('few', 2, 5, nodesOf(2)).map((ids) => ids.length)).toEqual([2, 2]);
    expect(placeIndex('none', 2, 2, [])).toEqual([[], []]);
  });

  it('gives no node more than its share of an index', () => {
    for (const uuid of uuids)
      for (const [shards, copies, count] of [
        [5, 2, 3],
        [12, 2, 5],
        [7, 3, 4],
        [1, 2, 3],
      ] as const) {
        const loads = new Map<string, number>();
        for (const id of placeIndex(uuid, shards, copies, nodesOf(count)).flat())
          loads.set(id, 1 + (loads.get(id) ?? 0));
        // One that has to take a copy since all others have the shard already may have one more.
        expect(Math.max(...loads.values())).toBeLessThanOrEqual(Math.ceil((shards * copies) / count) + 1);
      }
  });

  it('moves few copies when a node comes or goes', () => {
    let moved = 0;
    let all = 0;
    for (const uuid of uuids) {
      const before = placeIndex(uuid, 10, 2, nodesOf(6));
      const after = placeIndex(uuid, 10, 2, nodesOf(5));
      before.forEach((ids, shard) => {
        all += ids.length;
        moved += after[shard]!.filter((id) => !ids.includes(id)).length;
      });
    }
    // One in six has to.
    expect(moved / all).toBeLessThan(0.35);
  });

  it('gives no node more copies of an index than it may have, and finds a place for as many as can be', () => {
    for (const uuid of uuids)
      for (const [shards, copies, count, mostPerNode] of [
        [4, 2, 4, 2],
        [5, 2, 4, 3],
        [6, 3, 9, 2],
      ] as const) {
        const limits = { mostPerNode, has: () => false, fullDisk: () => undefined };
        const placed = placeIndex(uuid, shards, copies, nodesOf(count), [], {}, limits);
        const loads = new Map<string, number>();
        for (const id of placed.flat()) loads.set(id, 1 + (loads.get(id) ?? 0));
        expect(Math.max(...loads.values())).toBeLessThanOrEqual(mostPerNode);
        expect(placed.map((ids) => ids.length)).toEqual(Array.from({ length: shards }, () => copies));
      }
    const one = { mostPerNode: 1, has: () => false, fullDisk: () => undefined };
    expect(placeIndex('small', 3, 1, nodesOf(2), [], {}, one).flat()).toHaveLength(2);
    // Copies that are there and can't go elsewhere stay.
    const stays = { ...one, has: (id: string, shard: number) => id === 'node-0' && shard < 3 };
    expect(placeIndex('small', 3, 1, nodesOf(1), [], {}, stays)).toEqual([
      ['node-0'],
      ['node-0'],
      ['node-0'],
    ]);
  });

  it('gives a node with a full disk no more copies, but lets it keep those that it has', () => {
    for (const uuid of uuids) {
      const before = placeIndex(uuid, 5, 2, nodesOf(4));
      const has = (id: string, shard: number) => before[shard]!.includes(id);
      for (const full of ['low', 'high'] as const) {
        const fullDisk = (id: string) => (id === 'node-0' ? full : undefined);
        // What is there stays where it is.
        expect(placeIndex(uuid, 5, 2, nodesOf(4), [], {}, { has, fullDisk })).toEqual(before);
        const made = placeIndex(uuid, 5, 2, nodesOf(4), [], {}, { has: () => false, fullDisk });
        expect(made.flat()).not.toContain('node-0');
      }
      // The first copy of a new index goes to one above the low watermark where there is no other; further ones don't.
      const all = (full: 'low' | 'high') => ({ has: () => false, fullDisk: () => full });
      expect(placeIndex(uuid, 2, 2, nodesOf(3), [], {}, all('low')).map((ids) => ids.length)).toEqual([1, 1]);
      expect(placeIndex(uuid, 2, 2, nodesOf(3), [], {}, all('high'))).toEqual([[], []]);
    }
  });

  it('spreads the copies of a shard over the values of an attribute', () => {
    const awareness = awarenessOf({ 'cluster.routing.allocation.awareness.attributes': 'zone' });
    for (const uuid of uuids)
      for (const ids of placeIndex(uuid, 5, 3, nodesOf(6), awareness))
        expect(new Set(ids.map((id) => Number(id.slice(5)) % 3)).size).toBe(3);
    const alone = nodesOf(6).filter(({ attributes }) => attributes.zone === 'z0');
    const forced = awarenessOf({
      'cluster.routing.allocation.awareness.attributes': 'zone',
      'cluster.routing.allocation.awareness.force.zone.values': 'z0,z1',
    });
    // The other copy waits for the other zone.
    for (const ids of placeIndex('forced', 5, 2, alone, forced)) expect(ids).toHaveLength(1);
    for (const ids of placeIndex('free', 5, 2, alone, awareness)) expect(ids).toHaveLength(2);
  });

  it('keeps to the filters of the cluster and the index', () => {
    const node = { id: 'i1', name: 'one', http: '10.0.0.1:9200', attributes: { zone: 'a', disk: 'ssd' } };
    const cluster = (name: string, value: string) =>
      filteredOut(node, {}, { [`cluster.routing.allocation.${name}`]: value });
    const index = (name: string, value: string) =>
      filteredOut(node, { [`index.routing.allocation.${name}`]: value }, {});
    expect(cluster('exclude._name', 'two,o*')).toMatch(
      /node matches global exclude filters \[_name:"two OR o\*"\]/,
    );
    expect(cluster('exclude._name', 'two')).toBeUndefined();
    expect(cluster('exclude._ip', '10.0.*')).toBeDefined();
    expect(cluster('exclude._name', '')).toBeUndefined();
    expect(index('require.zone', 'b')).toMatch(/does not match index required filters/);
    expect(index('require.zone', 'a')).toBeUndefined();
    expect(index('include.zone', 'b,a')).toBeUndefined();
    expect(index('include._id', 'i2')).toBeDefined();
    const both = {
      'index.routing.allocation.include.zone': 'b',
      'index.routing.allocation.include.disk': 'ssd',
    };
    expect(filteredOut(node, both, {})).toBeUndefined();
  });
});
