/** What the package exports besides the engine: as it is installed, in Node, Deno and Chromium, and its manuals. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumFile, launchChromium } from './browser.js';
import { bundle, install } from './installed.js';
import { type Site, serve } from './staticServer.js';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const REQUIRED = process.env.RESILIN_REQUIRE_BROWSER === '1';

/** The pages of the manual whose examples are run, and the files that a page of a browser imports for each entry. */
const MANUALS = ['docs/core.md'];
/** Those whose entries need no file beside a bundle. */
const BUNDLED = ['docs/core.md'];
const PAGE_FILES: Readonly<Record<string, string>> = { 'resilin/core': 'core.js' };

const blocksOf = (file: string, language: string): string[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms')),
  ].map(([, code]) => code!);
const compiled = (code: string): string =>
  ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  }).outputText;

/** Deno's own binary: the script that the npm package would run at its installation may have been blocked. */
function denoBinary(): string | undefined {
  const folder = join(root, 'node_modules/@deno');
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .flatMap((platform) => [join(folder, platform, 'deno'), join(folder, platform, 'deno.exe')])
    .find((file) => existsSync(file));
}

const { folder } = await install();
const deno = denoBinary();
const inDeno = (...args: string[]) =>
  run(deno!, ['run', '--no-lock', '--no-remote', '--no-prompt', ...args], {
    cwd: folder,
    env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
  });

describe('the entries of the installed package', () => {
  let site: Site;
  let browser: Browser | undefined;
  beforeAll(async () => {
    site = await serve(folder);
    if (chromiumFile !== undefined) browser = await launchChromium(chromiumFile);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    rmSync(dirname(folder), { recursive: true, force: true });
  });

  it('have Deno and Chromium where these are required', () => {
    expect(!REQUIRED || (deno !== undefined && chromiumFile !== undefined)).toBe(true);
  });

  it('can all be imported in Node but those of browsers, and required', async () => {
    const { exports } = JSON.parse(readFileSync(join(folder, 'node_modules/resilin/package.json'), 'utf8'));
    const names = Object.keys(exports).map((name) => name.replace('.', 'resilin'));
    // A server needs packages that aren't here, a command is run as it is imported.
    const others = ['resilin/server', 'resilin/cli', 'resilin/package.json', 'resilin/resilin.wasm'];
    const imported = names.filter((name) => !others.includes(name));
    expect(names).toEqual(expect.arrayContaining(others));
    writeFileSync(
      join(folder, 'imports.mjs'),
      `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
for (const name of ${JSON.stringify(imported)}) {
  const [found, required] = [await import(name), require(name)];
  if (Object.keys(found).length === 0 || Object.keys(found).some((key) => found[key] !== required[key])) throw new Error(name);
}
console.log('all of ' + ${imported.length});`,
    );
    expect((await run(process.execPath, ['imports.mjs'], { cwd: folder })).stdout).toBe(
      `all of ${imported.length}\n`,
    );
  });

  describe.each(MANUALS)('the example of %s', (manual) => {
    const [example] = blocksOf(manual, 'ts');
    const [printed] = blocksOf(manual, 'text');
    const file = `${manual.replaceAll(/[/.]/g, '-')}.js`;
    writeFileSync(join(folder, file), compiled(example!));

    it('prints in Node and in Deno what the page says', async () => {
      expect((await run(process.execPath, [file], { cwd: folder })).stdout).toBe(printed);
      if (deno === undefined) return;
      // It quotes strings in objects otherwise.
      const { stdout } = await inDeno(`--allow-read=${folder}`, file);
      expect(stdout.replaceAll('"', "'")).toBe(printed!.replaceAll('"', "'"));
    });

    const inPage = async (page: string, head: string, script: string) => {
      if (browser === undefined) return;
      writeFileSync(
        join(folder, page),
        `<!doctype html><link rel="icon" href="data:,">${head}
<script type="module">
const lines = [];
console.log = (...parts) => lines.push(parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' '));
await import('${script}');
globalThis.printed = lines;
</script>`,
      );
      const opened = await browser.newPage();
      const errors: string[] = [];
      opened.on('pageerror', ({ message }) => errors.push(message));
      await opened.goto(`${site.url}${page}`);
      await opened.waitForFunction(() => 'printed' in globalThis).catch(() => {});
      expect(errors).toEqual([]);
      const lines = await opened.evaluate(() => (globalThis as unknown as { printed: string[] }).printed);
      await opened.close();
      // Objects are shown in another way there.
      const plain = (text: string) => text.replaceAll(/[\s'"]/g, '');
      expect(plain(lines.join(''))).toBe(plain(printed!));
    };

    it('does the same in Chromium without a bundler', async () => {
      const imports = Object.fromEntries(
        Object.entries(PAGE_FILES).map(([name, of]) => [name, `./node_modules/resilin/dist/${of}`]),
      );
      const head = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
      await inPage(file.replace('.js', '.html'), head, `./${file}`);
    });

    it.runIf(BUNDLED.includes(manual))(
      "does the same in a bundle that was made without the core's file",
      async () => {
        await bundle(folder, file.replace('.js', ''), 'esm');
        await inPage(file.replace('.js', '-bundled.html'), '', `./bundled/${file}`);
      },
    );
  });

  it('have types under strict for every example, without the types of Node', () => {
    const files = MANUALS.flatMap((manual) =>
      blocksOf(manual, 'ts').map((code, i) => {
        const file = join(folder, `${manual.replaceAll(/[/.]/g, '-')}${i}.ts`);
        writeFileSync(file, `${code}\nexport {};\n`);
        return file;
      }),
    );
    const resolutions = [
      { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
      { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
    ];
    for (const resolution of resolutions) {
      const program = ts.createProgram(files, {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
        skipDefaultLibCheck: true,
        target: ts.ScriptTarget.ES2022,
        types: [],
        ...resolution,
      });
      expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)).toEqual([]);
    }
  });
});
