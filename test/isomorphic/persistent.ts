import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { chromiumArguments } from './browser.js';

/** A browser with a profile on the disk, which stays when the browser ends. */
export interface Profile {
  /** Starts the browser, or starts it again. */
  launch(): Promise<BrowserContext>;
  /** Ends the browser with SIGKILL. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

/** Makes a profile. */
export function newProfile(executablePath: string): Profile {
  const folder = mkdtempSync(join(tmpdir(), 'resilin-profile-'));
  let context: BrowserContext | undefined;
  return {
    async launch() {
      const { chromium } = await import('playwright-core');
      context = await chromium.launchPersistentContext(folder, {
        executablePath,
        headless: true,
        args: chromiumArguments,
      });
      return context;
    },
    async kill() {
      const session = await context!.browser()!.newBrowserCDPSession();
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      const gone = new Promise((done) => context!.once('close', done));
      process.kill(processInfo.find(({ type }) => type === 'browser')!.id, 'SIGKILL');
      await gone;
    },
    async remove() {
      await context?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A page that shows a file, and so is of its origin. */
export async function pageAt(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}
