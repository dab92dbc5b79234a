import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { StreamedExport } from '../../host/snapshot/streamedExport.js';
import { coreBytes } from '../support/core.js';

const module = await WebAssembly.compile(coreBytes());
let resilin: Resilin;

beforeEach(async () => {
  resilin = await createEngine({ wasm: module });
  await resilin.request('PUT', '/books', { settings: { number_of_shards: 2 } });
  for (let id = 0; id < 100; id++)
    await resilin.index('books', 'book', { title: `rose ${id}` }, { id: String(id), refresh: id % 30 === 0 });
});
afterEach(() => resilin.close());

const open = (name: string) => StreamedExport.of(resilin.engine.index(name));

/** All that is put, each piece when the one before is done with. */
async function written(stream: StreamedExport, between = async () => {}): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let isTaken = true;
  await stream.write(async (bytes) => {
    expect(isTaken).toBe(true);
    isTaken = false;
    await between();
    pieces.push(bytes.slice());
    isTaken = true;
  });
  const whole = Buffer.concat(pieces);
  expect(whole.length).toBe(stream.bytes);
  return whole;
}

it('is the file that an engine makes in memory', async () => {
  const stream = await open('books');
  expect(Buffer.compare(await written(stream), await resilin.exportIndex('books'))).toBe(0);
});

it('has what was there when it was asked for, whatever is written, deleted and merged meanwhile', async () => {
  const before = await resilin.exportIndex('books');
  const stream = await open('books');
  let id = 0;
  const file = await written(stream, async () => {
    for (let i = 0; i < 20; i++, id++) {
      await resilin.request('DELETE', `/books/book/${id % 100}`);
      await resilin.index('books', 'book', { title: 'another' }, { refresh: true });
    }
    await resilin.request('POST', '/books/_optimize?max_num_segments=1&flush=false');
  });
  expect(id).toBeGreaterThan(100);
  expect(Buffer.compare(file, before)).toBe(0);
});

it('is none of an index that is deleted before it begins', async () => {
  const index = resilin.engine.index('books');
  await resilin.request('DELETE', '/books');
  await expect(StreamedExport.of(index)).rejects.toMatchObject({
    exception: 'IndexMissingException',
    status: 404,
  });
});

it('holds a few moments at a time, and lets go of each that is written, failed or given up', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) await resilin.index(name, 'book', { title: 'rose' });
  const openAll = (...asked: string[]) => Promise.all(asked.map(open));
  const refused = {
    exception: 'EsRejectedExecutionException',
    detail: '4 indices are being exported already',
  };
  const held = await openAll('a', 'b', 'c', 'd');
  await expect(open('e')).rejects.toMatchObject(refused);
  await written(held[0]!);
  const gone = new Error('gone');
  await expect(held[1]!.write(() => Promise.reject(gone))).rejects.toBe(gone);
  held[2]!.release();
  held[2]!.release();
  const again = await openAll('a', 'b', 'c');
  await expect(open('e')).rejects.toMatchObject(refused);
  for (const stream of [...again, held[3]!]) stream.release();
  // What can't be begun holds nothing.
  await resilin.request('POST', '/e/_close');
  for (let i = 0; i < 5; i++) await expect(open('e')).rejects.toThrow('closed');
});

it('ends where the index is deleted meanwhile', async () => {
  const stream = await open('books');
  await resilin.request('DELETE', '/books');
  await expect(written(stream)).rejects.toThrow();
});
