/** Hashes of what a copy has read in its log and made of it, by which copies are compared. */
import { describe, expect, it } from 'vitest';
import { agree, decodeConfirmation, encodeConfirmation } from '../../host/replication/confirmations.js';
import { LogDigest } from '../../host/shard/logDigest.js';
import { RecentDigests } from '../../host/shard/recentDigests.js';
import { placeRow } from '../../host/storage/logRows.js';
import { MemoryStorage } from '../../host/storage/memory.js';
import { shardKey } from '../../host/storage/records.js';

const UID = 3;
const outcomes = [{ version: 1, fresh: true }];
const digest = (storage = new MemoryStorage()) => new LogDigest(storage, UID, 4);
/** The digest after messages at positions, with checksums. */
const read = (messages: readonly (readonly [position: number, checksum?: number])[], of = digest()) => {
  for (const [position, checksum] of messages) of.add(position, checksum, outcomes);
  return of;
};

describe('a digest', () => {
  it('is another one from a message on that had other bytes', () => {
    const one = read([
      [1, 10],
      [2, 20],
      [5, 50],
      [7, 70],
      [8, 80],
    ]);
    const other = read([
      [1, 10],
      [2, 21],
      [5, 50],
      [7, 70],
      [8, 80],
    ]);
    expect(one.at(1)).toEqual(other.at(1));
    for (const position of [2, 5, 7, 8]) expect(one.at(position)!.hash).not.toBe(other.at(position)!.hash);
    expect(one.marks).toEqual([one.after(4)]);
    expect(one.marks[0]!.hash).not.toBe(other.marks[0]!.hash);
  });

  it('counts messages of older versions as these do, and goes on with what they have stored', async () => {
    // Of five messages, at 1, 2, 3, 4 and 9, as it was written before checksums counted.
    const row = [
      64, 20, 0, 0, 0, 0, 0, 0, 198, 80, 55, 78, 64, 16, 0, 0, 0, 0, 0, 0, 64, 16, 0, 0, 0, 0, 0, 0, 208, 204,
      255, 51,
    ];
    expect([...read([[1], [2], [3], [4], [9]]).row()![1]]).toEqual(row);
    const storage = new MemoryStorage();
    const place = placeRow(UID, { position: 11, checksum: 1, time: 1, horizon: 0 });
    await storage.commit([place, [shardKey('h', UID), Uint8Array.from(row)]], []);
    const later = digest(storage);
    expect(later.marks).toHaveLength(1);
    expect(later.at(8)).toBeUndefined();
    expect(later.at(12)?.messages).toBe(5);
    const whole = read([[1], [2], [3], [4], [9], [12, 7]]);
    expect(read([[12, 7]], later).row()).toEqual(whole.row());
    expect(later.at(15)).toEqual(whole.at(15));
  });

  describe('of another copy', () => {
    const messages = [1, 2, 3, 4, 5, 6].map((position) => [position, 10 * position] as const);
    const other = (count: number, of = messages) => read(of).after(count)!;
    const differing = other(
      3,
      messages.map(([position, checksum]) => [position, checksum + 1] as const),
    );

    it('that is there already is compared at once', () => {
      const own = read(messages);
      expect(own.compare(other(3))).toBeUndefined();
      expect(own.compare(differing)).toEqual(own.after(3));
    });

    it('that is further is compared when this one gets there', () => {
      for (const [said, marks] of [
        [other(3), []],
        [differing, [other(3)]],
      ] as const) {
        const own = read(messages.slice(0, 1));
        expect(own.compare(said)).toBeUndefined();
        const seen = messages
          .slice(1, 3)
          .map(([position, checksum]) => own.add(position, checksum, outcomes));
        expect(seen.filter((mark) => mark !== undefined)).toEqual(marks);
        // It isn't one of those that are kept.
        expect(own.marks).toEqual([]);
      }
    });

    it('is no more waited for once this one is there, also where a mark is due', () => {
      const own = read(messages.slice(0, 3));
      own.compare(other(4));
      own.add(4, 40, outcomes);
      own.compare({ messages: 5, hash: 1 });
      expect(own.add(5, 50, outcomes)).toEqual(other(5));
    });

    it('is the nearest of those that are further, and forgotten with the copy', () => {
      const far = { messages: Number.MAX_SAFE_INTEGER, hash: 1 };
      const own = read(messages.slice(0, 1));
      for (const said of [far, differing, far]) own.compare(said);
      own.add(2, 20, outcomes);
      expect(own.add(3, 30, outcomes)).toEqual(other(3));
      own.compare({ messages: 6, hash: 1 });
      own.forget();
      const seen = messages.map(([position, checksum]) => own.add(position, checksum, outcomes));
      expect(seen.map((mark) => mark?.messages)).toEqual([
        undefined,
        undefined,
        undefined,
        4,
        undefined,
        undefined,
      ]);
    });
  });

  it('of a copy that was made before there were any says nothing', async () => {
    const storage = new MemoryStorage();
    await storage.commit([placeRow(UID, { position: 11, checksum: 1, time: 1, horizon: 0 })], []);
    const none = read([[12, 7]], digest(storage));
    expect([none.row(), none.at(12), none.after(1), none.marks]).toEqual([
      undefined,
      undefined,
      undefined,
      [],
    ]);
  });
});

it('the last hashes are found by position and by number, and older ones are not', () => {
  const recent = new RecentDigests({ messages: 0, position: 0, hash: 0 });
  for (let i = 1; i <= 2000; i++) recent.add(10 * i, i);
  expect(recent.after(2001)).toBeUndefined();
  expect(recent.after(2000 - 512)).toBeUndefined();
  expect(recent.at(10 * (2000 - 512) + 9)).toBeUndefined();
  for (const messages of [2000, 1999, 1700, 2000 - 511]) {
    const found = { messages, position: 10 * messages, hash: messages };
    expect(recent.after(messages)).toEqual(found);
    // Where the shard has no message itself, that is what it had made of the ones before.
    for (const more of [0, 9]) expect(recent.at(found.position + more)).toEqual(found);
  }
});

describe('what confirms a write', () => {
  it('is read as it was written, and nothing of what older versions say', () => {
    expect(decodeConfirmation(encodeConfirmation({ messages: 3, hash: 2 ** 32 - 1 }))).toEqual({
      messages: 3,
      hash: 2 ** 32 - 1,
    });
    for (const text of ['{}', '[]', '1', '{"digest":1}', '{"digest":{"messages":-1,"hash":0}}'])
      expect(decodeConfirmation(new TextEncoder().encode(text))).toBeUndefined();
  });

  it('differs where both say something, and it is not the same', () => {
    const said = { messages: 3, hash: 4 };
    for (const other of [undefined, { ...said }]) {
      expect(agree(said, other)).toBe(true);
      expect(agree(other, said)).toBe(true);
    }
    expect(agree(said, { ...said, hash: 5 })).toBe(false);
    expect(agree(said, { ...said, messages: 4 })).toBe(false);
  });
});
