import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

/** Where Chromium is installed; undefined where it isn't. */
export const chromiumFile = [
  process.env.RESILIN_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
].find((file) => file !== undefined && existsSync(file));

/** What Chromium is started with: nothing of the network, and no sandbox, which containers don't have. */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts Chromium without a window. */
export async function launchChromium(executablePath: string): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, headless: true, args: chromiumArguments });
}

/** Opens a page and waits until it says `REPORT …` on its console; errors of the page end the wait. */
export async function reportOf(browser: Browser, url: string): Promise<string> {
  const page = await browser.newPage();
  try {
    const report = new Promise<string>((done, fail) => {
      page.on('console', (message) => {
        if (message.text().startsWith('REPORT ')) done(message.text());
        // A browser says of every answer of 400 and above that it is an error, of an engine's too.
        else if (message.type() === 'error' && !message.location().url.includes('/elasticsearch/'))
          fail(new Error(message.text()));
      });
      page.on('pageerror', fail);
    });
    const [text] = await Promise.all([report, page.goto(url)]);
    return text;
  } finally {
    await page.close();
  }
}
