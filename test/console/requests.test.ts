/** The view of requests: written, completed, run, stopped, shown in several forms, remembered, copied. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answer, putNumbered, requestsScenario, write, written } from './scenarios/requests.js';
import { ConsoleSetup, chromiumFile, isTooWide, PHONE, seriousProblems } from './support/consolePage.js';

describe.runIf(chromiumFile !== undefined)('requests', () => {
  let setup: ConsoleSetup;

  beforeAll(async () => {
    setup = await ConsoleSetup.start();
    await putNumbered((method, path, body) => setup.request(method, path, body));
  });
  afterAll(async () => {
    await setup?.close();
  });

  it('run at the cursor, one of several, with ids to the last digit, and are completed', async () => {
    await requestsScenario(await setup.open('requests'));
  });

  it('are completed: path, query, field', async () => {
    const page = await setup.open('requests');
    await write(page, 'GET /numb');
    await page.keyboard.type('e');
    // A click: the key that takes a completion is left to the text for a moment after the list has come.
    await page.locator('.cm-tooltip-autocomplete').getByText('numbered').click();
    await expect.poll(() => written(page)).toBe('GET /numbered');
    await page.keyboard.insertText('/_search\n{"query": {');
    await page.keyboard.type('"mat');
    await page.keyboard.press('Control+Space');
    await page
      .locator('.cm-tooltip-autocomplete li')
      .filter({ hasText: /^matchquery$/ })
      .click();
    await expect.poll(() => written(page)).toContain('{"query": {"match": {');
  });

  it('are written as fast as one types', async () => {
    const page = await setup.open('requests');
    await write(page, '');
    const text = 'GET /numbered/_search?size=1&from=2&sort=year:desc&pretty=true&explain=true';
    await page.keyboard.type(text);
    await expect.poll(() => written(page)).toBe(text);
  });

  it('are marked where they are wrong, by themselves and by what the server says', async () => {
    const page = await setup.open('requests');
    await write(page, 'GET /numbered/_search\n{\n  "size": 1\n  "from": 2\n}\n');
    await page.locator('.cm-lintRange-error').waitFor();
    await page.keyboard.press('Control+Enter');
    await answer(page).getByRole('alert').getByText('SearchPhaseExecutionException').waitFor();
    await answer(page).getByText('Status 400').first().waitFor();
  });

  it('ask first where they delete everything', async () => {
    const page = await setup.open('requests');
    await write(page, 'DELETE /_all');
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete?' });
    await dialog.getByText('This deletes every index.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await setup.request('HEAD', '/numbered')).toEqual({});
  });

  it('are remembered until the history is cleared, with the text that stood there', async () => {
    const page = await setup.open('requests');
    await write(page, 'GET /numbered/_count');
    await page.keyboard.press('Control+Enter');
    await answer(page).getByText('Status 200').waitFor();
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('resilin.requests.buffer')))
      .toBe('GET /numbered/_count');
    await page.reload();
    await expect.poll(() => written(page)).toContain('GET /numbered/_count');
    await page.getByRole('button', { name: 'History' }).click();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByRole('button', { name: /GET \/numbered\/_count/ }).waitFor();
    await history.getByRole('button', { name: 'Clear' }).click();
    await history.getByText('in this browser alone').waitFor();
  });

  it('are copied as curl and as code, pasted from curl, and linked', async () => {
    const page = await setup.open('requests');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await write(page, 'GET /numbered/_search\n{"size": 1}');
    await page.getByRole('button', { name: 'curl' }).click();
    await expect.poll(copied).toContain(`curl -X GET '${setup.server.url}/numbered/_search' --data-binary`);
    await page.getByRole('button', { name: 'JavaScript' }).click();
    await expect.poll(copied).toContain('client.search({');
    await page.getByRole('button', { name: 'Link' }).click();
    await expect.poll(copied).toContain('#/requests?load=');
    const link = await copied();
    await page.evaluate(() =>
      navigator.clipboard.writeText("curl -XGET 'localhost:9200/numbered/_search' -d '{\"size\":0}'"),
    );
    await write(page, ' ');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+v');
    await expect.poll(() => written(page)).toContain('GET /numbered/_search\n{\n  "size": 0');
    const other = await setup.open(link.split('#/')[1]!);
    await expect.poll(() => written(other)).toContain('{"size": 1}');
    expect(other.url()).not.toContain('load=');
  });

  it('stand in chapters that run with a click', async () => {
    const page = await setup.open('requests?chapter=documents');
    const examples = page.getByRole('region', { name: 'Examples' });
    await examples.getByRole('button', { name: /^Run: Store a document under an id/ }).click();
    await answer(page).getByText('Status 201').waitFor();
    await examples.getByRole('button', { name: /^Run: Read it back/ }).click();
    await answer(page).getByText('"The Time Machine"').waitFor();
    await expect.poll(() => written(page)).toContain('GET /guide-library/book/1');
    await setup.request('DELETE', '/guide-library');
  });

  it('can be stopped', async () => {
    const page = await setup.open('requests');
    // An answer that never comes.
    await page.route('**/numbered/_search*', () => {});
    await write(page, 'GET /numbered/_search');
    await page.keyboard.press('Control+Enter');
    await answer(page).getByRole('button', { name: 'Stop' }).click();
    await answer(page).getByText('It was stopped').waitFor();
  });

  it.each(['light', 'dark'] as const)('keep nobody out, %s, and fit on a phone', async (theme) => {
    const page = await setup.open(
      'requests?chapter=text',
      theme === 'dark' ? { theme, size: PHONE } : { theme },
    );
    await write(page, 'GET /numbered/_search');
    await page.keyboard.press('Control+Enter');
    await answer(page).getByText('Status 200').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await answer(page).getByRole('tab', { name: 'Table' }).click();
    expect(await isTooWide(page)).toBe(false);
    expect(await seriousProblems(page)).toEqual([]);
    expect(setup.problems).toEqual([]);
  });
});
