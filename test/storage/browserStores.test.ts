import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumFile } from '../isomorphic/browser.js';
import { pageAt, newProfile, type Profile } from '../isomorphic/persistent.js';
import { type Site, serve } from '../isomorphic/staticServer.js';
import { BLOBS, KEPT, STORAGE } from './contract.js';

const root = resolve(import.meta.dirname, '../..');

it('Chromium is there where it is required', () => {
  expect(chromiumFile !== undefined || process.env.RESILIN_REQUIRE_BROWSER !== '1').toBe(true);
});

describe.runIf(chromiumFile !== undefined)('stores in Chromium', () => {
  let folder: string;
  let site: Site;
  let profile: Profile;
  let page: Page;
  let stores = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'resilin-stores-'));
    await build({
      cwd: root,
      input: { contract: 'test/storage/browserContract.ts' },
      tsconfig: false,
      logLevel: 'silent',
      output: { dir: folder, format: 'esm' },
    });
    site = await serve(folder);
    profile = newProfile(chromiumFile!);
    page = await pageAt(await profile.launch(), `${site.url}contract.js`);
    await page.addScriptTag({ url: 'contract.js', type: 'module' });
  });
  afterAll(async () => {
    await profile?.remove();
    await site?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  type Runner = (kind: string, does: string, data: string) => Promise<void>;
  const run = (where: 'check' | 'checkInWorker', kind: string, does: string, data: string) =>
    page.evaluate(
      ([name, ...args]) =>
        (globalThis as unknown as Record<string, Runner>)[name!]!(args[0]!, args[1]!, args[2]!),
      [where, kind, does, data],
    );

  describe.each([
    ['IndexedDB on a page', 'idb', 'check'],
    ['IndexedDB in a worker', 'idb', 'checkInWorker'],
    ['files in a worker', 'opfs', 'checkInWorker'],
  ] as const)('%s', (_where, store, runner) => {
    const inStore = (kind: string) => (does: string) => run(runner, kind, does, `${store}:${++stores}`);
    it.each(Object.keys(STORAGE))('%s', inStore('storage'));
    it.each(Object.keys(KEPT))('%s', inStore('kept'));
    it.each(Object.keys(BLOBS))('blobs: %s', inStore('blobs'));
  });

  it.each([
    ['idb', 'check'],
    ['idb', 'checkInWorker'],
    ['opfs', 'checkInWorker'],
    ['memory', 'check'],
  ] as const)('the entry of %s is what an engine relies on, by %s', async (entry, runner) => {
    await run(runner, 'entry', '', `${entry}:entry ${runner}`);
  });

  it('files are refused on a page', async () => {
    await expect(run('check', 'entry', '', 'opfs:page')).rejects.toThrow(
      'opfs:page can be kept in a dedicated worker',
    );
  });

  it('says what has failed', async () => {
    for (const runner of ['check', 'checkInWorker'] as const)
      await expect(run(runner, 'kept', 'nothing of that name', 'idb:x')).rejects.toThrow('is not a function');
  });

  it('are apart by their names, whatever these are', async () => {
    const [does] = Object.keys(STORAGE);
    for (const data of ['opfs:..', 'opfs:a/b', 'opfs:ä ö', 'idb:a/b', 'idb:ä ö'])
      await run('checkInWorker', 'storage', does!, data);
  });
});
