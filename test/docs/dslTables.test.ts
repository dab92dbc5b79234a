import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { coreBytes } from '../support/core.js';
import { AGGREGATIONS, PLACES, SUGGESTERS } from './dslPlaces.js';
import { dslTables } from './dslTables.js';

const file = join(resolve(import.meta.dirname, '../..'), 'console/src/dsl/tables.generated.json');

it('the console completes with what the parsers take (npm run docs writes its tables)', async () => {
  const tables = await dslTables(coreBytes());
  const text = `${JSON.stringify(tables, undefined, 1)}\n`;
  if (process.env.RESILIN_WRITE_DOCS) writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
  // What has a registry has a place.
  expect(Object.keys(AGGREGATIONS).sort()).toEqual(tables.aggregations);
  expect(Object.keys(SUGGESTERS).sort()).toEqual(tables.suggesters);
  expect(PLACES.every(({ name }) => name in tables.places)).toBe(true);
}, 240_000);
