import { describe, expect, test } from 'vitest';
import { readSegment } from '../model/segmentReader.js';
import { BUILDS, ERR_ARGUMENT, ERR_BATCH, SegmentCore, TestBatch, TestShard } from './core.js';

const utf8 = new TextEncoder();
const text = (words: string) => [1, utf8.encode(words)] as const;

function makeShard(core: SegmentCore): TestShard {
  const shard = new TestShard(core);
  shard.define(1, 7, 1);
  shard.define(2, 0, 0);
  return shard;
}

/** Keys of the visible documents, dead ones included. */
function keysOf(shard: TestShard): bigint[] {
  return Array.from({ length: shard.segmentCount }, (_, i) => readSegment(shard.image(i)).keys).flat();
}

describe.each(BUILDS)('%s build', (build) => {
  const core = new SegmentCore(build);

  test('a malformed batch is refused whole', () => {
    const shard = makeShard(core);
    const good = new TestBatch()
      .index(5n, [text('a b')])
      .delete(2n)
      .index(7n, [text('c')])
      .bytes();
    const refused: Uint8Array[] = [];
    const boundaries = [0, 13 + 6 + 3, 13 + 6 + 3 + 9];
    for (let n = 1; n < good.length; n++) if (!boundaries.includes(n)) refused.push(good.subarray(0, n));
    refused.push(
      new TestBatch()
        .index(5n, [text('a')])
        .index(5n, [text('b')])
        .bytes(),
    );
    refused.push(
      new TestBatch()
        .index(5n, [text('a')])
        .index(4n, [text('b')])
        .bytes(),
    );
    refused.push(
      new TestBatch()
        .index(5n, [text('a')])
        .index(6n, [[3, utf8.encode('b')]])
        .bytes(),
    );
    refused.push(
      new TestBatch()
        .index(5n, [text('a')])
        .index(2n ** 56n, [text('b')])
        .bytes(),
    );
    refused.push(Uint8Array.of(3), Uint8Array.of(0), Uint8Array.of(...good, 1));
    const longValue = good.slice();
    longValue[13 + 2]! += 1;
    refused.push(longValue);
    for (const batch of refused) expect(shard.apply(batch)).toBe(ERR_BATCH);
    expect(shard.info()).toMatchObject({ bufferedDocs: 0, deletions: 0, nextKey: 0n });
    expect(shard.apply(good)).toBe(0);
    expect(shard.apply(new TestBatch().index(7n, []).bytes())).toBe(ERR_BATCH);
    shard.refresh();
    expect(keysOf(shard)).toEqual([5n, 7n]);
    shard.drop();
  });

  test('an unknown shard or field is an error', () => {
    const e = core.exports;
    for (const handle of [0, -1, 99999]) {
      expect(e.applyBatch(handle, 0, 0)).toBe(ERR_ARGUMENT);
      expect(e.shardRefresh(handle)).toBe(ERR_ARGUMENT);
      expect(e.shardWork(handle, 1)).toBe(ERR_ARGUMENT);
      expect(e.shardDrop(handle)).toBe(ERR_ARGUMENT);
      expect(e.segmentCount(handle)).toBe(ERR_ARGUMENT);
      expect(e.shardInfo(handle)).toBe(ERR_ARGUMENT);
    }
    const shard = makeShard(core);
    for (const i of [0, -1, 7]) {
      expect(e.segmentInfo(shard.handle, i)).toBe(ERR_ARGUMENT);
      expect(e.segmentImage(shard.handle, i)).toBe(ERR_ARGUMENT);
      expect(e.segmentLive(shard.handle, i)).toBe(ERR_ARGUMENT);
      expect(e.segmentSetLive(shard.handle, i, 0, 0)).toBe(ERR_ARGUMENT);
    }
    shard.drop();
  });

  test('a field is defined once', () => {
    const shard = makeShard(core);
    expect(shard.define(1, 7, 1)).toBe(0);
    expect(shard.define(1, 5, 1)).toBe(ERR_ARGUMENT);
    expect(shard.define(1, 7, 0)).toBe(ERR_ARGUMENT);
    expect(shard.define(1, 7, 1, 2)).toBe(ERR_ARGUMENT);
    expect(shard.define(1, 7, 1, 1, 3)).toBe(ERR_ARGUMENT);
    expect(shard.define(5, 2, 1)).toBe(ERR_ARGUMENT);
    expect(shard.define(5, 8, 1)).toBe(ERR_ARGUMENT);
    expect(shard.define(5, 7, 2)).toBe(ERR_ARGUMENT);
    expect(shard.define(65536, 7, 1)).toBe(ERR_ARGUMENT);
    expect(shard.define(65535, 7, 1)).toBe(0);
    shard.drop();
  });

  test('documents and deletions become visible with the refresh, together', () => {
    const shard = makeShard(core);
    expect(core.exports.shardRefresh(shard.handle)).toBe(0);
    expect(shard.apply(new TestBatch().index(1n, [text('old')]).bytes())).toBe(0);
    expect(shard.info()).toMatchObject({ segments: 0, docs: 0 });
    shard.refresh();
    expect(shard.info()).toMatchObject({ segments: 1, docs: 1, liveDocs: 1 });
    // The new version of a document never is without the old one, nor beside it.
    expect(
      shard.apply(
        new TestBatch()
          .delete(1n)
          .index(2n, [text('new')])
          .bytes(),
      ),
    ).toBe(0);
    expect(shard.info()).toMatchObject({ segments: 1, docs: 1, liveDocs: 1 });
    expect(core.exports.shardRefresh(shard.handle)).toBe(1);
    while (shard.work(1) === 1) expect(shard.info().liveDocs).toBe(1);
    expect(keysOf(shard)).toEqual([2n]);
    shard.drop();
  });

  test('a deletion of a key that is yet to come has no effect', () => {
    const shard = makeShard(core);
    expect(
      shard.apply(
        new TestBatch()
          .delete(9n)
          .index(9n, [text('a')])
          .bytes(),
      ),
    ).toBe(0);
    shard.refresh();
    expect(shard.info()).toMatchObject({ docs: 1, liveDocs: 1 });
    shard.drop();
  });

  test('a refresh waits for a flush on its way, and covers what came before it', () => {
    const shard = makeShard(core);
    const add = (key: bigint) => expect(shard.apply(new TestBatch().index(key, [text('a')]).bytes())).toBe(0);
    add(1n);
    expect(core.exports.shardRefresh(shard.handle)).toBe(1);
    expect(shard.work(1)).toBe(1);
    add(2n);
    expect(core.exports.shardRefresh(shard.handle)).toBe(1);
    shard.workAll(10, 'flushed');
    expect(keysOf(shard)).toEqual([1n, 2n]);
    expect(core.exports.shardRefresh(shard.handle)).toBe(0);
    shard.drop();
  });

  test('terms of more than 32,766 bytes are left out', () => {
    const shard = makeShard(core);
    const term = (n: number) => [2, new Uint8Array(n).fill(97)] as const;
    expect(shard.apply(new TestBatch().index(1n, [term(32767), term(32766)]).bytes())).toBe(0);
    shard.refresh();
    const { fields } = readSegment(shard.image(0));
    expect(fields[0]!.terms.map((t) => t.term.length)).toEqual([32766]);
    shard.drop();
  });
});
