/** Snapshots in the console: repositories, making and restoring, and what the server refuses. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleSetup, chromiumFile, isTooWide, PHONE, seriousProblems } from './support/consolePage.js';

describe.runIf(chromiumFile !== undefined)('snapshots', () => {
  let setup: ConsoleSetup;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'resilin-console-snapshots-'));
    setup = await ConsoleSetup.start({ repositories: [folder] });
    const settings = { number_of_shards: 1, number_of_replicas: 0 };
    for (const name of ['books', 'films']) {
      await setup.request('PUT', `/${name}`, { settings });
      await setup.request('PUT', `/${name}/t/1?refresh=true`, { title: 'The Time Machine' });
    }
  });
  afterAll(async () => {
    await setup?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are made in a repository, restored under another name, and deleted', async () => {
    const page = await setup.open();
    await page.getByRole('link', { name: 'Snapshots' }).click();
    await page.getByText('There is no repository yet').waitFor();
    await page.getByRole('button', { name: 'Add repository' }).click();
    const add = page.getByRole('dialog', { name: 'Add repository' });
    await add.getByLabel('Name').fill('box');
    await add.getByLabel('Location').fill('/somewhere/else');
    await add.getByRole('button', { name: 'Add repository' }).click();
    await add.getByRole('alert').getByText('match any of the locations').waitFor();
    await add.getByLabel('Location').fill('box');
    await add.getByRole('button', { name: 'Add repository' }).click();
    await page.getByText('There is no snapshot in it yet.').waitFor();

    await page.getByRole('button', { name: 'Verify box' }).click();
    await page.getByRole('dialog').getByText('/_snapshot/box/_verify').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Verify' }).click();
    await page.getByText('box can be reached').waitFor();

    await page.getByRole('button', { name: 'Make snapshot' }).click();
    const make = page.getByRole('dialog', { name: 'Make snapshot' });
    expect(await make.getByLabel('Name').inputValue()).toMatch(/^snapshot-\d{4}-/);
    await make.getByLabel('Name').fill('monday');
    await make.getByLabel('Indices').fill('books');
    await make.getByRole('button', { name: 'Make snapshot' }).click();
    const table = page.getByRole('table', { name: 'Snapshots' });
    await table.getByText('whole').waitFor();
    await table.getByText('1 of 1 shards').first().waitFor();

    await page.getByRole('button', { name: 'Restore monday' }).click();
    const restore = page.getByRole('dialog', { name: 'Restore' });
    await restore.getByRole('button', { name: 'Restore' }).click();
    await restore.getByRole('alert').getByText("because it's open").waitFor();
    await restore.getByLabel('Names that match').fill('(.+)');
    await restore.getByLabel('become').fill('old-$1');
    await restore.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('monday is restored').waitFor();
    expect(await setup.request('GET', '/old-books/_count')).toMatchObject({ count: 1 });

    await page.getByRole('button', { name: 'Delete monday' }).click();
    const remove = page.getByRole('dialog', { name: 'Delete snapshot' });
    await remove.getByLabel('Type monday to go on').fill('monday');
    await remove.getByRole('button', { name: 'Delete snapshot' }).click();
    await page.getByText('There is no snapshot in it yet.').waitFor();
  });

  it('are those of the repository that is chosen, which a link holds', async () => {
    await setup.request('PUT', '/_snapshot/attic', { type: 'fs', settings: { location: 'attic' } });
    await setup.request('PUT', '/_snapshot/attic/tuesday?wait_for_completion=true', { indices: 'films' });
    const page = await setup.open('snapshots?repository=attic');
    const table = page.getByRole('table', { name: 'Snapshots' });
    await table.getByText('tuesday').waitFor();
    await page.getByRole('radio', { name: 'box' }).click();
    await page.getByRole('heading', { name: 'Snapshots in box' }).waitFor();
    expect(page.url()).toContain('repository=box');
  });

  it('say which shards failed, and why', async () => {
    const page = await setup.open();
    // No folder of a test fails by itself: the answer is one that the server gave for a shard whose file could not be read.
    await page.route('**/_snapshot/attic/_all', (route) =>
      route.fulfill({
        json: {
          snapshots: [
            {
              ...{ snapshot: 'broken', state: 'PARTIAL', indices: ['films'], start_time_in_millis: 1 },
              failures: [{ index: 'films', shard_id: 0, reason: 'IOException[no room]', status: 'x' }],
              shards: { total: 1, failed: 1, successful: 0 },
            },
          ],
        },
      }),
    );
    await page.evaluate(() => {
      location.hash = '#/snapshots?repository=attic';
    });
    const table = page.getByRole('table', { name: 'Snapshots' });
    await table.getByText('partial').waitFor();
    await table.getByText('1 failure').click();
    await table.getByText('IOException[no room]').waitFor();
  });

  it.each(['light', 'dark'] as const)('keep nobody out, %s, on a phone either', async (theme) => {
    const page = await setup.open('snapshots?repository=attic', { theme });
    await page.getByRole('button', { name: 'Restore tuesday' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole('button', { name: 'Restore tuesday' }).click();
    await page.getByRole('dialog', { name: 'Restore' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  it('have had no problems', () => {
    expect(setup.problems).toEqual([]);
  });
});
