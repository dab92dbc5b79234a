import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { coreBytes } from '../support/core.js';
import { built } from '../support/server.js';
import { runScenario, type ScenarioReport } from './scenario.js';
import { serve } from './staticServer.js';

const root = resolve(import.meta.dirname, '../..');
const LOADER = 'node_modules/@assemblyscript/loader';
/** Where the engine's bare import is. */
const packages = (prefix: string) => ({
  '@assemblyscript/loader': `${prefix}${LOADER}/index.js`,
});
/** What Deno and Chromium load: the core, and beside it this folder. */
const BUILD = await built();
const OUT = `${relative(root, BUILD)}/isomorphic`;
const MAIN = `${OUT}/test/isomorphic/main.js`;
const REQUIRED = process.env.RESILIN_REQUIRE_BROWSER === '1';

/** Deno's own binary: the script that the npm package would run at its installation may have been blocked. */
function denoBinary(): string | undefined {
  const folder = join(root, 'node_modules/@deno');
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .flatMap((platform) => [join(folder, platform, 'deno'), join(folder, platform, 'deno.exe')])
    .find((file) => existsSync(file));
}

const chromium = [process.env.RESILIN_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (file) => file !== undefined && existsSync(file),
);

/** Compiles a module of the tests, and those of the tests that it imports. `npm run check` looks at their types (tsconfig.json). */
function compile(file: string, compiled = new Set<string>()): void {
  if (compiled.has(file)) return;
  compiled.add(file);
  const source = readFileSync(join(root, file), 'utf8');
  const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext };
  const out = join(root, OUT, file.replace(/ts$/, 'js'));
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, ts.transpileModule(source, { compilerOptions }).outputText);
  for (const { fileName } of ts.preProcessFile(source).importedFiles) {
    const imported = join(dirname(file), fileName.replace(/js$/, 'ts'));
    if (imported.startsWith('test/')) compile(imported, compiled);
  }
}

function reportIn(output: string): ScenarioReport {
  const line = output.split('\n').find((each) => each.startsWith('REPORT '));
  if (line === undefined) throw new Error(`no report in: ${output}`);
  return JSON.parse(line.slice('REPORT '.length)) as ScenarioReport;
}

describe('the same engine creates, bulk-loads and searches', () => {
  let inNode: ScenarioReport;

  beforeAll(async () => {
    rmSync(join(root, OUT), { recursive: true, force: true });
    cpSync(join(BUILD, 'js/host'), join(root, OUT, 'host'), { recursive: true });
    compile('test/isomorphic/main.ts');
    inNode = await runScenario(coreBytes());
  }, 120_000);

  it('in Node', () => {
    expect(inNode.failures).toEqual([]);
    expect(inNode.checks).toBeGreaterThan(20);
  });

  it('in Deno', async (context) => {
    const deno = denoBinary();
    if (deno === undefined) {
      if (REQUIRED) throw new Error('no Deno binary in node_modules/@deno');
      context.skip('no Deno binary in node_modules/@deno for this platform');
      return;
    }
    const folder = join(root, OUT);
    mkdirSync(folder, { recursive: true });
    const map = join(folder, 'import-map.json');
    writeFileSync(map, JSON.stringify({ imports: packages(`${relative(folder, root)}/`) }));
    const allowed = ['build', LOADER].map((path) => join(root, path)).join(',');
    const { stdout } = await promisify(execFile)(
      deno,
      [
        'run',
        '--no-config',
        '--no-lock',
        '--no-remote',
        '--no-npm',
        '--no-prompt',
        `--import-map=${map}`,
        `--allow-read=${allowed}`,
        join(root, MAIN),
      ],
      { cwd: root, env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' } },
    );
    expect(reportIn(stdout)).toEqual(inNode);
  });

  it('in Chromium', async (context) => {
    if (chromium === undefined) {
      if (REQUIRED) throw new Error('Chromium is required (RESILIN_REQUIRE_BROWSER=1) and not installed');
      context.skip('Chromium is not installed (Debian: apt-get install chromium)');
      return;
    }
    const { chromium: driver } = await import('playwright-core');
    const site = await serve(root, ['build', LOADER], {
      module: `/${MAIN}`,
      imports: packages('/'),
    });
    const browser = await driver.launch({
      executablePath: chromium,
      headless: true,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
    try {
      const page = await browser.newPage();
      const report = new Promise<string>((done, fail) => {
        page.on('console', (message) => {
          if (message.text().startsWith('REPORT ')) done(message.text());
          else if (message.type() === 'error') fail(new Error(message.text()));
        });
        page.on('pageerror', fail);
      });
      await page.goto(site.url);
      expect(reportIn(await report)).toEqual(inNode);
    } finally {
      await browser.close();
      await site.close();
    }
  });
});
