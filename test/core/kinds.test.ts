import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = 'assembly/search';
const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

it('the core has a line for each kind of node that plans have, and for no other', () => {
  const named = [...read('assembly/abi/plan.ts').matchAll(/export const (NODE_\w+):/g)].map(
    ([, name]) => name,
  );
  const defined = [...read('assembly/search/kinds.ts').matchAll(/^ {2}define\((\w+),/gm)].map(
    ([, name]) => name,
  );
  expect(named.length).toBeGreaterThan(30);
  expect(defined.sort()).toEqual(named.sort());
});

it('a kind that is matched by a set says how that is filled', () => {
  const registry = read(`${folder}/kinds.ts`);
  const named = (pattern: RegExp) => [...registry.matchAll(pattern)].map(([, name]) => name).sort();
  const matched = named(/^ {2}define\((\w+), \w+, compileSet,/gm);
  expect(matched.length).toBeGreaterThan(5);
  expect(named(/^ {2}defineSet\((\w+),/gm)).toEqual([...matched, 'NODE_TERM'].sort());
});

it('nothing but the files of kinds goes by the kind of a node', () => {
  const files = readdirSync(new URL(`../../${folder}`, import.meta.url)).filter((file) =>
    file.endsWith('.ts'),
  );
  const going = files.filter((file) => /\bcase NODE_|[=!<>]=? NODE_/.test(read(`${folder}/${file}`)));
  // What is kept of a filter is read in place of it.
  expect(going).toEqual(['decodeNodes.ts']);
});
