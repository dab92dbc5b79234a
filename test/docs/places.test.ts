import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const docs = join(root, 'docs');

it('every file that the pages name is there, and the index of places names some for each question', () => {
  const missing = readdirSync(docs)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) =>
      [...readFileSync(join(docs, name), 'utf8').matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)].map(
        ([, target]) => `${name}: ${target}`,
      ),
    )
    .filter((link) => !existsSync(join(docs, link.split(': ')[1]!)));
  expect(missing).toEqual([]);
  const [, index] = /## Index of places\n(.*?)\n## /s.exec(
    readFileSync(join(docs, 'architecture.md'), 'utf8'),
  )!;
  const rows = index!
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);
  expect(rows).toHaveLength(25);
  for (const row of rows) expect(row).toMatch(/\]\(\.\.\/(host|assembly|console)\//);
});

it('the table of folders in the README has every folder of the core and of the host', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, core, host] = /\n\| \[`assembly\/`\](.*?)\n\| \[`host\/`\](.*?)\n\| `test\/`/s.exec(readme)!;
  const named = (part: string) => [...part.matchAll(/`(\w+)\/`/g)].map(([, name]) => name).sort();
  const folders = (side: string) =>
    readdirSync(join(root, side), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
      .map(({ name }) => name)
      .sort();
  expect(named(core!)).toEqual(folders('assembly'));
  expect(named(host!)).toEqual(folders('host'));
});
