/** The views of documents and of mappings. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentsScenario, mappingsScenario } from './scenarios/documents.js';
import { putNumbered, write } from './scenarios/requests.js';
import { ConsoleSetup, chromiumFile, isTooWide, PHONE, seriousProblems } from './support/consolePage.js';

const ID = '9007199254740993';

describe.runIf(chromiumFile !== undefined)('documents and mappings', () => {
  let setup: ConsoleSetup;

  beforeAll(async () => {
    setup = await ConsoleSetup.start();
    await setup.request('PUT', '/books', {
      settings: {
        number_of_shards: 2,
        analysis: {
          analyzer: {
            folded: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'asciifolding'] },
          },
        },
      },
      mappings: {
        book: {
          _timestamp: { enabled: true, store: true },
          properties: {
            title: {
              type: 'string',
              analyzer: 'folded',
              fields: { raw: { type: 'string', index: 'not_analyzed' } },
            },
            author: { type: 'string', index: 'not_analyzed' },
            year: { type: 'integer' },
            number: { type: 'long' },
            comments: { type: 'nested', properties: { stars: { type: 'short' } } },
          },
        },
        review: { _parent: { type: 'book' }, properties: { text: { type: 'string' } } },
      },
    });
    const lines = Array.from({ length: 120 }, (_, i) => {
      const comments = i < 30 ? ',"comments":[{"stars":4},{"stars":5}]' : '';
      const id = BigInt(ID) + BigInt(i);
      return (
        `{"index":{"_id":"${id}"}}\n` +
        `{"title":"Book ${i}","author":"author ${i % 3}","year":${1880 + i},"number":${id}001,"f":1.0${comments}}\n`
      );
    });
    await setup.request('POST', '/books/book/_bulk', lines.join(''));
    await setup.request('PUT', `/books/review/r1?parent=${ID}`, { text: 'good' });
    await setup.request('POST', '/books/_refresh');
  });
  afterAll(async () => {
    await setup?.close();
  });

  it('are looked through, sorted, filtered by a click, and the address keeps it', async () => {
    const page = await setup.open('documents?index=books');
    await page.getByText('1 to 50 of 121 documents').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51 to 100 of 121 documents').waitFor();
    await page.getByLabel('Sort').selectOption('year');
    await page.getByRole('button', { name: '↑ smallest first' }).click();
    const first = page.getByRole('row').nth(1);
    await first.getByText('1999').waitFor();
    await first.getByRole('button', { name: 'author 2' }).click();
    await page.getByText('1 to 40 of 40 documents').waitFor();
    await page.reload();
    await page.getByText('1 to 40 of 40 documents').waitFor();
    await page.getByRole('button', { name: 'Take away the filter author' }).click();
    await page.getByLabel('Words').fill('title:"Book 7"');
    await page.getByText('1 to 1 of 1 documents').waitFor();
    await page.getByRole('link', { name: String(BigInt(ID) + 7n) }).waitFor();
    // The number is shown to its last digit.
    await page.getByText(`${BigInt(ID) + 7n}001`).waitFor();
    await page.getByLabel('Words').fill('title:[');
    await page.getByRole('alert').getByText('Failed to parse query').waitFor();
  });

  it('are edited, and get fields', async () => {
    const ask = (method: string, path: string, body?: unknown) => setup.request(method, path, body);
    await putNumbered(ask);
    await documentsScenario(await setup.open('documents?index=numbered'), ask);
    await mappingsScenario(await setup.open('mappings?index=numbered'));
  });

  it('say what can’t be shown', async () => {
    await setup.request('PUT', '/shut');
    await setup.request('POST', '/shut/_close');
    const page = await setup.open('documents?index=shut');
    await page.getByRole('alert').getByText('IndexClosedException').waitFor();
    await page.goto(`${setup.server.url}/_console/#/mappings?index=nowhere`);
    await page.getByRole('alert').getByText('IndexMissingException').waitFor();
  });

  it('show chosen columns', async () => {
    const page = await setup.open('documents?index=books');
    await page.getByText(/^Columns/).click();
    await page.getByRole('checkbox', { name: 'year' }).click();
    await expect.poll(() => page.getByRole('columnheader', { name: 'year' }).count()).toBe(0);
    expect(page.url()).toContain('columns=');
  });

  it('are opened, edited with their version checked, and both are shown where it differs', async () => {
    const page = await setup.open(`documents?index=books&type=book&id=${ID}`);
    const dialog = page.getByRole('dialog', { name: ID });
    await dialog.getByText('Timestamp').waitFor();
    await dialog.getByRole('tab', { name: 'JSON' }).click();
    await dialog.getByText('"f": 1.0').waitFor();
    await dialog.getByRole('tab', { name: 'Edit' }).click();
    await write(page, `{"title": "Mine", "number": ${ID}002}`);
    // Somebody else is faster.
    await setup.request('PUT', `/books/book/${ID}`, { title: 'Theirs' });
    await dialog.getByRole('button', { name: 'Store' }).click();
    await dialog.getByText('Somebody else has changed it').waitFor();
    await dialog.getByText('"title": "Theirs"').waitFor();
    await dialog.getByRole('button', { name: 'Keep mine, over version 2' }).click();
    await dialog.getByRole('button', { name: 'Store' }).click();
    await page.getByText(`${ID} is stored`).waitFor();
    const { _version: version, _source: source } = await setup.request('GET', `/books/book/${ID}`);
    expect([version, (source as { title: string }).title]).toEqual([3, 'Mine']);
    const response = await fetch(`${setup.server.url}/books/book/${ID}/_source`);
    expect(await response.text()).toContain(`${ID}002`);
  });

  it('are created and deleted', async () => {
    const page = await setup.open('documents?index=books');
    await page.getByRole('button', { name: 'New document' }).click();
    const dialog = page.getByRole('dialog', { name: 'New document' });
    await dialog.getByLabel('Type').fill('book');
    await dialog.getByLabel('Id').fill('new/one');
    await write(page, '{"title": "New"}');
    await dialog.getByRole('button', { name: 'Store' }).click();
    await page.getByText('new/one is stored').waitFor();
    await page.goto(`${setup.server.url}/_console/#/documents?index=books&type=book&id=new%2Fone`);
    await page.getByRole('dialog', { name: 'new/one' }).getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog', { name: 'Delete document' })
      .getByRole('button', { name: 'Delete document' })
      .click();
    await page.getByText('new/one is deleted').waitFor();
    await expect.poll(async () => (await fetch(`${setup.server.url}/books/book/new%2Fone`)).status).toBe(404);
  });

  it('find children by their parents', async () => {
    const page = await setup.open('documents?index=books&type=review');
    await page.getByRole('link', { name: 'r1' }).click();
    const dialog = page.getByRole('dialog', { name: 'r1' });
    await dialog.getByText('Parent', { exact: true }).waitFor();
    await dialog.getByRole('definition').getByText(ID).first().waitFor();
  });

  it('have mappings in words, counted, with settings', async () => {
    const page = await setup.open('mappings?index=books');
    const panel = page.getByRole('region', { name: 'books / book' });
    await panel.getByText('analyzer folded').waitFor();
    await panel.getByText('one term, not analyzed').first().waitFor();
    await panel.getByRole('button', { name: 'Count documents' }).click();
    await panel.getByText(/beside each field/).waitFor();
    await panel.getByText(/^30 \(25 %\)$|^29 \(24 %\)$/).waitFor();
    await page.getByText('documents of type book').waitFor();
    const settings = page.getByRole('region', { name: 'Settings of books' });
    await settings.getByText('standard → lowercase, asciifolding').waitFor();
  });

  it('get fields and forms, with the request shown, and say what can’t be changed', async () => {
    const page = await setup.open('mappings?index=books');
    const panel = page.getByRole('region', { name: 'books / book' });
    await panel.getByRole('button', { name: 'Index title in another form too' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add field' });
    await dialog.getByLabel(/^Name/).fill('title.english');
    await dialog.getByLabel('Analyzer').fill('english');
    await dialog.getByText('"english": {').waitFor();
    await dialog.getByRole('button', { name: 'Add field' }).click();
    await page.getByText('title.english is added').waitFor();
    await panel.getByText('analyzer english').waitFor();
    await panel.getByRole('button', { name: 'Field', exact: true }).click();
    await dialog.getByLabel(/^Name/).fill('year');
    await dialog.getByText('year is there already, as integer').waitFor();
    await dialog.getByRole('button', { name: 'Add field' }).click();
    await dialog.getByRole('alert').getByText('MergeMappingException').waitFor();
  });

  it.each(['light', 'dark'] as const)('keep nobody out, %s, and fit on a phone', async (theme) => {
    const page = await setup.open(
      'documents?index=books',
      theme === 'dark' ? { theme, size: PHONE } : { theme },
    );
    await page.getByText('1 to 50 of').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole('row').nth(1).getByRole('link').click();
    await page.getByRole('dialog').getByRole('tab', { name: 'Edit' }).click();
    expect(await seriousProblems(page)).toEqual([]);
    await page.goto(`${setup.server.url}/_console/#/mappings?index=books`);
    await page.getByRole('region', { name: 'books / book' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    expect(setup.problems).toEqual([]);
  });
});
