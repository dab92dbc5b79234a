/** Data in and out: files of every format into an index, what is refused, and exports that come back as they were. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CSV, choose, importInto, text, transferScenario } from './scenarios/transfer.js';
import { ConsoleSetup, chromiumFile, isTooWide, PHONE, seriousProblems } from './support/consolePage.js';

describe.runIf(chromiumFile !== undefined)('data in and out', () => {
  let setup: ConsoleSetup;

  beforeAll(async () => {
    setup = await ConsoleSetup.start();
    await setup.request('PUT', '/kept', { settings: { number_of_shards: 2 } });
    // A number beyond 2^53, digits that a double would lose, blanks as they were written.
    await setup.request('PUT', '/kept/doc/a', '{"n": 9007199254740993, "f":1.50, "o":{"t":"x, \\"y\\""}}');
    await setup.request('PUT', '/kept/doc/b?routing=r&refresh=true', '{"n":2}');
  });
  afterAll(async () => {
    await setup?.close();
  });

  /** Exports come as downloads where no file can be written as it comes. */
  const withoutPicker = async (view: string) => {
    const page = await setup.open(view);
    await page.evaluate('delete globalThis.showSaveFilePicker');
    return page;
  };
  const count = async (index: string) => (await setup.request('GET', `/${index}/_count`)).count;

  it('propose a mapping, which may be changed, and import a packed table', async () => {
    const page = await setup.open('transfer');
    await transferScenario(page, (method, path, asked) => setup.request(method, path, asked));
    expect(setup.problems).toEqual([]);
  });

  it.each([
    ['lines.jsonl', '{"n":9007199254740993}\n\n{"n":2}\n', 2],
    ['list.json', '[{"n":1},\n {"n":\n 2}, 5]', 2],
    ['tabs.tsv', 'a\tb\n1\t2\n', 1],
    ['old.bulk', '{"index":{"_id":"1"}}\n{"a":1}\n{"create":{}}\n{"a":2}\n{"delete":{"_id":"1"}}\n', 1],
  ])('import %s', async (name, content, expected) => {
    const page = await setup.open('transfer');
    const index = name.replace(/\..*/, '');
    await choose(page, name, content);
    await importInto(page, index);
    await page.getByRole('heading', { name: 'Imported' }).waitFor();
    expect(await count(index)).toBe(expected);
  });

  it('say what is wrong with a file', async () => {
    const page = await setup.open('transfer');
    await choose(page, 'latin.csv', Buffer.from('name\ncaf\xe9\n', 'latin1'));
    await page.getByRole('alert').getByText('choose another encoding').waitFor();
    await page.getByLabel('Encoding').selectOption('windows-1252');
    await page.getByRole('cell', { name: 'café' }).waitFor();
    await page.getByRole('button', { name: 'Another file' }).click();
    const lines = Array.from({ length: 500 }, (_, i) => `{"a":${Math.imul(i, 2_654_435_761)}}\n`).join('');
    const cut = gzipSync(lines).subarray(0, 1000);
    await choose(page, 'cut.jsonl.gz', cut);
    await page.getByRole('alert').getByText('damaged or cut off').waitFor();
    await page.getByRole('button', { name: 'Another file' }).click();
    await choose(page, 'twice.csv', 'a,a\n1,2\n');
    await page.getByRole('alert').getByText('the header has a twice').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  it('add to an index that is there, and try again what a busy server puts off', async () => {
    const page = await setup.open('transfer?index=kept');
    let refusals = 2;
    await page.route('**/_bulk', (route) => {
      if (refusals-- > 0)
        return route.fulfill({ status: 429, contentType: 'application/json', body: '{"error":"busy"}' });
      return route.continue();
    });
    await choose(page, 'more.jsonl', '{"n":3,"extra":"word"}\n'.repeat(3000));
    await page.getByRole('button', { name: 'Into kept instead' }).click();
    await page.getByText('long, as it is').waitFor();
    await page.getByText('What is sent first').click();
    await page.getByText('/kept/_mapping/doc').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('status').getByText('3,000 documents were taken').waitFor();
    expect(await count('kept')).toBe(3002);
    await setup.request('DELETE', '/kept/_query?q=n:3');
    await setup.request('POST', '/kept/_refresh');
  });

  it('can be stopped, and go on while one looks at something else', async () => {
    const page = await setup.open('transfer');
    const held: (() => void)[] = [];
    let isHeld = true;
    await page.route('**/_bulk', async (route) => {
      if (isHeld) await new Promise<void>((done) => held.push(done));
      await route.continue();
    });
    const sent = page.waitForRequest('**/_bulk');
    // Made in the page, and dropped.
    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(
        new File(
          [
            `{"t":"${'x'.repeat(1000)}"}
`.repeat(12_000),
          ],
          'large.jsonl',
        ),
      );
      return data;
    });
    await page.locator('.drop-zone').dispatchEvent('drop', { dataTransfer: dropped });
    await importInto(page, 'large');
    await sent;
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Stop' }).click();
    isHeld = false;
    for (const done of held) done();
    await page.getByRole('heading', { name: 'Stopped' }).waitFor();
    expect(await count('large')).toBeLessThan(12_000);
  });

  it('export documents byte for byte, with ids and routing, and as a table', async () => {
    const page = await withoutPicker('transfer?way=out&index=kept');
    const exported = async (format: string) => {
      await page.getByLabel('Format').selectOption(format);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export' }).click(),
      ]);
      return (await text(download))
        .split(/\r?\n/)
        .filter((line) => line !== '')
        .sort();
    };
    expect(await exported('jsonl')).toEqual([
      '{"n": 9007199254740993, "f":1.50, "o":{"t":"x, \\"y\\""}}',
      '{"n":2}',
    ]);
    expect(await exported('hits')).toEqual([
      '{"_type":"doc","_id":"a","_version":1,"_source":{"n": 9007199254740993, "f":1.50, "o":{"t":"x, \\"y\\""}}}',
      '{"_type":"doc","_id":"b","_version":1,"_routing":"r","_source":{"n":2}}',
    ]);
    expect(await exported('csv')).toEqual([
      '_id,extra,f,n,o.t',
      'a,,1.5,9007199254740993,"x, ""y"""',
      'b,,,2,',
    ]);
    await page.getByLabel('Query').fill('n:2');
    expect(await exported('jsonl')).toEqual(['{"n":2}']);
    await page.getByRole('status').getByText('Exported 1 of 1 documents').waitFor();
  });

  it('write a file as it comes where the browser can', async () => {
    const page = await setup.open('transfer?way=out&index=kept');
    await page.evaluate(() => {
      const written: string[] = [];
      Object.assign(globalThis, {
        written,
        showSaveFilePicker: async () => ({
          createWritable: async () => ({
            write: async (piece: string) => void written.push(piece),
            close: async () => void written.push('closed'),
          }),
        }),
      });
    });
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('status').getByText('Exported 2 of 2 documents').waitFor();
    expect(await page.evaluate('written.at(-1)')).toBe('closed');
  });

  it('tell an export that the server refuses in its words', async () => {
    const page = await withoutPicker('transfer?way=out&index=nowhere');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('alert').getByText('IndexMissingException').waitFor();
  });

  it.each(['light', 'dark'] as const)('have nothing serious that keeps people out, %s', async (theme) => {
    const page = await setup.open('transfer', { theme });
    expect(await seriousProblems(page)).toEqual([]);
    await choose(page, 'books.csv', CSV);
    await page.getByRole('row', { name: /^title/ }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  it('fit on a phone', async () => {
    const page = await setup.open('transfer', { size: PHONE });
    await choose(page, `${'a-long-name-'.repeat(8)}.csv`, CSV);
    await page.getByRole('row', { name: /^title/ }).waitFor();
    expect(await isTooWide(page)).toBe(false);
    await importInto(page, 'phone');
    await page.getByRole('heading', { name: 'Imported' }).waitFor();
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole('tab', { name: 'Export' }).click();
    await page.getByLabel('Format').waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(setup.problems).toEqual([]);
  });
});
