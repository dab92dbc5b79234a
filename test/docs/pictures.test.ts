/** The pictures of the console: each is shown somewhere, none takes long to load. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'docs/console');
const pictures = readdirSync(folder);

it('are those that the manual of the console shows', () => {
  const text = readFileSync(join(root, 'docs/console.md'), 'utf8');
  const shown = [...text.matchAll(/!\[[^\]]+\]\(console\/([^)]+)\)/g)].map(([, name]) => name!);
  expect(shown.sort()).toEqual(pictures.sort());
});

it.each(pictures)('%s has at most 120 KB', (name) => {
  expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(120 * 1024);
});
