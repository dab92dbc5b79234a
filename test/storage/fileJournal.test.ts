import { describe, expect, it } from 'vitest';
import { FileJournal } from '../../host/storage/fileJournal.js';
import { JournalDamaged, JournaledStorage } from '../../host/storage/journal.js';
import type { Entry } from '../../host/storage/storage.js';
import { DiskFull, StoreFailed } from '../../host/storeErrors.js';
import { Random } from '../torture/random.js';
import { CrashFile, type Power } from './crashFile.js';

const bytes = (...values: number[]) => new Uint8Array(values);
const always: Power = { left: Number.POSITIVE_INFINITY };
type Files = [CrashFile, CrashFile];
const newFiles = (power = always): Files => [new CrashFile(power), new CrashFile(power)];
const contentOf = (file: CrashFile) => {
  const content = new Uint8Array(file.getSize());
  file.read(content, { at: 0 });
  return content;
};
const shown = (rows: Iterable<Entry>) =>
  new Map(Array.from(rows, ([key, value]) => [key.join(), value.join()]));
const told = (rows: Map<string, string>) => JSON.stringify([...rows].sort());
const rowsOf = (storage: JournaledStorage) => shown(storage.range(bytes(0), bytes(255)));

describe('a journal in files', () => {
  it('has what was acknowledged when the power was cut, and of the rest all of a commit or nothing', async () => {
    let cuts = 0;
    let anew = 0;
    for (let seed = 1; seed <= 400; seed++) {
      const random = new Random(seed);
      let files = newFiles();
      /** What is there for certain, and what may be there instead. */
      let certain = new Map<string, string>();
      let perhaps = certain;
      for (let round = 0; round < 4; round++) {
        const power: Power = { left: random.below(60) };
        files = files.map((file) => file.afterCrash(random, power)) as Files;
        let storage: JournaledStorage;
        try {
          // So little slack that it is written anew all the time.
          storage = await JournaledStorage.open(new FileJournal(files), 0);
        } catch (e) {
          expect((e as Error).message).toContain('the power is gone');
          cuts++;
          continue;
        }
        const found = rowsOf(storage);
        expect([certain, perhaps].map(told)).toContain(told(found));
        certain = perhaps = found;
        try {
          for (;;) {
            const puts = Array.from({ length: 1 + random.below(3) }, (): Entry => {
              const value = new Uint8Array(random.below(900)).fill(1 + random.below(255));
              return [bytes(1 + random.below(4)), value];
            });
            const after = new Map([...certain, ...shown(puts)]);
            perhaps = after;
            await storage.commit(puts, []);
            certain = after;
          }
        } catch {
          cuts++;
        }
        if (files[1].getSize() > 0) anew++;
      }
    }
    expect(cuts).toBeGreaterThan(1000);
    expect(anew).toBeGreaterThan(200);
  });

  it('forgets a frame that was not written whole, and goes on from there', async () => {
    const files = newFiles();
    const storage = await JournaledStorage.open(new FileJournal(files));
    await storage.commit([[bytes(1), bytes(1)]], []);
    const whole = files[0].getSize();
    await storage.commit([[bytes(2), new Uint8Array(100).fill(2)]], []);
    const size = files[0].getSize();
    for (let end = whole; end < size; end++) {
      const cut = new CrashFile(always, contentOf(files[0]).slice(0, end));
      const again = await JournaledStorage.open(new FileJournal([cut, newFiles()[1]]));
      expect(rowsOf(again)).toEqual(new Map([['1', '1']]));
      await again.commit([[bytes(3), bytes(3)]], []);
      const last = await JournaledStorage.open(new FileJournal([cut, newFiles()[1]]));
      expect(rowsOf(last)).toEqual(
        new Map([
          ['1', '1'],
          ['3', '3'],
        ]),
      );
    }
  });

  it('is refused where something is damaged before its end, whichever byte', async () => {
    const files = newFiles();
    const storage = await JournaledStorage.open(new FileJournal(files));
    await storage.commit([[bytes(1), new Uint8Array(40).fill(1)]], []);
    const end = files[0].getSize();
    await storage.commit([[bytes(2), bytes(2)]], []);
    for (let at = 0; at < end; at++) {
      const content = contentOf(files[0]);
      content[at]! ^= 1 << (at % 8);
      const open = async () =>
        JournaledStorage.open(new FileJournal([new CrashFile(always, content), newFiles()[1]]));
      await expect(open(), `byte ${at}`).rejects.toThrow(JournalDamaged);
    }
  });

  it('takes a document for nothing but a document, whatever it looks like', async () => {
    const files = newFiles();
    const storage = await JournaledStorage.open(new FileJournal(files));
    await storage.commit([[bytes(1), bytes(1)]], []);
    // A journal within a row, which is cut off behind it.
    await storage.commit([[bytes(2), contentOf(files[0]).slice(16)]], []);
    const other = newFiles();
    const second = await JournaledStorage.open(new FileJournal(other));
    await second.commit([[bytes(1), bytes(7)]], []);
    await second.commit(
      [[bytes(2), new Uint8Array([...contentOf(files[0]).slice(16), ...new Uint8Array(50)])]],
      [],
    );
    const cut = new CrashFile(always, contentOf(other[0]).slice(0, -20));
    const again = await JournaledStorage.open(new FileJournal([cut, other[1]]));
    expect(rowsOf(again)).toEqual(new Map([['1', '7']]));
  });

  it('refuses what there is no room for, and takes what comes when there is', async () => {
    const files = newFiles();
    const storage = await JournaledStorage.open(new FileJournal(files));
    await storage.commit([[bytes(1), bytes(1)]], []);
    for (const after of [0, 1]) {
      files[0].refusal = { error: new DOMException('full', 'QuotaExceededError'), after };
      await expect(storage.commit([[bytes(2), new Uint8Array(500)]], [])).rejects.toThrow(DiskFull);
      const again = await JournaledStorage.open(new FileJournal(files));
      expect([...rowsOf(again).keys()]).toEqual(['1']);
    }
    await storage.commit([[bytes(3), bytes(3)]], []);
    const again = await JournaledStorage.open(new FileJournal(files));
    expect([...rowsOf(again).keys()]).toEqual(['1', '3']);
  });

  it('takes nothing any more after a flush has failed', async () => {
    const files = newFiles();
    const storage = await JournaledStorage.open(new FileJournal(files));
    files[0].failure = new Error('the disk is broken');
    await expect(storage.commit([[bytes(1), bytes(1)]], [])).rejects.toThrow(StoreFailed);
    files[0].failure = undefined;
    await expect(storage.commit([[bytes(2), bytes(2)]], [])).rejects.toThrow('the disk is broken');
    expect(storage.failure).toBeInstanceOf(StoreFailed);
  });

  it('is not opened where neither file has a head', () => {
    const files: Files = [new CrashFile(always, new Uint8Array(100)), new CrashFile(always)];
    expect(() => new FileJournal(files)).toThrow(JournalDamaged);
  });
});
