/** The overview: what there is and happens, and what can be done with an index. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { overviewScenario } from './scenarios/overview.js';
import { ConsoleSetup, chromiumFile, isTooWide, PHONE, seriousProblems } from './support/consolePage.js';

describe.runIf(chromiumFile !== undefined)('the overview', () => {
  let setup: ConsoleSetup;

  beforeAll(async () => {
    setup = await ConsoleSetup.start();
  });
  afterAll(async () => {
    await setup?.close();
  });

  it('says what to do where nothing is, and keeps an index by clicks', async () => {
    const page = await setup.open();
    await page.getByText('There is no index yet.').waitFor();
    await page.getByRole('button', { name: 'Create an index' }).waitFor();
    await overviewScenario(page);
    await page.getByText('There is no index yet.').waitFor();
  });

  it('tells in the words of the server what could not be done', async () => {
    const page = await setup.open();
    await page.getByRole('button', { name: 'Create index' }).first().click();
    const create = page.getByRole('dialog', { name: 'Create index' });
    await create.getByLabel('Name').fill('Books');
    await create.getByRole('button', { name: 'Create index' }).click();
    await create.getByRole('alert').getByText('must be lowercase').waitFor();
  });

  describe('of many indices', () => {
    beforeAll(async () => {
      const lines: string[] = [];
      for (let i = 0; i < 120; i++) lines.push(`{"index":{"_index":"many-${i}","_type":"t"}}`, `{"n":${i}}`);
      await setup.request('PUT', '/_template/one', {
        template: 'many-*',
        settings: { number_of_shards: 1, number_of_replicas: 0 },
      });
      await setup.request('POST', '/_bulk?refresh=true', `${lines.join('\n')}\n`);
      await setup.request('PUT', '/big?timeout=1s', { settings: { number_of_replicas: 1 } });
      await setup.request('POST', '/many-7/_close');
    });

    it('shows their numbers, why it is not green, and finds one by a part of its name', async () => {
      const page = await setup.open();
      const table = page.getByRole('table', { name: 'Indices' });
      await table.getByRole('link', { name: 'many-11', exact: true }).waitFor();
      await page.getByText('5 replicas without another node').waitFor();
      await page.getByText('119', { exact: true }).first().waitFor();
      // So many are shown, and more when somebody wants them.
      expect(await table.getByRole('row').count()).toBe(51);
      await page.getByRole('button', { name: 'Show more of 121' }).click();
      expect(await table.getByRole('row').count()).toBe(101);
      await page.getByLabel('Name').fill('many-11');
      await page.getByText('11 of 121').waitFor();
      await page.getByLabel('Name').fill('many-7');
      await table.getByText('closed').waitFor();
    });

    it('reacts at once', async () => {
      const page = await setup.open();
      const table = page.getByRole('table', { name: 'Indices' });
      await table.getByRole('link', { name: 'many-11', exact: true }).waitFor();
      const took = await page.evaluate(() => {
        const button = [...document.querySelectorAll('th button')].find(
          (each) => each.textContent === 'Documents',
        ) as HTMLElement;
        const began = performance.now();
        button.click();
        return new Promise<number>((done) => {
          requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
        });
      });
      // Promised are 100 ms on an idle machine; this one may be busy.
      expect(took).toBeLessThan(400);
    });

    it('shows what happens, with numbers for those who do not see lines', async () => {
      await setup.request('GET', '/many-1/_search');
      const page = await setup.open();
      await page.getByRole('img', { name: /^Work: documents written/ }).waitFor();
      await page.getByRole('img', { name: /^Time of searches: half/ }).waitFor();
      await page.getByRole('img', { name: /^Memory: process \d/ }).waitFor();
      await page.getByRole('img', { name: /^Queues and merges: under way/ }).waitFor();
      await page.getByRole('table', { name: 'Nodes' }).getByText('Resilin').waitFor();
      await setup.request('GET', '/many-1/_search');
      await page.getByRole('img', { name: /^Time of searches: half \d/ }).waitFor();
    });

    it.each(['light', 'dark'] as const)('keeps nobody out, %s, on a phone either', async (theme) => {
      for (const size of [undefined, PHONE]) {
        const page = await setup.open('', { theme, ...(size === undefined ? {} : { size }) });
        await page.getByRole('table', { name: 'Nodes' }).waitFor();
        expect(await seriousProblems(page)).toEqual([]);
        if (size === undefined) continue;
        expect(await isTooWide(page)).toBe(false);
        await page.getByRole('button', { name: 'Manage big' }).click();
        await page.getByRole('dialog', { name: 'big' }).waitFor();
        expect(await seriousProblems(page)).toEqual([]);
      }
    });
  });

  it('has had no problems', () => {
    expect(setup.problems).toEqual([]);
  });
});
