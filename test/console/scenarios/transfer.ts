/** Taking a table into an index: its mapping proposed and changed, what is refused. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Download, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Ask } from './search.js';

export const CSV = `id,title,year,lat,lon,added,note
1,"The Time Machine",1895,51.5,-0.1,2020-01-31,"a, ""quoted"" note
on two lines"
2,The War of the Worlds,1898,51.4,0.2,2021-02-28,
3,Around the World in Eighty Days,1872,47.2,-1.5,2021-03-01,x
4,The Machine Stops,MCMIX,51.1,0.1,2021-03-02,y
5,too few cells
`;

/** Takes a file as a person chooses it. */
export async function choose(page: Page, name: string, content: string | Buffer): Promise<void> {
  await page.getByRole('button', { name: 'Choose a file' }).waitFor();
  await page
    .getByLabel('File to import')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
}

export async function importInto(page: Page, index: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Index' }).fill(index);
  await page.getByRole('textbox', { name: 'Index' }).blur();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
}

/** What was saved. */
export const text = async (download: Download) => readFileSync(await download.path(), 'utf8');

/** From `transfer`. */
export async function transferScenario(page: Page, ask: Ask): Promise<void> {
  await choose(page, 'My Books.csv.gz', gzipSync(CSV));
  await page.getByRole('row', { name: /^title/ }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Index' }).inputValue()).toBe('my-books');
  expect(await page.getByLabel('added: indexed as').inputValue()).toBe('date');
  await page.getByText('Check: of several types: numbers, strings').waitFor();
  await page.getByText('Add a geo point location made of lat and lon').waitFor();
  await page
    .getByText(/1 of the first lines can’t be documents: line 7: the last line has|line 7: 2 cells/)
    .waitFor();
  await page.getByLabel('year: indexed as').selectOption('integer');
  await page.getByLabel('Ids from').selectOption('id');
  await importInto(page, 'imported');
  await page.getByRole('status').getByText('3 documents were taken, 2 refused').waitFor();
  await page.getByRole('cell', { name: /failed to parse \[year\]/ }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save what was refused' }).click(),
  ]);
  const refused = (await text(download))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(refused).toContainEqual({
    file: 'My Books.csv.gz',
    line: 7,
    status: 400,
    reason: '2 cells, but the header has 7',
    source: '5,too few cells',
  });
  expect(await ask('GET', '/imported/_count')).toMatchObject({ count: 3 });
  expect(((await ask('GET', '/imported/doc/1')) as { _source: object })._source).toEqual({
    id: 1,
    title: 'The Time Machine',
    year: 1895,
    lat: 51.5,
    lon: -0.1,
    added: '2020-01-31',
    note: 'a, "quoted" note\non two lines',
    location: { lat: 51.5, lon: -0.1 },
  });
  const { imported } = (await ask('GET', '/imported/_mapping')) as {
    imported: { mappings: { doc: { properties: Record<string, { type: string }> } } };
  };
  expect(imported.mappings.doc.properties).toMatchObject({
    year: { type: 'integer' },
    location: { type: 'geo_point' },
    added: { type: 'date' },
  });
  await page.getByRole('link', { name: 'Look at the documents' }).waitFor();
}
