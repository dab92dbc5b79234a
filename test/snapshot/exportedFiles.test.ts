import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Imported, type Resilin } from '../../host/index.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { xxh32 } from '../../host/storage/xxh32.js';
import { coreBytes } from '../support/core.js';

const module = await WebAssembly.compile(coreBytes());
let storage: MemoryStorage;
let blobs: MemoryBlobs;
let warnings: string[];
/** Where files come from, and where they go. */
let source: Resilin;
let target: Resilin;

const openTarget = () =>
  createEngine({ wasm: module, storage, blobs, warn: (message) => warnings.push(message) });

const BODY = {
  settings: {
    number_of_shards: 3,
    refresh_interval: '-1',
    analysis: {
      analyzer: { cut: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'porter_stem'] } },
    },
  },
  mappings: {
    book: {
      _timestamp: { enabled: true },
      properties: {
        title: { type: 'string', analyzer: 'cut' },
        year: { type: 'integer' },
        loans: { type: 'nested', properties: { by: { type: 'string' } } },
      },
    },
  },
  aliases: { old: { filter: { range: { year: { lt: 1950 } } } }, all: {} },
  warmers: { warm: { source: { query: { match_all: {} } } } },
};

const SEARCHES: readonly (readonly [string, object])[] = [
  ['books', { query: { match: { title: 'rose running elastic' } }, size: 100, version: true }],
  ['books', { query: { match_phrase: { title: 'elastic rose' } }, size: 100 }],
  ['books', { query: { nested: { path: 'loans', query: { match: { 'loans.by': 'ann' } } } }, size: 100 }],
  ['old', { query: { match_all: {} }, sort: ['year'], size: 100, fields: ['_timestamp', '_routing'] }],
  ['all', { size: 0, aggs: { years: { histogram: { field: 'year', interval: 10 } } } }],
];

const answers = (engine: Resilin, index = 'books') =>
  Promise.all(
    SEARCHES.map(async ([name, body]) => {
      const { hits, aggregations } = await engine.search(name === 'books' ? index : name, body);
      const shown = hits.hits.map((hit) => ({ ...hit, _index: 'books' }));
      return { hits: { ...hits, hits: shown }, aggregations };
    }),
  );

/** An answer without what is another for each index. */
const withoutUuid = (answer: unknown) => JSON.stringify(answer).replace(/"uuid":"[^"]*"/, '');

/** Several segments, documents that were replaced and deleted before and after a flush. */
async function fill(engine: Resilin): Promise<void> {
  const ok = async (method: string, uri: string, body?: unknown) => {
    const { status } = await engine.request(method, uri, body);
    expect([uri, status]).toEqual([uri, expect.toSatisfy((each: number) => each < 300)]);
  };
  await ok('PUT', '/books', BODY);
  const title = (i: number) => ['an elastic rose', 'runs and running', 'the rose', 'elastic'][i % 4];
  for (let i = 0; i < 120; i++) {
    const routing = i % 7 === 0 ? '?routing=r' : '';
    await ok('PUT', `/books/book/${i}${routing}`, {
      title: `${title(i)} ${i}`,
      year: 1900 + (i % 100),
      loans: [{ by: i % 3 === 0 ? 'ann' : 'bob' }],
    });
    if (i % 40 === 39) await ok('POST', '/books/_refresh');
  }
  await ok('DELETE', '/books/book/1');
  await ok('PUT', '/books/book/2', { title: 'elastic rose again', year: 1930 });
  await ok('POST', '/books/_flush');
  await ok('DELETE', '/books/book/3');
  await ok('PUT', '/books/book/4', { title: 'rose', year: 1931 });
  await ok('POST', '/books/_refresh');
}

beforeEach(async () => {
  storage = new MemoryStorage();
  blobs = new MemoryBlobs();
  warnings = [];
  source = await createEngine({ wasm: module });
  target = await openTarget();
});
afterEach(async () => {
  await source.close();
  await target.close();
});

describe('an exported file', () => {
  it('becomes an index that answers as the one that it is of, with nothing indexed again', async () => {
    await fill(source);
    const file = await source.exportIndex('books');
    const expected = await answers(source);
    expect(expected[0]!.hits.total).toBeGreaterThan(100);
    expect(await target.importIndex(file)).toEqual({ index: 'books', documents: 118 });
    expect(await answers(target)).toEqual(expected);
    for (const uri of ['/books/_mapping', '/books/_settings', '/books/_aliases', '/books/_warmers']) {
      const [there, here] = await Promise.all([source, target].map((each) => each.request('GET', uri)));
      expect(withoutUuid(here)).toEqual(withoutUuid(there));
    }
    const { body } = await target.request<{ books: { shards: { index: object; translog: object }[] } }>(
      'GET',
      '/books/_recovery?detailed=true',
    );
    const { shards } = body.books;
    expect(shards).toHaveLength(3);
    for (const { translog } of shards) expect(translog).toMatchObject({ recovered: 0 });
    expect(await target.get('books', 'book', '3')).toBeUndefined();
    expect((await target.get('books', 'book', '4'))?._version).toBe(2);
    expect(warnings).toEqual([]);
  });

  it('is written to as any index is, and is there after a restart', async () => {
    await fill(source);
    await target.importIndex(await source.exportIndex('books'), { name: 'more' });
    expect(await answers(target, 'more')).toEqual(await answers(source));
    for (const engine of [source, target]) {
      const name = engine === source ? 'books' : 'more';
      await engine.index(name, 'book', { title: 'a new elastic rose', year: 1905 }, { id: '2' });
      await engine.request('DELETE', `/${name}/book/5`);
      await engine.request('POST', `/${name}/_refresh`);
    }
    const expected = await answers(target, 'more');
    expect(expected).toEqual(await answers(source));
    await target.close();
    target = await openTarget();
    expect((await answers(target, 'more'))[3]).toEqual(expected[3]);
    expect(warnings).toEqual([]);
  });

  it('is the same for an index without documents', async () => {
    await source.request('PUT', '/books', BODY);
    expect(await target.importIndex(await source.exportIndex('books'))).toEqual({
      index: 'books',
      documents: 0,
    });
    expect(await answers(target)).toEqual(await answers(source));
  });

  it('is refused where an index has its name, where it is none, and where its alias is an index', async () => {
    await fill(source);
    const file = await source.exportIndex('books');
    await target.request('PUT', '/books');
    await expect(target.importIndex(file)).rejects.toThrow(
      'IndexAlreadyExistsException[[books] already exists]',
    );
    await expect(target.importIndex(file, { name: 'Books' })).rejects.toThrow('must be lowercase');
    await target.request('PUT', '/old');
    await expect(target.importIndex(file, { name: 'more' })).rejects.toThrow('InvalidAliasNameException');
    expect(target.engine.indexNames()).toEqual(['books', 'old']);
    await expect(source.exportIndex('none')).rejects.toThrow('IndexMissingException[[none] missing]');
    await source.request('POST', '/books/_close');
    await expect(source.exportIndex('books')).rejects.toThrow('IndexClosedException[[books] closed]');
  });

  it('tells of a newer version, of a file that is cut off and of one that is another', async () => {
    await source.request('PUT', '/books', BODY);
    const file = await source.exportIndex('books');
    const newer = file.slice();
    newer[8] = 2;
    await expect(target.importIndex(newer)).rejects.toThrow(
      'the file has the version 2, and only 1 is known',
    );
    await expect(target.importIndex(file.subarray(0, 100))).rejects.toThrow('the file is cut off');
    await expect(target.importIndex(new Uint8Array(100))).rejects.toThrow('the file is no exported index');
  });
});

/** Rows and segments that there are, but for the node's own row, which counts numbers that were given away. */
const kept = async () => [
  [...storage.entries()].map(([key]) => String.fromCharCode(...key)).filter((key) => key !== 'mn'),
  await blobs.list(),
];

/** A small file whose record is long beside its parts. */
async function smallFile(): Promise<Uint8Array<ArrayBuffer>> {
  await source.request('PUT', '/books', { ...BODY, settings: { number_of_shards: 1 }, mappings: {} });
  await source.index('books', 'book', { title: 'rose', year: 1930 }, { id: '1' });
  await source.index('books', 'book', { title: 'rose again', year: 1931 }, { id: '2' });
  await source.request('DELETE', '/books/book/1');
  return source.exportIndex('books');
}

/** Where the parts begin. */
const partsOf = (file: Uint8Array<ArrayBuffer>) =>
  Math.ceil((24 + new DataView(file.buffer).getUint32(12, true)) / 8) * 8;

describe('a file that is damaged', () => {
  it('is refused, whichever byte it is, and leaves nothing behind', async () => {
    const file = await smallFile();
    const end = 24 + new DataView(file.buffer).getUint32(12, true);
    const { shards } = JSON.parse(new TextDecoder().decode(file.subarray(24, end))) as { shards: Shard[] };
    const start = partsOf(file);
    const used = new Set<number>();
    for (const { at, bytes } of shards.flatMap(partsIn))
      for (let i = 0; i < bytes; i++) used.add(start + at + i);
    const before = await kept();
    for (let at = 0; at < file.length; at += at < start ? 1 : 7) {
      if ((at >= end && !used.has(at)) || (at >= 20 && at < 24)) continue;
      const changed = file.slice();
      changed[at]! ^= 1 << (at % 8);
      await expect(target.importIndex(changed), `byte ${at}`).rejects.toThrow(/^the (file|record)/);
    }
    expect(await kept()).toEqual(before);
    expect(target.engine.indexNames()).toEqual([]);
  });
});

interface Place {
  at: number;
  bytes: number;
  sum: number;
}
interface Shard {
  segments: { image: Place; live?: Place }[];
  packs: Place[];
}
const partsIn = ({ segments, packs }: Shard): Place[] => [
  ...segments.flatMap(({ image, live }) => (live === undefined ? [image] : [image, live])),
  ...packs,
];

/** A file whose checksums are right, of a record and parts. */
function sealed(record: unknown, parts: Uint8Array): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(record));
  const start = Math.ceil((24 + json.length) / 8) * 8;
  const file = new Uint8Array(start + parts.length);
  const view = new DataView(file.buffer);
  file.set(new TextEncoder().encode('RESILIN\n'));
  view.setUint32(8, 1, true);
  view.setUint32(12, json.length, true);
  view.setInt32(16, xxh32(new DataView(json.buffer), 0, json.length), true);
  file.set(json, 24);
  file.set(parts, start);
  return file;
}

/** All places of values in a record. */
function* places(value: unknown): Generator<[holder: Record<string, unknown>, key: string]> {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    yield [value as Record<string, unknown>, key];
    yield* places((value as Record<string, unknown>)[key]);
  }
}

describe('a file with sound checksums that nobody has exported', () => {
  const oddValue = fc.oneof(
    fc.constantFrom(null, undefined, [], {}, '', 'x', -1, 0.5, 2 ** 31, 2 ** 52, [[]], [null], { at: 0 }),
    fc.jsonValue({ maxDepth: 2 }),
  );

  it('is refused, or is an index; the engine goes on in any case', async () => {
    const file = await smallFile();
    const json = file.subarray(24, 24 + new DataView(file.buffer).getUint32(12, true));
    const parts = file.subarray(partsOf(file));
    const query = new TextEncoder().encode(JSON.stringify({ query: { match: { title: 'rose' } } }));
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        oddValue,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
        async (at, value, changes) => {
          const record = JSON.parse(new TextDecoder().decode(json)) as { shards: Shard[] };
          const changed = parts.slice();
          if (changes.length === 0) {
            const all = [...places(record)];
            const [holder, key] = all[at % all.length]!;
            holder[key] = value;
          } else {
            for (const [where, byte] of changes) changed[where % changed.length] = byte;
            const view = new DataView(changed.buffer);
            for (const part of record.shards.flatMap(partsIn))
              part.sum = xxh32(view, part.at, part.at + part.bytes);
          }
          const before = await kept();
          const made = await target.importIndex(sealed(record, changed)).catch((e: unknown) => e);
          if (made instanceof Error) refused++;
          else {
            const uri = `/${encodeURIComponent((made as Imported).index)}`;
            // Sources are answered as they are, whatever they are.
            expect((await target.handle('POST', `${uri}/_search`, query)).status).toBeLessThan(600);
            expect((await target.request('DELETE', uri)).status).toBe(200);
          }
          expect(await kept()).toEqual(before);
          expect(target.engine.indexNames()).toEqual([]);
        },
      ),
      { numRuns: 300, seed: 1, endOnFailure: true },
    );
    expect(refused).toBeGreaterThan(50);
    await target.importIndex(file);
    expect((await target.search('books', { query: { match: { title: 'rose' } } })).hits.total).toBe(1);
  });
});
