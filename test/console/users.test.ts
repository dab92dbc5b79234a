/** Users and keys in the console: who is offered the view, and what can be done there. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../../host/server/access/passwords.js';
import { changeUsers } from '../../host/server/access/usersFile.js';
import {
  ConsoleSetup,
  chromiumFile,
  isTooWide,
  type PageOptions,
  PHONE,
  seriousProblems,
} from './support/consolePage.js';
import { addUser } from './support/users.js';

describe.runIf(chromiumFile !== undefined)('users and keys', () => {
  let setup: ConsoleSetup;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'resilin-console-users-'));
    file = join(folder, 'users.json');
    await addUser(file, 'root', 'a good password');
    const password = await hashPassword('a good password', { N: 1024, r: 8, p: 1 });
    const ann = {
      password,
      grants: [{ indices: ['books'], access: 'read' as const }],
      cluster: 'none' as const,
    };
    changeUsers(file, ({ users, keys }) => ({ users: new Map([...users, ['ann', ann]]), keys }));
    setup = await ConsoleSetup.start({ users: file });
  });
  afterAll(async () => {
    await setup?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function signIn(
    view: string,
    name: string,
    options: PageOptions = {},
    password = 'a good password',
  ): Promise<Page> {
    const page = await setup.open(view, options);
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    return page;
  }

  it('are offered to those who may keep them, and to nobody else', async () => {
    const root = await signIn('', 'root');
    await root.getByRole('link', { name: 'Users and keys' }).click();
    await root.getByRole('heading', { name: 'Users and keys' }).waitFor();
    const ann = await signIn('users', 'ann');
    // Whoever goes there by its address is told why there is nothing.
    await ann.getByRole('alert').getByText('is unauthorized for user [ann]').first().waitFor();
    expect(await ann.getByRole('link', { name: 'Users and keys' }).count()).toBe(0);
    await ann.getByRole('link', { name: 'Overview', exact: true }).click();
    await ann.getByText('Charts and nodes are for those who may monitor the cluster.').waitFor();
  });

  it('are added, changed and removed, and no password is shown or kept', async () => {
    const page = await signIn('users', 'root');
    await page.getByRole('button', { name: 'Add user' }).click();
    const add = page.getByRole('dialog', { name: 'Add user' });
    await add.getByLabel('Name', { exact: true }).fill('eve');
    await add.getByLabel('Password').fill('secret words');
    await add.getByLabel('Names of grant 1').fill('logs-*, metrics');
    await add.getByLabel('Level of grant 1').selectOption('write');
    await add.getByLabel('Cluster').selectOption('monitor');
    expect(await add.getByText('secret words').count()).toBe(0);
    await add.getByRole('button', { name: 'Add user' }).click();
    const users = page.getByRole('table', { name: 'Users' });
    await users.getByText('write logs-*, metrics; monitor the cluster').waitFor();

    await page.getByRole('button', { name: 'Grants of eve' }).click();
    const grants = page.getByRole('dialog', { name: 'Change grants' });
    await grants.getByRole('button', { name: 'Add a grant' }).click();
    await grants.getByLabel('Names of grant 2').fill('books');
    await grants.getByRole('button', { name: 'Change grants' }).click();
    await users.getByText('write logs-*, metrics; read books; monitor the cluster').waitFor();

    await page.getByRole('button', { name: 'Password of eve' }).click();
    const password = page.getByRole('dialog', { name: 'Change password' });
    await password.getByLabel('New password').fill('other words');
    await password.getByText('Both must be the same.').waitFor();
    await password.getByLabel('Once more').fill('other words');
    await password.getByRole('button', { name: 'Change password' }).click();
    await password.waitFor({ state: 'detached' });
    await signIn('', 'eve', {}, 'other words');

    await page.getByRole('region', { name: 'Requests that were sent' }).getByRole('button').first().click();
    const sent = await page.getByRole('region', { name: 'Requests that were sent' }).textContent();
    expect(sent).toContain('/_security/user/eve');
    expect(sent).not.toMatch(/secret words|other words/);
    await page.getByRole('region', { name: 'Requests that were sent' }).getByRole('button').first().click();

    await page.getByRole('button', { name: 'Remove eve' }).click();
    const remove = page.getByRole('dialog', { name: 'Remove user' });
    await remove.getByLabel('Type eve to go on').fill('eve');
    await remove.getByRole('button', { name: 'Remove user' }).click();
    await users.getByText('eve').waitFor({ state: 'detached' });
    expect(readFileSync(file, 'utf8')).not.toContain('"eve"');
  });

  it('tell in the words of the server what is refused', async () => {
    const page = await signIn('users', 'root');
    await page.getByRole('button', { name: 'Remove root' }).click();
    const remove = page.getByRole('dialog', { name: 'Remove user' });
    await remove.getByLabel('Type root to go on').fill('root');
    await remove.getByRole('button', { name: 'Remove user' }).click();
    await remove.getByRole('alert').getByText('nobody would be left who may manage the cluster').waitFor();
  });

  it('let somebody change their own password and go on', async () => {
    await addUser(file, 'bob', 'first password');
    setup.server.reload();
    const page = await signIn('users', 'bob', {}, 'first password');
    await page.getByRole('button', { name: 'Password of bob' }).click();
    const password = page.getByRole('dialog', { name: 'Change password' });
    await password.getByLabel('New password').fill('second password');
    await password.getByLabel('Once more').fill('second password');
    await password.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('bob has another password').waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByText('There is no index yet.').waitFor();
    expect(await page.getByRole('dialog', { name: 'Sign in' }).count()).toBe(0);
  });

  it('make a key whose secret is shown once', async () => {
    const page = await signIn('users', 'root');
    await page.getByRole('button', { name: 'Add key' }).click();
    const add = page.getByRole('dialog', { name: 'Add key' });
    await add.getByLabel('What it is for').fill('shipper');
    await add.getByLabel('Names of grant 1').fill('logs-*');
    await add.getByRole('button', { name: 'Add key' }).click();
    const shown = page.getByRole('dialog', { name: 'The key’s header' });
    const header = (await shown.locator('pre').textContent())!.replace('Authorization: ', '');
    const answer = await fetch(`${setup.server.url}/_security/_authenticate`, {
      headers: { authorization: header },
    });
    expect(await answer.json()).toMatchObject({
      kind: 'key',
      grants: [{ indices: ['logs-*'], access: 'write' }],
    });
    await shown.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('table', { name: 'API keys' }).getByText('shipper').waitFor();
    await page.getByRole('button', { name: 'Remove key shipper' }).click();
    const remove = page.getByRole('dialog', { name: 'Remove key' });
    await remove.getByLabel('Type shipper to go on').fill('shipper');
    await remove.getByRole('button', { name: 'Remove key' }).click();
    await page.getByText('There are no keys.').waitFor();
  });

  it.each(['light', 'dark'] as const)('keep nobody out, %s, on a phone either', async (theme) => {
    const page = await signIn('users', 'root', { theme });
    await page.getByRole('button', { name: 'Grants of ann' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole('button', { name: 'Add user' }).click();
    await page.getByRole('dialog', { name: 'Add user' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
  });

  it('have had no problems', () => {
    expect(setup.problems).toEqual([]);
  });
});
