import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EXPORT_HELP, runExport } from '../../host/cli/exportCommand.js';
import { parseCommand } from '../../host/cli/options.js';
import { createEngine } from '../../host/index.js';
import { coreBytes } from '../support/core.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-export-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function run(index: string, data = join(folder, 'data')) {
  const printed: string[] = [];
  const complained: string[] = [];
  const status = await runExport(
    { index, file: join(folder, 'books.resilin'), data },
    (line) => printed.push(line),
    (line) => complained.push(line),
  );
  return { status, printed, complained };
}

it('writes an index of a stopped data folder to a file', async () => {
  const kept = await createEngine({ wasm: coreBytes(), data: join(folder, 'data') });
  await kept.index('books', 'book', { title: 'The name of the rose' }, { id: '1' });
  await kept.index('others', 'book', { title: 'Another rose' }, { id: '2' });
  const inUse = await run('books');
  expect([inUse.status, inUse.complained[0]]).toEqual([
    1,
    expect.stringMatching(/^resilin: the data folder .* is in use/),
  ]);
  await kept.close();

  const done = await run('books');
  const file = join(folder, 'books.resilin');
  const bytes = readFileSync(file);
  expect(done).toEqual({ status: 0, printed: [`books: ${bytes.length} bytes in ${file}`], complained: [] });
  const engine = await createEngine({ wasm: coreBytes() });
  expect(await engine.importIndex(bytes)).toEqual({ index: 'books', documents: 1 });
  const { hits } = await engine.search('', { query: { match: { title: 'rose' } } });
  expect(hits.hits.map(({ _id }) => _id)).toEqual(['1']);
  await engine.close();
});

it('says what is missing, and leaves no file', async () => {
  await (await createEngine({ wasm: coreBytes(), data: join(folder, 'data') })).close();
  const missing = await run('books');
  expect(missing).toMatchObject({
    status: 1,
    complained: ['resilin: IndexMissingException[[books] missing]'],
  });
  const nowhere = join(folder, 'nowhere');
  const none = await run('books', nowhere);
  expect(none.complained).toEqual([`resilin: ${nowhere} is no data folder: it has no store/data.mdb`]);
  for (const name of ['books.resilin', 'books.resilin.part', 'nowhere'])
    expect(existsSync(join(folder, name))).toBe(false);
});

it('reads its arguments, and explains itself', () => {
  const options = { index: 'books', file: 'b.resilin', data: './data' };
  expect(parseCommand(['export', 'books', 'b.resilin'], {})).toEqual({ kind: 'export', options });
  expect(parseCommand(['export', '--data=x', 'books', 'b.resilin'], { RESILIN_DATA: 'y' })).toEqual({
    kind: 'export',
    options: { ...options, data: 'x' },
  });
  expect(parseCommand(['export', 'books', 'b.resilin'], { RESILIN_DATA: 'y' })).toMatchObject({
    options: { data: 'y' },
  });
  expect(parseCommand(['export', '--help'], {})).toEqual({ kind: 'exportHelp' });
  expect(EXPORT_HELP).toContain('importIndex');
  for (const args of [
    ['books'],
    ['books', 'b', 'c'],
    ['books', 'b', '--port', '1'],
    ['books', 'b', '--data'],
  ])
    expect(parseCommand(['export', ...args], {}).kind).toBe('mistake');
});
