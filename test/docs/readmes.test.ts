import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
/** Folders of data, of which a README of the folder that they are in speaks; and what benches write, which the repository doesn't have. */
const DATA = /(^|\/)fixtures(\/|$)|^bench\/results$/;

const folders = ['host', 'assembly', 'test', 'bench'].flatMap((top) => [
  top,
  ...readdirSync(join(root, top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((folder) => !DATA.test(folder.replaceAll('\\', '/'))),
]);

it('every folder has a README', () => {
  expect(folders.filter((folder) => !existsSync(join(root, folder, 'README.md')))).toEqual([]);
});

it('the READMEs of folders name files that are there', () => {
  const missing = folders.flatMap((folder) => {
    const readme = join(root, folder, 'README.md');
    if (!existsSync(readme)) return [];
    return [...readFileSync(readme, 'utf8').matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !existsSync(join(root, folder, target)))
      .map((target) => `${folder}/README.md: ${target}`);
  });
  expect(missing).toEqual([]);
});

it('the folders of tests have the names of those that they test, or are told of in their README', () => {
  const readme = readFileSync(join(root, 'test/README.md'), 'utf8');
  const namesIn = (top: string) =>
    readdirSync(join(root, top), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  const tested = new Set([...namesIn('host'), ...namesIn('assembly')]);
  expect(namesIn('test').filter((name) => !tested.has(name) && !readme.includes(`\`${name}/\``))).toEqual([]);
});
