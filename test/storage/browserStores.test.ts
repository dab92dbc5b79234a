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

  /** Runs a function of the contract on a page, with a store of its own. */
  const onPage = (kind: string) => (does: string) =>
    page.evaluate(
      (args) => (globalThis as unknown as { check(...args: unknown[]): Promise<void> }).check(...args),
      [kind, does, `idb:${++stores}`],
    );

  describe('IndexedDB', () => {
    it.each(Object.keys(STORAGE))('%s', onPage('storage'));
    it.each(Object.keys(KEPT))('%s', onPage('kept'));
    it.each(Object.keys(BLOBS))('blobs: %s', onPage('blobs'));
  });
});
