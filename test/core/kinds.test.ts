import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

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
