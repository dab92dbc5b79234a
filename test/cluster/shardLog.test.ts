import { describe, expect, it } from 'vitest';
import { ShardLog } from '../../host/shard/shardLog.js';
import { placeRow, readWriters, writerKey, writerRow } from '../../host/storage/logRows.js';
import { MemoryStorage } from '../../host/storage/memory.js';

const DAY = 24 * 60 * 60_000;
const MIDNIGHT = 16_000 * DAY;

/** Admits messages as a shard does, with its rows. */
function shard() {
  const storage = new MemoryStorage();
  let log = new ShardLog(storage, 1);
  return {
    storage,
    restart: () => {
      log = new ShardLog(storage, 1);
    },
    admit: async (position: number, writer: string, number: number, time: number) => {
      const place = log.admit({ position, checksum: position, writer, number, time, horizon: 0 });
      if (place === undefined) return undefined;
      const gone = (place.forgotten ?? []).map((each) => writerKey(1, each));
      await storage.commit([writerRow(1, place), placeRow(1, place)], gone);
      return place;
    },
  };
}

const writersOf = (storage: MemoryStorage) => [...readWriters(storage, 1).keys()].sort();

describe('what a shard remembers of writers', () => {
  it('leaves out a message that the log has twice', async () => {
    const { admit } = shard();
    expect(await admit(1, 'a', 1, MIDNIGHT)).toBeDefined();
    expect(await admit(2, 'a', 1, MIDNIGHT)).toBeUndefined();
    expect(await admit(3, 'a', 2, MIDNIGHT)).toBeDefined();
    expect(await admit(3, 'b', 1, MIDNIGHT)).toBeUndefined();
  });

  it('goes once a day, for those who have written nothing for one, by the time of the log', async () => {
    const { storage, admit } = shard();
    await admit(1, 'a', 1, MIDNIGHT - 1000);
    await admit(2, 'b', 1, MIDNIGHT + 1000);
    await admit(3, 'c', 1, MIDNIGHT + DAY - 1);
    expect(writersOf(storage)).toEqual(['a', 'b', 'c']);
    await admit(4, 'c', 2, MIDNIGHT + DAY + 1);
    expect(writersOf(storage)).toEqual(['b', 'c']);
    await admit(5, 'c', 3, MIDNIGHT + 10 * DAY);
    expect(writersOf(storage)).toEqual(['c']);
    await admit(6, 'b', 2, MIDNIGHT + 10 * DAY);
    expect(writersOf(storage)).toEqual(['b', 'c']);
  });

  it('goes alike in copies that are opened at different times', async () => {
    const [one, other] = [shard(), shard()];
    const times = [0, 1, 900, 1100, 1101, 2500, 2501, 5000].map((part) => MIDNIGHT + (part / 1000) * DAY);
    for (const [i, time] of times.entries()) {
      for (const each of [one, other]) await each.admit(i + 1, `w${i % 3}`, i - (i % 4), time);
      if (i % 2 === 0) other.restart();
    }
    expect([...readWriters(one.storage, 1)]).toEqual([...readWriters(other.storage, 1)]);
    expect(writersOf(one.storage)).toHaveLength(1);
  });
});
