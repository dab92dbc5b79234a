/** The console's frame: how one gets there, what may be loaded, who one is, light and dark, keyboard and phone. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONSOLE } from '../../scripts/builder/console.mjs';
import { ConsoleSetup, chromiumFile, isTooWide, PHONE, seriousProblems } from './support/consolePage.js';

describe.runIf(chromiumFile !== undefined)('the frame', () => {
  let setup: ConsoleSetup;

  beforeAll(async () => {
    setup = await ConsoleSetup.start();
    await setup.request('PUT', '/books', { settings: { number_of_shards: 1 } });
    await setup.request('PUT', '/books/book/1?refresh=true', { title: 'The Time Machine' });
  });
  afterAll(async () => {
    await setup?.close();
  });

  it('is where a browser is led that goes to the server', async () => {
    const page = await setup.open();
    await page.goto(setup.server.url);
    expect(new URL(page.url()).pathname).toBe('/_console/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'books' }).waitFor();
    expect(setup.problems).toEqual([]);
  });

  it('loads at most 400 KB until the first view is there', async () => {
    const page = await setup.open();
    await page.getByRole('link', { name: 'books' }).waitFor();
    const bytes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => entry as PerformanceResourceTiming)
        .filter(({ name }) => name.includes('/_console/'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    );
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(400_000);
  });

  it('has the licences of what it is made of beside it', () => {
    const licences = readFileSync(join(CONSOLE, 'licences.md'), 'utf8');
    for (const name of ['preact', '@codemirror/view', 'uplot', 'd3-geo', 'world-atlas'])
      expect(licences).toContain(`## ${name} - `);
  });

  it('says how the cluster is', async () => {
    const page = await setup.open();
    await page.locator('.cluster').getByText('elasticsearch').waitFor();
    await page.locator('.cluster').getByText('yellow').waitFor({ state: 'attached' });
  });

  it('shows what was sent', async () => {
    const page = await setup.open();
    await page.getByRole('link', { name: 'books' }).waitFor();
    await page.getByRole('region', { name: 'Requests that were sent' }).getByRole('button').first().click();
    await page.getByText('/_cluster/health', { exact: true }).first().waitFor();
  });

  it('changes its theme and remembers it', async () => {
    const page = await setup.open();
    const background = () =>
      page.evaluate(() => getComputedStyle(document.body.parentElement!).backgroundColor);
    const light = await background();
    const button = page.getByRole('button', { name: /^Theme/ });
    await button.click();
    await button.click();
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
    expect(await background()).not.toBe(light);
    await page.reload();
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
  });

  it.each(['light', 'dark'] as const)('has nothing serious that keeps people out, %s', async (theme) => {
    const page = await setup.open('', { theme });
    await page.getByRole('link', { name: 'books' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  it('fits on a phone, with its views behind a button', async () => {
    const page = await setup.open('', { size: PHONE });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await isTooWide(page)).toBe(false);
    const views = page.getByRole('navigation', { name: 'Views' });
    expect(await views.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await views.getByRole('link', { name: 'Overview' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  it('tells of a view that there is none', async () => {
    const page = await setup.open('nowhere');
    await page.getByRole('alert').getByText('There is no view').waitFor();
  });
});

describe.runIf(chromiumFile !== undefined)('signing in', () => {
  let setup: ConsoleSetup;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'resilin-console-'));
    const users = join(folder, 'users.json');
    const { addUser } = await import('./support/users.js');
    await addUser(users, 'ann', 'a good password');
    setup = await ConsoleSetup.start({ users });
  });
  afterAll(async () => {
    await setup?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('asks for a name and a password, and keeps them in memory only', async () => {
    const page = await setup.open();
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByLabel('Name').fill('ann');
    await dialog.getByLabel('Password').fill('wrong');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('The name or the password is wrong.').waitFor();
    await dialog.getByLabel('Password').fill('a good password');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('There is no index yet.').waitFor();
    expect(
      await page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
      ),
    ).not.toContain('YW5u');
    await page.reload();
    await dialog.waitFor();
    expect(setup.problems).toEqual([]);
  });
});
