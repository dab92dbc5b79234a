/** The view of searches: hits with highlights, why they rank as they do, filters, shards, two searches beside each other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putBooks, searchScenario } from './scenarios/search.js';
import { ConsoleSetup, chromiumFile, isTooWide, PHONE, seriousProblems } from './support/consolePage.js';

const OLD_MILL = 'search?index=books&q=old+mill&fields=title^3,text';

describe.runIf(chromiumFile !== undefined)('searching', () => {
  let setup: ConsoleSetup;

  beforeAll(async () => {
    setup = await ConsoleSetup.start();
    await putBooks((method, path, body) => setup.request(method, path, body));
    await setup.request('PUT', '/many', { settings: { number_of_shards: 3 } });
    // One shard has most of the documents with the word, so it is common there.
    for (let i = 0; i < 30; i++)
      await setup.request('PUT', `/many/t/${i}?routing=${i < 24 ? 'a' : 'f'}`, {
        a: i % 3 === 0 || i > 26 ? `fox ${'and so on '.repeat(i % 7)}` : 'hen',
      });
    await setup.request('POST', '/_refresh');
    await setup.request('PUT', '/shut', {});
    await setup.request('POST', '/shut/_close');
  });
  afterAll(async () => {
    await setup?.close();
  });

  it('finds, explains, filters, sorts', async () => {
    const page = await setup.open('search?index=books');
    await searchScenario(page);
    expect(setup.problems).toEqual([]);
  });

  it('shows what moved between two searches', async () => {
    const page = await setup.open(`${OLD_MILL}&hit=x`);
    await page.getByRole('button', { name: 'Compare with another search' }).click();
    await page.getByText(/^0 up, 0 down, 4 at their place, 0 new, 0 gone$/).waitFor();
    const second = page.getByRole('region', { name: 'Second search' });
    await second.getByRole('searchbox').fill('old wheel');
    await second.getByRole('searchbox').press('Enter');
    await page
      .getByText(/up, .* new, .* gone/)
      .filter({ hasNotText: '0 new' })
      .waitFor();
    await page.getByRole('table').getByRole('button', { name: 'Wheels' }).click();
    await page.getByRole('list', { name: 'Why the scores differ' }).waitFor();
    await page.getByText('only in the second search').first().waitFor();
    // In another index nothing is the same but types and ids.
    await page.getByLabel('Index of the second search').fill('many');
    await page.keyboard.press('Enter');
    await page.getByText(/4 gone$/).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  it('says when the statistics of all shards bring another order', async () => {
    const page = await setup.open('search?index=many&q=fox&fields=a');
    await page
      .getByText(/Each shard scores by its own statistics; by those of all \d+ hits? stands? elsewhere/)
      .waitFor();
    await page
      .getByText(/^shard \d$/)
      .first()
      .waitFor();
    await page.getByLabel('Statistics of all shards').check();
    await page.getByText(/By the statistics of each shard/).waitFor();
    expect(page.url()).toContain('dfs=true');
  });

  it('completes a body with the query language and the fields of the index', async () => {
    const page = await setup.open('search?index=books&by=json&json={}');
    const editor = page.locator('.editor .cm-content');
    await editor.focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.type('{"query": {"match": {"ti');
    await page.locator('.cm-tooltip-autocomplete').getByText('title', { exact: true }).waitFor();
    // What isn't finished is no error yet: the hits stay.
    await page.getByRole('heading', { name: '5 hits' }).waitFor();
  });

  it('leads to documents, by their routing too, and shows what was asked for as fields', async () => {
    const page = await setup.open('search?index=many&q=fox&fields=a');
    const link = page.getByRole('link', { name: 'Document', exact: true });
    expect(await link.getAttribute('href')).toMatch(/^#\/documents\?index=many&type=t&id=\d+&routing=[af]$/);
    const body = encodeURIComponent('{"fields":["year"],"query":{"match_all":{}}}');
    await page.goto(`${setup.server.url}/_console/#/search?index=books&by=json&json=${body}`);
    await page.getByRole('list', { name: 'Hits' }).getByText('1890').waitFor();
  });

  it('ends a search that another one has taken the place of', async () => {
    const page = await setup.open('search?index=books');
    await page.getByRole('heading', { name: '5 hits' }).waitFor();
    // Never answered.
    await page.route(/_search\?/, (route) =>
      route.request().postData()?.includes('"slow"') ? undefined : route.continue(),
    );
    const ended = page.waitForEvent(
      'requestfailed',
      (request) => request.postData()?.includes('"slow"') === true,
    );
    const words = page.getByRole('searchbox', { name: 'Query: words' });
    await words.fill('slow');
    await words.press('Enter');
    await words.fill('wheel');
    await words.press('Enter');
    await ended;
    await page.getByRole('heading', { name: '2 hits' }).waitFor();
  });

  it('goes through pages', async () => {
    const page = await setup.open('search?index=many&size=5');
    await page.getByText('1–5 of 30').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('6–10 of 30').waitFor();
    await page.getByRole('button', { name: /^Explain hit 6/ }).waitFor();
  });

  it('says which shards failed, and why', async () => {
    const body = encodeURIComponent('{"sort":[{"year":{}}],"query":{"match_all":{}}}');
    const page = await setup.open(`search?index=books,many&by=json&json=${body}`);
    await page.getByText('Shard many[0] failed').waitFor();
    await page.getByText('No mapping found for [year]').first().waitFor();
    await page.getByText('3 of 4 shards failed').waitFor();
    await page.getByRole('heading', { name: '5 hits' }).waitFor();
  });

  it('shows errors in the words of the server', async () => {
    const page = await setup.open('search?index=shut');
    await page.getByRole('alert').getByText('closed').waitFor();
    await page.goto(page.url().replace('index=shut', 'index=missing'));
    await page.getByRole('alert').getByText('IndexMissingException').waitFor();
  });

  it.each(['light', 'dark'] as const)('has nothing serious that keeps people out, %s', async (theme) => {
    const page = await setup.open(OLD_MILL, { theme });
    await page.getByRole('list', { name: 'Explanation' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  it('fits on a phone, with explanations below their hits', async () => {
    const page = await setup.open(OLD_MILL, { size: PHONE });
    await page.getByRole('button', { name: /^Explain hit 2/ }).click();
    await page.getByText(/^Ranks second because/).waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Compare with another search' }).click();
    await page.getByText(/at their place/).waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(setup.problems).toEqual([]);
  });
});
