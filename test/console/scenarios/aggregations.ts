/** Building an aggregation by clicks, and looking at it in each way. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Ask } from './search.js';

export const LONG =
  'an author whose name is so long that no chart has room for it, not even one on a wide screen';

/** Twelve authors, one long; years from 1890; an id beyond 2^53. */
function bulk(): string {
  const lines: string[] = [];
  for (let i = 0; i < 120; i++) {
    const author = i % 12 === 0 ? LONG : `author ${i % 12}`;
    lines.push(JSON.stringify({ index: { _id: String(i) } }));
    lines.push(
      `{"author":${JSON.stringify(author)},"year":${1890 + (i % 40)},"number":9007199254740993,` +
        `"date":"${1890 + (i % 40)}-06-01","kind":"${i % 3 === 0 ? 'novel' : 'essay'}","place":"48.${i},2.3"}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** An index `shelf` with 120 of them. */
export async function putBooks(ask: Ask): Promise<void> {
  const whole = { type: 'string', index: 'not_analyzed' };
  await ask('PUT', '/shelf', {
    settings: { number_of_shards: 2 },
    mappings: {
      book: {
        properties: {
          author: whole,
          kind: whole,
          year: { type: 'integer' },
          number: { type: 'long' },
          date: { type: 'date' },
          place: { type: 'geo_point' },
        },
      },
    },
  });
  await ask('POST', '/shelf/book/_bulk?refresh=true', bulk());
}

/** From `aggregations?index=shelf`. */
export async function aggregationsScenario(page: Page): Promise<void> {
  await page.getByLabel('Buckets: kind').selectOption('date_histogram');
  await page.getByRole('button', { name: 'Remove buckets' }).waitFor();
  await page.getByRole('group', { name: '40 buckets by date' }).waitFor();
  expect(await page.getByLabel('Interval').inputValue()).toBe('year');
  await page.getByRole('button', { name: 'Buckets', exact: true }).click();
  await page.getByLabel('Within each bucket: field').selectOption('kind');
  await page.getByRole('list', { name: 'Colours' }).getByText('novel').waitFor();
  await page.getByRole('button', { name: 'Number', exact: true }).click();
  await page.getByLabel('Number of each bucket: field').selectOption('year');
  await page.getByLabel(/^Show/).selectOption('avg_year');
  await page.getByRole('button', { name: '1891: 1,891' }).waitFor();
  await page.getByRole('tab', { name: 'Lines' }).click();
  await page.getByRole('img', { name: /as lines/ }).waitFor();
  await page.getByRole('tab', { name: 'Small charts' }).click();
  await page.getByRole('heading', { name: /^1890/ }).waitFor();
  // The address holds it all.
  await page.reload();
  await page.getByRole('heading', { name: /^1890/ }).waitFor();
  expect(await page.getByLabel('Within each bucket: field').inputValue()).toBe('kind');
}
