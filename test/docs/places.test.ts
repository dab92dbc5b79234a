import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const docs = resolve(import.meta.dirname, '../../docs');

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
  expect(rows).toHaveLength(20);
  for (const row of rows) expect(row).toMatch(/\]\(\.\.\/(host|assembly)\//);
});
