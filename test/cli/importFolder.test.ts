/** Imports straight into a data folder. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEngine } from '../../host/index.js';
import { coreBytes } from '../support/core.js';
import { hasFaults, makeFaults } from '../support/faults/library.js';
import { built } from '../support/server.js';
import { run, start } from './command.js';

await built();
let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'resilin-import-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const open = () => createEngine({ wasm: coreBytes(), data: join(cwd, 'data') });
const args = ['import', 'books.jsonl', '--index', 'books', '--data', 'data'];
const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => `{"n":${n},"text":"${'word '.repeat(100)}"}\n`).join('');

/** What the documents of the folder add up to. */
async function found(): Promise<unknown> {
  const engine = await open();
  await engine.request('POST', '/books/_refresh');
  const search = { aggs: { n: { extended_stats: { field: 'n' } } } };
  const { body } = await engine.request<{ aggregations: { n: Record<string, number> } }>(
    'POST',
    '/books/_search?search_type=count',
    search,
  );
  await engine.close();
  const { count, sum, sum_of_squares } = body.aggregations.n;
  return { count, sum, sum_of_squares };
}
/** What those of {@link numbered} do. */
function expected(count: number): unknown {
  const all = Array.from({ length: count }, (_, n) => n);
  const total = (of: (n: number) => number) => all.reduce((sum, n) => sum + of(n), 0);
  return { count, sum: total((n) => n), sum_of_squares: total((n) => n * n) };
}

it('makes the folder, and refuses one that is in use', async () => {
  writeFileSync(join(cwd, 'books.jsonl'), '{"title":"rose"}\n{"title":{"a":1}}\n');
  writeFileSync(join(cwd, 'mapping.json'), '{"settings":{"number_of_shards":2},"mappings":{"doc":{}}}');
  const { status, out } = await run([...args, '--mapping', 'mapping.json'], { cwd });
  expect([status, out]).toEqual([1, expect.stringMatching(/^1 documents taken, 1 refused: /)]);
  const engine = await open();
  const { hits } = await engine.search('books', { query: { match: { title: 'rose' } } });
  expect(hits.total).toBe(1);
  rmSync(join(cwd, 'books.jsonl.refused.jsonl'));
  const used = await run(args, { cwd });
  expect([used.status, used.err]).toEqual([3, expect.stringMatching(/the data folder .* is in use by /)]);
  await engine.close();
  for (const more of [
    ['--url', 'http://a'],
    ['--data', ':memory:'],
  ])
    expect((await run([...args, ...more], { cwd })).status).toBe(2);
});

it.runIf(process.platform !== 'win32')('after kill -9 loses and doubles nothing', async () => {
  writeFileSync(join(cwd, 'books.jsonl'), numbered(20_000));
  // Nobody writes into it: the command can't come to its end.
  const pipe = join(cwd, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const [name, ...options] = args.slice(1);
  const resumed = ['import', name!, 'pipe', ...options, '--resume', 'state', '--bulk', '1'];
  const command = start(resumed, { cwd });
  // The file is there before the first document is sent.
  const watcher = watch(cwd, () => {
    if (existsSync(join(cwd, 'state'))) command.child.kill('SIGKILL');
  });
  expect((await command.ended).signal).toBe('SIGKILL');
  watcher.close();
  expect(JSON.parse(readFileSync(join(cwd, 'state'), 'utf8')).isDone).toBe(false);
  const again = start(resumed, { cwd });
  // Opened when the command reads it.
  await (await openFile(pipe, 'w')).close();
  const { status, out } = await again.ended;
  expect([status, out]).toEqual([0, expect.stringMatching(/^20,000 documents taken/)]);
  expect(await found()).toEqual(expected(20_000));
});

it.runIf(hasFaults)('a full disk ends it; when there is room again it goes on', async () => {
  makeFaults(cwd);
  writeFileSync(join(cwd, 'books.jsonl'), numbered(2000));
  // The folder, and the file's first pages.
  await (await open()).close();
  writeFileSync(join(cwd, 'full'), '28');
  const env = {
    LD_PRELOAD: join(cwd, 'faults.so'),
    RESILIN_FAULT_CALL: 'pwrite,writev',
    RESILIN_FAULT_PATH: 'data.mdb',
    RESILIN_FAULT_FROM: '0',
    RESILIN_FAULT_FLAG: join(cwd, 'full'),
  };
  const resumed = [...args, '--resume', 'state', '--tries', '1'];
  const full = await run(resumed, { cwd, env });
  expect([full.status, full.err]).toEqual([3, expect.stringContaining('No space left on device')]);
  expect(existsSync(join(cwd, 'books.jsonl.refused.jsonl'))).toBe(false);
  expect((await run(resumed, { cwd })).status).toBe(0);
  expect(await found()).toEqual(expected(2000));
});
