/** Looking at what an analyzer makes of a text, and trying another one. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Ask } from './search.js';

/** An index `tales` with an analyzer of its own. */
export async function putTales(ask: Ask): Promise<void> {
  await ask('PUT', '/tales', {
    settings: {
      number_of_shards: 1,
      analysis: {
        char_filter: { sharp: { type: 'mapping', mappings: ['ß=>ss'] } },
        filter: { places: { type: 'synonym', synonyms: ['nyc, new york city'] } },
        analyzer: {
          folded: {
            type: 'custom',
            char_filter: ['html_strip', 'sharp'],
            tokenizer: 'standard',
            filter: ['lowercase', 'places', 'asciifolding'],
          },
        },
      },
    },
    mappings: {
      tale: { properties: { title: { type: 'string', analyzer: 'folded' }, year: { type: 'integer' } } },
    },
  });
}

/** From `analysis?index=tales`. */
export async function analysisScenario(page: Page): Promise<void> {
  const text = page.getByLabel('Text to analyze');
  await text.fill('<b>Straße</b> in NYC, the crème שלום 😀!');
  await page.getByRole('combobox', { name: 'Analyzer' }).selectOption('folded');
  // Stage by stage, in words.
  const stages = page.getByRole('list', { name: 'Stages of folded' });
  await stages.getByText('Strasse in NYC').waitFor();
  await stages.getByText('1 character more').waitFor();
  await stages.getByText(/^\d added; \d+ tokens$/).waitFor();
  // Synonyms stand in the column of their position.
  const synonyms = stages.getByRole('list', { name: 'Tokens after places' });
  const column = synonyms.getByRole('listitem').filter({ hasText: 'nyc' });
  expect(await column.textContent()).toContain('new');
  // A token and its span.
  const last = stages.getByRole('list', { name: 'Tokens after asciifolding' });
  await last.getByRole('button', { name: /^creme position/ }).hover();
  expect(await page.locator('.offset-text .pointed').textContent()).toBe('crème');
  await last.getByRole('button').first().focus();
  expect(await page.locator('.offset-text .pointed').first().textContent()).toContain('Straße');
  await page.keyboard.press('ArrowRight');
  expect(await page.locator('.offset-text .pointed').textContent()).toBe('in');
  // By the field, which has it too.
  await page.getByRole('tab', { name: 'Field' }).click();
  await page.getByRole('list', { name: 'Stages of field title' }).waitFor();
  // Another analyzer beside it.
  await page.getByRole('button', { name: 'Compare with another analyzer' }).click();
  await page.getByText(/tokens? in common, .* only from english/).waitFor();
  await page.getByRole('button', { name: 'End comparing' }).click();
  // Its chain, changed before it is put into settings.
  await page.getByRole('tab', { name: 'Analyzer', exact: true }).click();
  await page.getByRole('button', { name: 'Change its parts' }).click();
  const filters = page.getByRole('group', { name: 'Token filters' });
  await filters.getByRole('button', { name: 'Remove asciifolding' }).click();
  await filters.getByLabel('Add a token filter').selectOption('length');
  const settings = filters.getByLabel('Settings of length as JSON');
  await settings.fill('{"min": 4');
  await filters.getByRole('alert').waitFor();
  await settings.fill('{"min": 4}');
  const chain = page.getByRole('list', { name: 'Stages of the custom chain' });
  await chain.getByRole('list', { name: 'Tokens after length' }).getByText('crème').waitFor();
  await chain.getByText(/removed; \d tokens$/).waitFor();
  await filters.getByRole('button', { name: 'length earlier' }).click();
  await chain.getByRole('listitem').filter({ hasText: 'places' }).first().waitFor();
  // The link holds all of it.
  const link = page.url();
  await page.goto('about:blank');
  await page.goto(link);
  await chain.getByRole('list', { name: 'Tokens after length' }).getByText('crème').waitFor();
  // As settings, and as an index.
  await page.getByText('As settings of an index').click();
  await page.getByLabel('Name of the analyzer').fill('long_words');
  await page.getByText('"long_words_length"').first().waitFor();
  await page.getByRole('button', { name: 'Create an index with it' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the index').fill('tales2');
  await dialog.getByRole('button', { name: 'Create index' }).click();
  await page.getByRole('list', { name: 'Stages of long_words' }).waitFor();
}
