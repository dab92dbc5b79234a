/** The view of aggregations: built by clicks or JSON, charts, tables, filters, downloads. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregationsScenario, LONG, putBooks } from './scenarios/aggregations.js';
import { ConsoleSetup, chromiumFile, isTooWide, PHONE, seriousProblems } from './support/consolePage.js';

const opened = (aggs: object, more = '') =>
  `aggregations?index=shelf&aggs=${encodeURIComponent(JSON.stringify(aggs))}${more}`;

const total = (page: Page, count: number) =>
  page.getByRole('status').getByText(`${count} documents`).waitFor();

describe.runIf(chromiumFile !== undefined)('aggregations', () => {
  let setup: ConsoleSetup;

  beforeAll(async () => {
    setup = await ConsoleSetup.start();
    await putBooks((method, path, body) => setup.request(method, path, body));
  });
  afterAll(async () => {
    await setup?.close();
  });

  it('begin with a field that fits, and say what isn’t shown', async () => {
    const page = await setup.open('aggregations?index=shelf');
    await page
      .getByRole('button', { name: /^author 1/ })
      .first()
      .waitFor();
    await total(page, 120);
    await page.getByText('20 documents are in other buckets (sum_other_doc_count).').waitFor();
    // Another index, which has other fields.
    await setup.request('PUT', '/plain/doc/1?refresh=true', { colour: 'red' });
    await page.getByLabel('Index').fill('plain');
    await page.getByLabel('Index').press('Enter');
    await page.getByRole('button', { name: /^red/ }).waitFor();
  });

  it('are built by clicks, with an interval that fits and buckets within buckets', async () => {
    const page = await setup.open('aggregations?index=shelf');
    await aggregationsScenario(page);
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
