/** Pages of a browser whose profile stays, with an engine each. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import type { WorkerEngine } from '../../host/library/options.js';
import type { Principal } from '../../host/security/principal.js';
import { newProfile, type Profile, pageAt } from './persistent.js';
import { type Site, serve } from './staticServer.js';

const root = resolve(import.meta.dirname, '../..');

const PAGE = `<!doctype html><title>Resilin</title><link rel="icon" href="data:,"><script type="module">
import { createEngine, Principal } from './resilin.js';
import { createWorkerEngine } from './worker.js';
Object.assign(globalThis, { createEngine, createWorkerEngine, Principal });
</script>`;

const SERVICE_WORKER = `import { serve } from './serviceWorker.js';
serve({ data: 'idb:served' });`;

/** What is on each page here: the engine, and what its tests tell of. */
export interface Tools {
  createEngine(options: { data: string; guarded?: boolean }): Promise<WorkerEngine>;
  createWorkerEngine(options: { data: string; guarded?: boolean }): Promise<WorkerEngine>;
  Principal: typeof Principal;
  resilin: WorkerEngine;
  /** Ends what goes on without an end. */
  stopped?: boolean;
  /** Told of each document that was acknowledged. */
  acknowledged(id: number): Promise<void>;
}

/** The built package and a page that has it, served from a folder of their own. */
export async function servePackage(): Promise<{ site: Site; folder: string }> {
  await promisify(execFile)(process.execPath, ['scripts/build.mjs', 'package'], { cwd: root });
  const folder = mkdtempSync(join(tmpdir(), 'resilin-kept-'));
  for (const file of readdirSync(join(root, 'dist')))
    if (/\.(js|wasm)$/.test(file)) copyFileSync(join(root, 'dist', file), join(folder, file));
  writeFileSync(join(folder, 'page.html'), PAGE);
  writeFileSync(join(folder, 'sw.js'), SERVICE_WORKER);
  return { site: await serve(folder), folder };
}

/** How a page's engine is made. */
interface OpenOptions {
  /** In a worker; without, where the store wants that. */
  inWorker?: boolean;
  /** Another origin. */
  url?: string;
  guarded?: boolean;
}

/** The pages, and the browser that they are in. */
export class KeptPages {
  readonly #folder: string;
  readonly #site: Site;
  readonly #profile: Profile;
  browser: BrowserContext;

  private constructor(folder: string, site: Site, profile: Profile, browser: BrowserContext) {
    this.#folder = folder;
    this.#site = site;
    this.#profile = profile;
    this.browser = browser;
  }

  /** Builds the package, serves it and starts the browser. */
  static async start(executablePath: string): Promise<KeptPages> {
    const { folder, site } = await servePackage();
    const profile = newProfile(executablePath);
    return new KeptPages(folder, site, profile, await profile.launch());
  }

  async stop(): Promise<void> {
    await this.#profile.remove();
    await this.#site.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Ends in a slash. */
  get url(): string {
    return this.#site.url;
  }

  /** A page without an engine. */
  blank(url = this.url): Promise<Page> {
    return pageAt(this.browser, `${url}page.html`);
  }

  /** A page with an engine on a store. */
  async open(
    data: string,
    { inWorker = data.startsWith('opfs:'), url, guarded = false }: OpenOptions = {},
  ): Promise<Page> {
    const page = await this.blank(url);
    await page.evaluate(
      async ([name, isInWorker, isGuarded]) => {
        const tools = globalThis as unknown as Tools;
        const create = isInWorker ? tools.createWorkerEngine : tools.createEngine;
        tools.resilin = await create({ data: name as string, guarded: isGuarded as boolean });
      },
      [data, inWorker, guarded],
    );
    return page;
  }

  /** Ends the process that has a page. */
  async killRenderer(page: Page): Promise<void> {
    const session = await this.browser.newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    session.send('Page.crash').catch(() => {});
    await crashed;
    await page.close();
  }

  /** Ends the browser, and starts it again. */
  async killBrowser(): Promise<void> {
    await this.#profile.kill();
    this.browser = await this.#profile.launch();
  }
}

/** Asks the engine of a page. */
export function request(
  page: Page,
  method: string,
  uri: string,
  body?: unknown,
): Promise<Record<string, never>> {
  return page.evaluate(
    async ([verb, path, sent]) => {
      const { resilin } = globalThis as unknown as Tools;
      return (await resilin.request<Record<string, never>>(verb as string, path as string, sent)).body;
    },
    [method, uri, body],
  );
}
