/** Searching, and finding out why a hit ranks where it does. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Sends a request to the engine behind a page; a body that is no string is sent as JSON. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Documents about mills, in `books` of one shard. */
export async function putBooks(ask: Ask): Promise<void> {
  await ask('PUT', '/books', {
    settings: { number_of_shards: 1 },
    mappings: {
      book: {
        properties: {
          title: { type: 'string' },
          text: { type: 'string' },
          genre: { type: 'string', index: 'not_analyzed' },
          year: { type: 'integer' },
          number: { type: 'long' },
        },
      },
    },
  });
  const books = [
    ['The old mill', 'An old mill by the river, and the miller.', 'novel', 1860],
    ['The mill', 'A mill.', 'novel', 1861],
    ['A long story about a mill, a river, a road and a bridge', 'Old stories of a river.', 'essay', 1870],
    ['Rivers', 'No wheel turns by the river, none by the road.', 'essay', 1880],
    ['Wheels', 'The old wheel of the old mill of the old town.', 'poem', 1890],
  ] as const;
  for (const [i, [title, text, genre, year]] of books.entries())
    await ask(
      'PUT',
      `/books/book/900719925474099${i}?refresh=true`,
      `{"title":${JSON.stringify(title)},"text":${JSON.stringify(text)},"genre":"${genre}","year":${year},"number":900719925474099${i + 1}}`,
    );
}

/** Puts a text into an editor: emptied by the editor, since Chromium keeps styles where it replaces a text itself, which the policy refuses. */
async function writeInto(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

/** From `search?index=books`. */
export async function searchScenario(page: Page): Promise<void> {
  await page.getByRole('heading', { name: '5 hits' }).waitFor();
  // As one types, then Enter.
  const words = page.getByRole('searchbox', { name: 'Query: words' });
  await words.pressSequentially('old mill bridge', { delay: 5 });
  await page.getByRole('heading', { name: '4 hits' }).waitFor();
  const fields = page.getByRole('group', { name: 'in' });
  await fields.getByRole('button', { name: 'title', exact: true }).click();
  await fields.getByRole('button', { name: 'text', exact: true }).click();
  await page.getByLabel('Boost of title').fill('3');
  // What is typed is searched for a moment later, and another search has no hit chosen.
  await page.waitForURL((url) => decodeURIComponent(url.hash).includes('title^3'));
  const first = page.getByRole('button', { name: /^Explain hit 1 The old mill/ });
  await first.waitFor();
  const hits = page.getByRole('list', { name: 'Hits' });
  expect(await hits.locator('mark').allTextContents()).toContain('mill');
  // Ids and numbers with all of their digits.
  await hits.getByText('books/book/9007199254740990').waitFor();
  await hits.getByText('9007199254740991', { exact: true }).waitFor();
  expect(await page.getByRole('list', { name: 'Share of each field' }).textContent()).toMatch(/%/);
  // Why the third is the third.
  await page.getByRole('button', { name: /^Explain hit 3/ }).click();
  await page.getByText(/^Ranks third because its score is .* below that of the second/).waitFor();
  expect(await page.getByRole('list', { name: 'Differences to the hit above' }).textContent()).toMatch(
    /title|text/,
  );
  const tree = page.getByRole('list', { name: 'Explanation' });
  await tree.getByText('coord', { exact: true }).first().waitFor();
  await tree.getByText('Coordination factor', { exact: false }).first().waitFor();
  // Every node can be opened by keyboard.
  const weight = tree
    .locator('summary')
    .filter({ hasText: /fieldWeight/ })
    .first();
  await weight.focus();
  await page.keyboard.press('Enter');
  await tree.getByText('√freq').first().waitFor();
  await tree
    .getByText(/of 5 documents have the term/)
    .first()
    .waitFor();
  // The link holds all of it.
  const link = page.url();
  expect(decodeURIComponent(link)).toContain('title^3');
  await page.goto('about:blank');
  await page.goto(link);
  await page.getByText(/^Ranks third because/).waitFor();
  // A value becomes a filter, and its opposite.
  await page.getByRole('list', { name: 'Hits' }).getByRole('button', { name: 'novel' }).first().click();
  await page.getByRole('heading', { name: '2 hits' }).waitFor();
  await page.getByRole('button', { name: 'genre is novel' }).first().click();
  await page.getByRole('button', { name: 'genre is not novel' }).first().waitFor();
  await page.getByRole('button', { name: 'Remove the filter genre is not novel' }).click();
  // The values of all hits.
  await page.getByText('Values to filter by').click();
  await page.getByRole('region', { name: 'Values of genre' }).getByRole('button', { name: 'poem' }).click();
  await page.getByRole('heading', { name: '1 hit' }).waitFor();
  await page.getByRole('button', { name: 'Remove the filter genre is poem' }).click();
  // Which fields are shown.
  await page.getByText('Fields shown', { exact: true }).first().click();
  await page.getByRole('group', { name: 'Fields shown' }).getByRole('button', { name: 'year' }).click();
  await hits.getByText('1860').first().waitFor();
  await hits.getByRole('button', { name: 'novel' }).first().waitFor({ state: 'detached' });
  // Sorted, with the score beside.
  await page.getByLabel('Sort by').selectOption('year:desc');
  await page.getByRole('button', { name: /^Explain hit 1 Wheels/ }).click();
  await page.getByText('the hits are sorted by year').waitFor();
  await page.getByLabel('Sort by').selectOption('');
  await page.getByRole('list', { name: 'Time of each phase' }).getByText('finding and scoring').waitFor();
  // As Lucene sees it.
  await page.getByText('The query as Lucene sees it').click();
  await page
    .getByText(/title:old/)
    .first()
    .waitFor();
  // As JSON, with what went wrong in the server's words.
  await page.getByRole('tab', { name: 'JSON' }).click();
  const editor = page.locator('.editor .cm-content');
  await editor.getByText('multi_match').waitFor();
  await writeInto(page, editor, '{"query": {"nonsense": {}}}');
  await page.keyboard.press('Control+Enter');
  await page.getByText('No query registered for [nonsense]').waitFor();
  await writeInto(page, editor, '{"query": {"match": {"text": "wheel"}}}');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: '2 hits' }).waitFor();
}
