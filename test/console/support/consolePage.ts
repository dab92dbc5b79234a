/** A server with the console, and Chromium to look at it, for the tests of one file. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { RunningServer, ServerOptions } from '../../../host/server/options.js';
import { startServer } from '../../../host/server/server.js';
import { buildConsole, CONSOLE } from '../../../scripts/builder/console.mjs';
import { chromiumFile, launchChromium } from '../../isomorphic/browser.js';
import { built } from '../../support/server.js';

export { chromiumFile };

/** Sizes that views are tried at. */
export const DESKTOP = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 844 };

/** How a page is opened. */
export interface PageOptions {
  size?: { width: number; height: number };
  theme?: 'light' | 'dark';
}

/** What is there for the tests of a file. */
export class ConsoleSetup {
  readonly browser: Browser;
  readonly server: RunningServer;
  /** What pages have said that is wrong: errors of scripts, what the policy has refused. Tests expect none. */
  readonly problems: string[] = [];
  readonly #contexts: BrowserContext[] = [];

  private constructor(browser: Browser, server: RunningServer) {
    this.browser = browser;
    this.server = server;
  }

  static async start(options: ServerOptions = {}): Promise<ConsoleSetup> {
    const build = await built();
    await buildConsole();
    const server = await startServer({
      port: 0,
      data: ':memory:',
      threads: 1,
      wasm: join(build, 'resilin.wasm'),
      ...options,
      http: { console: CONSOLE, ...options.http },
    });
    return new ConsoleSetup(await launchChromium(chromiumFile!), server);
  }

  /** Asks the server beside the console. A body that is no string is sent as JSON. */
  async request(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const sent = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${this.server.url}${path}`, {
      method,
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  }

  /** Opens a view, such as `search?index=books`, in a browser of its own. */
  async open(view = '', { size = DESKTOP, theme = 'light' }: PageOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({
      viewport: size,
      colorScheme: theme,
      reducedMotion: 'reduce',
      acceptDownloads: true,
    });
    this.#contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on('pageerror', ({ message }) => this.problems.push(message));
    page.on('console', (message) => {
      // A browser says of each answer of 400 and above that it is an error: some are meant.
      const isAnswer = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isAnswer) this.problems.push(message.text());
    });
    await page.goto(`${this.server.url}/_console/${view === '' ? '' : `#/${view}`}`);
    return page;
  }

  async close(): Promise<void> {
    for (const context of this.#contexts) await context.close();
    await this.browser.close();
    await this.server.close();
  }
}

const require = createRequire(import.meta.url);

/** What axe-core calls serious or critical in a page as it is now, one line each. */
export async function seriousProblems(page: Page): Promise<string[]> {
  const file = require.resolve('axe-core/axe.min.js');
  if (!existsSync(file)) throw new Error('axe-core is not installed');
  await page.evaluate(readFileSync(file, 'utf8'));
  return page.evaluate(async () => {
    interface Violation {
      id: string;
      impact: string;
      nodes: { html: string; failureSummary?: string }[];
    }
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
      );
  });
}

/** Whether the page is wider than its window: on a phone nothing but tables and code may be scrolled sideways. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
