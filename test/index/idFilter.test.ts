/** What a shard has had it may have; most of what it hasn't had it hasn't. */
import { expect, test } from 'vitest';
import { IdFilter } from '../../host/shard/idFilter.js';

test('every id that was added may be there, and few of the others', () => {
  const filter = new IdFilter();
  const ids = Array.from({ length: 30_000 }, (_, i) => `type#${i * 7}`);
  let mistaken = 0;
  for (const id of ids) {
    if (filter.mayHave(id)) mistaken++;
    filter.add(id);
  }
  expect(mistaken).toBeLessThan(ids.length * 0.1);
  for (const id of ids) expect(filter.mayHave(id)).toBe(true);
  let others = 0;
  for (let i = 0; i < 10_000; i++) if (filter.mayHave(`type#ü${i}`)) others++;
  expect(others).toBeLessThan(1000);
});

test('beyond its room it knows of nothing that it is not there', () => {
  const filter = new IdFilter();
  expect(filter.mayHave('a')).toBe(false);
  for (let i = 0; i < 3_300_000; i++) filter.add('x');
  expect(filter.mayHave('a')).toBe(true);
});
