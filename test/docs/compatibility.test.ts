import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';
import { compatibilityPage } from './compatibility.js';

const root = resolve(import.meta.dirname, '../..');
const page = join(root, 'docs/compatibility.md');

it('docs/compatibility.md says what the engine answers (npm run docs writes it)', async () => {
  const api = await openApi(coreBytes());
  try {
    const text = await compatibilityPage(api);
    if (process.env.RESILIN_WRITE_DOCS) writeFileSync(page, text);
    expect(readFileSync(page, 'utf8')).toBe(text);
  } finally {
    await api.close();
  }
});
