import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { apiPage } from './api.js';

const page = join(resolve(import.meta.dirname, '../..'), 'docs/api.md');

it('docs/api.md lists the endpoints there are (npm run docs writes it)', () => {
  const text = apiPage();
  if (process.env.RESILIN_WRITE_DOCS) writeFileSync(page, text);
  expect(readFileSync(page, 'utf8')).toBe(text);
});
