/** The search of the documentation's site, in a browser. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumFile, launchChromium } from './browser.js';
import { type Site, serve } from './staticServer.js';

const root = resolve(import.meta.dirname, '../..');

describe.runIf(chromiumFile !== undefined)('the site in Chromium', () => {
  let browser: Browser;
  let site: Site;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'resilin-pages-'));
    const run = promisify(execFile);
    await run(process.execPath, ['scripts/build.mjs', 'package'], { cwd: root, maxBuffer: Infinity });
    await run(process.execPath, ['scripts/site.mjs', folder], { cwd: root });
    site = await serve(folder);
    browser = await launchChromium(chromiumFile!);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('finds sections by words and beginnings of words, and goes there', async () => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(`${site.url}index.html`);
    // Nothing of the engine is loaded before somebody searches.
    expect(site.asked.some((path) => path.includes('engine/'))).toBe(false);
    await page.keyboard.press('/');
    await page.keyboard.type('wrong checksum of a dam');
    const found = page.locator('#found li a').first();
    await found.waitFor();
    expect(await page.locator('#found').innerText()).toMatch(/\d+ found/);
    await page.fill('input[type=search]', 'zzzz');
    await page.getByText('Nothing was found').waitFor();
    await page.fill('input[type=search]', 'script-inline groovy');
    await page.locator('#found a[href^="scripts.html"]').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/*.html*');
    expect(errors).toEqual([]);
    await page.close();
  });
});
