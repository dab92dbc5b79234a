/** Writing and running requests. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Ask } from './search.js';

/** An id beyond 2^53, the first of 300. */
export const FIRST_ID = 9007199254740993n;

/** Documents with long ids, in `numbered` of one shard. */
export async function putNumbered(ask: Ask): Promise<void> {
  await ask('PUT', '/numbered', {
    settings: { number_of_shards: 1 },
    mappings: { book: { properties: { title: { type: 'string' }, year: { type: 'integer' } } } },
  });
  const lines = Array.from(
    { length: 300 },
    (_, i) => `{"index":{"_id":"${FIRST_ID + BigInt(i)}"}}\n{"title":"Book ${i}","year":${1800 + i}}\n`,
  );
  await ask('POST', '/numbered/book/_bulk?refresh=true', lines.join(''));
}

/** The editor's text. */
export const editor = (page: Page) => page.locator('.cm-content').first();

/** The lines of the editor. */
export const written = async (page: Page) => (await page.locator('.cm-line').allTextContents()).join('\n');

/** Puts a text in the place of what stands there, and the cursor at its end. */
export async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  // As a paste: brackets that are typed close themselves.
  await page.keyboard.insertText(text);
}

export const answer = (page: Page) => page.getByRole('region', { name: 'Answer' });

/** From `requests`, with the documents above. */
export async function requestsScenario(page: Page): Promise<void> {
  await write(page, 'GET /_cat/count\n\nGET /numbered/_search\n{\n  "sort": "year",\n  "size": 2\n}\n');
  await page.keyboard.press('Control+Enter');
  await answer(page).getByText('Status 200').waitFor();
  await answer(page).getByText(String(FIRST_ID)).first().waitFor();
  await answer(page).getByRole('tab', { name: 'Table' }).click();
  const cells = answer(page).getByRole('row').nth(1).getByRole('cell');
  expect(await cells.allTextContents()).toEqual(expect.arrayContaining([String(FIRST_ID), 'Book 0', '1800']));
  await answer(page).getByRole('tab', { name: 'Documents (2)' }).click();
  expect(await answer(page).getByRole('link').first().getAttribute('href')).toContain(`id=${FIRST_ID}`);
  await answer(page).getByRole('tab', { name: 'Text' }).click();
  await answer(page).getByText('"total": 300').waitFor();
  // The other one by a click at its line.
  await page.locator('.cm-run').first().click();
  await answer(page).getByText('GET /_cat/count').waitFor();
  // A field is completed with its type.
  await write(page, 'GET /numbered/_search\n{"query": {"match": {');
  await page.keyboard.type('"ti');
  const field = page.locator('.cm-tooltip-autocomplete li').filter({ hasText: 'title' });
  await field.getByText('string').waitFor();
  await field.click();
  await expect.poll(() => written(page)).toContain('{"query": {"match": {"title":');
}
