/** Looking through documents, editing one, adding a field. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { FIRST_ID, write } from './requests.js';
import type { Ask } from './search.js';

/** From `documents?index=numbered`, with the documents of `putNumbered`. */
export async function documentsScenario(page: Page, ask: Ask): Promise<void> {
  await page.getByText('1 to 50 of 300 documents').waitFor();
  await page.getByLabel('Words').fill('title:"Book 7"');
  await page.getByText('1 to 1 of 1 documents').waitFor();
  const id = String(FIRST_ID + 7n);
  await page.getByRole('link', { name: id }).click();
  const dialog = page.getByRole('dialog', { name: id });
  await dialog.getByRole('tab', { name: 'Edit' }).click();
  await write(page, '{"title": "Book 7", "year": 1807, "number": 9007199254740993001}');
  await dialog.getByRole('button', { name: 'Store' }).click();
  // The number stands in the editor too, before it is stored.
  await page.getByText(`${id} is stored`).waitFor();
  await dialog.getByText('9007199254740993001').waitFor();
  expect(await ask('GET', `/numbered/book/${id}`)).toMatchObject({ _version: 2 });
}

/** From `mappings?index=numbered`. */
export async function mappingsScenario(page: Page): Promise<void> {
  const panel = page.getByRole('region', { name: 'numbered / book' });
  await panel.getByRole('button', { name: 'Count documents' }).click();
  await panel.getByText('300 (100 %)').first().waitFor();
  await panel.getByRole('button', { name: 'Index title in another form too' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add field' });
  await dialog.getByLabel(/^Name/).fill('title.english');
  await dialog.getByLabel('Analyzer').fill('english');
  await dialog.getByRole('button', { name: 'Add field' }).click();
  await panel.getByText('analyzer english').waitFor();
}
