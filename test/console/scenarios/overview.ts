/** Keeping an index by clicks: made, given an alias, optimized, closed, opened, deleted. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Makes an index, gives it an alias, closes, opens and deletes it, by clicks alone. */
export async function overviewScenario(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create index' }).first().click();
  const create = page.getByRole('dialog', { name: 'Create index' });
  const submit = create.getByRole('button', { name: 'Create index' });
  expect(await submit.isDisabled()).toBe(true);
  await create.getByLabel('Name').fill('shelf');
  await create.getByLabel('Shards').fill('2');
  await create.getByText('"number_of_shards": 2').waitFor();
  await create.getByText('PUT', { exact: true }).waitFor();
  await submit.click();
  await page.getByRole('link', { name: 'shelf' }).waitFor();

  const manage = async (button: string) => {
    await page.getByRole('button', { name: 'Manage shelf' }).click();
    await page.getByRole('dialog', { name: 'shelf' }).getByRole('button', { name: button }).click();
  };
  await page.getByRole('button', { name: 'Manage shelf' }).click();
  const dialog = page.getByRole('dialog', { name: 'shelf' });
  await dialog.getByLabel('New alias').fill('bookcase');
  await dialog.getByRole('button', { name: 'Add…' }).click();
  const add = page.getByRole('dialog', { name: 'Add alias' });
  await add.getByText('/_aliases').waitFor();
  await add.getByRole('button', { name: 'Add alias' }).click();
  await page.getByRole('table', { name: 'Indices' }).getByText('bookcase').waitFor();

  await manage('Optimize…');
  await page.getByRole('dialog').getByText('/shelf/_optimize?max_num_segments=1').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Optimize' }).click();
  await page.getByText('shelf is optimized').waitFor();

  await manage('Close…');
  await page.getByRole('dialog', { name: 'Close' }).getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('table', { name: 'Indices' }).getByText('closed').waitFor();
  await manage('Open…');
  await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
  await page.getByRole('link', { name: 'shelf' }).waitFor();

  await manage('Delete…');
  const remove = page.getByRole('dialog', { name: 'Delete index' });
  const button = remove.getByRole('button', { name: 'Delete index' });
  await remove.getByText('DELETE', { exact: true }).waitFor();
  await remove.getByLabel('Type shelf to go on').fill('shel');
  expect(await button.isDisabled()).toBe(true);
  await remove.getByLabel('Type shelf to go on').fill('shelf');
  await button.click();
  await page.getByRole('link', { name: 'shelf' }).waitFor({ state: 'detached' });
}
