/** The view of aggregations: built by clicks or JSON, charts, tables, filters, downloads. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleSetup, chromiumFile, isTooWide, PHONE, seriousProblems } from './support/consolePage.js';

const LONG = 'an author whose name is so long that no chart has room for it, not even one on a wide screen';

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

const opened = (aggs: object, more = '') =>
  `aggregations?index=books&aggs=${encodeURIComponent(JSON.stringify(aggs))}${more}`;

const total = (page: Page, count: number) =>
  page.getByRole('status').getByText(`${count} documents`).waitFor();

describe.runIf(chromiumFile !== undefined)('aggregations', () => {
  let setup: ConsoleSetup;

  beforeAll(async () => {
    setup = await ConsoleSetup.start();
    const whole = { type: 'string', index: 'not_analyzed' };
    await setup.request('PUT', '/books', {
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
    await setup.request('POST', '/books/book/_bulk?refresh=true', bulk());
  });
  afterAll(async () => {
    await setup?.close();
  });

  it('begin with a field that fits, and say what isn’t shown', async () => {
    const page = await setup.open('aggregations?index=books');
    await page
      .getByRole('button', { name: /^author 1/ })
      .first()
      .waitFor();
    await total(page, 120);
    await page.getByText('20 documents are in other buckets (sum_other_doc_count).').waitFor();
  });

  it('are built by clicks, with an interval that fits and buckets within buckets', async () => {
    const page = await setup.open('aggregations?index=books');
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
    expect(setup.problems).toEqual([]);
  });

  it('are narrowed by a query, and by a bucket that is clicked on', async () => {
    const page = await setup.open(opened({ by_kind: { terms: { field: 'kind' } } }));
    await total(page, 120);
    await page.getByRole('button', { name: /^novel/ }).click();
    await total(page, 40);
    await page.getByLabel('Query').fill('year:[* TO 1909]');
    await total(page, 20);
    await page.getByRole('button', { name: 'Remove the filter novel' }).click();
    await total(page, 60);
    await page.getByLabel('Query').fill('{"term":{"year":1890}}');
    await total(page, 3);
    await page.getByLabel('Query').fill('{"nothing":{}}');
    await page.getByRole('alert').getByText('No query registered for [nothing]').first().waitFor();
  });

  it('go from column to column by keyboard', async () => {
    const page = await setup.open(opened({ by_year: { histogram: { field: 'year', interval: 10 } } }));
    await page.getByRole('button', { name: '1890: 30' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await total(page, 30);
    await page.getByRole('list', { name: 'Filters' }).getByText('1900').waitFor();
  });

  it('show keys with all their digits, as a table and as CSV', async () => {
    const page = await setup.open(
      opened(
        { by_number: { terms: { field: 'number' }, aggs: { by_kind: { terms: { field: 'kind' } } } } },
        '&chart=table',
      ),
    );
    const table = page.getByRole('region', { name: 'Buckets' });
    await table.getByText('9007199254740993').first().waitFor();
    await table.getByRole('cell', { name: '66.7 %' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toBe(
      'number,kind,documents\r\n9007199254740993,essay,80\r\n9007199254740993,novel,40\r\n',
    );
    await table.getByRole('button', { name: 'novel' }).click();
    await total(page, 40);
  });

  it('may be any JSON, which stays JSON where clicks can’t build it', async () => {
    const page = await setup.open(
      opened({
        x: { terms: { field: 'kind', collect_mode: 'breadth_first' } },
        y: { percentiles: { field: 'year' } },
      }),
    );
    await page.getByRole('tab', { name: 'JSON', selected: true }).waitFor();
    await page.getByText('y.50.0').waitFor();
    await page.getByRole('button', { name: /^essay/ }).waitFor();
  });

  it.each(['light', 'dark'] as const)('have nothing serious that keeps people out, %s', async (theme) => {
    const aggs = {
      a: { histogram: { field: 'year', interval: 5 }, aggs: { b: { terms: { field: 'author' } } } },
    };
    const page = await setup.open(opened(aggs), { theme });
    await page.getByRole('list', { name: 'Colours' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('region', { name: 'Buckets' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  it('fit on a phone, also with long keys', async () => {
    const page = await setup.open(opened({ a: { terms: { field: 'author' } } }), { size: PHONE });
    await page.getByRole('button', { name: new RegExp(LONG) }).waitFor();
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('region', { name: 'Buckets' }).waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(await seriousProblems(page)).toEqual([]);
    expect(setup.problems).toEqual([]);
  });
});
