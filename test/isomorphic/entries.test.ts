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
import { typeProblems } from './typeCheck.js';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const REQUIRED = process.env.RESILIN_REQUIRE_BROWSER === '1';

/** The pages of the manual whose examples are run, and the files that a page of a browser imports for each entry. */
const MANUALS = ['docs/core.md', 'docs/kernels.md'];
/** Those whose entries need no file beside a bundle. */
const BUNDLED = ['docs/core.md'];
const PAGE_FILES: Readonly<Record<string, string>> = {
  'resilin/core': 'core.js',
  'resilin/kernels': 'kernels.js',
};

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

const { folder, files } = await install();
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
    const others = [
      'resilin/server',
      'resilin/cli',
      'resilin/package.json',
      'resilin/resilin.wasm',
      'resilin/kernels.wasm',
    ];
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

  it('come with the console, packed for those who take gzip', () => {
    const page = readFileSync(join(folder, 'node_modules/resilin/dist/console/index.html'), 'utf8');
    const [, script] = /src="\.\/(assets\/[\w.-]+\.js)"/.exec(page) ?? [];
    expect(files).toEqual(
      expect.arrayContaining(
        ['index.html', 'icon.svg', script!, `${script}.gz`].map((name) => `dist/console/${name}`),
      ),
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

  it('keep documents in IndexedDB and in files by stores that are imported, shared with the strings of their names', async () => {
    if (browser === undefined) return;
    writeFileSync(
      join(folder, 'stores.js'),
      `import { createEngine } from './node_modules/resilin/dist/resilin.js';
import { idb } from './node_modules/resilin/dist/storage/idb.js';
import { memory } from './node_modules/resilin/dist/storage/memory.js';
import { opfs } from './node_modules/resilin/dist/storage/opfs.js';
const isPage = typeof document !== 'undefined';
const [store, name] = isPage ? [idb('entries'), 'idb:entries'] : [opfs('entries'), 'opfs:entries'];
const first = await createEngine({ data: store });
await first.index('books', 'book', { title: 'rose' }, { id: '1' });
const beside = await createEngine({ data: name });
const found = [(await beside.get('books', 'book', '1'))._source.title];
await first.close();
await beside.index('books', 'book', { title: 'war' }, { id: '2' });
await beside.close();
const again = await createEngine({ data: name });
found.push((await again.get('books', 'book', '2'))._source.title);
await again.close();
const alone = [await createEngine({ data: memory() }), await createEngine({ data: memory() })];
await alone[0].index('books', 'book', {}, { id: '1' });
found.push((await alone[1].request('HEAD', '/books')).status);
if (isPage) globalThis.found = found;
else postMessage(found);
`,
    );
    writeFileSync(
      join(folder, 'stores.html'),
      `<!doctype html><link rel="icon" href="data:,"><script type="module">
const worker = new Worker('stores.js', { type: 'module' });
worker.onmessage = ({ data }) => (globalThis.inWorker = data);
await import('./stores.js');
</script>`,
    );
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(`${site.url}stores.html`);
    await page.waitForFunction(() => 'found' in globalThis && 'inWorker' in globalThis).catch(() => {});
    expect(errors).toEqual([]);
    const told = await page.evaluate(() => [
      Reflect.get(globalThis, 'found'),
      Reflect.get(globalThis, 'inWorker'),
    ]);
    expect(told).toEqual([
      ['rose', 'war', 404],
      ['rose', 'war', 404],
    ]);
    await page.close();
  });

  describe('the bench of the kernels', () => {
    const quick = ['--only', 'norms', '--only', 'phrase: 20 % and 20 %, phrase', '--seconds', '0.05'];

    it('prints a table from an installed package that has nothing else', async () => {
      const npx = ['exec', '--offline', '--', 'resilin', 'bench', ...quick];
      const { stdout } = await run('npm', npx, { cwd: folder, env: { ...process.env, INIT_CWD: folder } });
      const figure = String.raw`[\d.]+(?: [kMGT])?`;
      expect(stdout).toMatch(
        /^resilin 0\.1\.0, Node .*, \d+ cores\n\nnorms +ns\/norm +norms\/s +bytes\/s +margin\n/,
      );
      expect(stdout).toMatch(new RegExp(`\n  made +${figure} +${figure} +${figure}B +±${figure} %\n`));
      expect(stdout).toMatch(
        new RegExp(`\n  20 % and 20 %, phrase +${figure} +${figure} +- +±${figure} %\n$`),
      );
    });

    it('prints JSON, in Deno as well, and says what is wrong', async () => {
      const command = 'node_modules/resilin/dist/node/cli.js';
      const shapes: unknown[] = [];
      const inNode = await run(process.execPath, [command, 'bench', ...quick, '--json'], { cwd: folder });
      const answers = [inNode.stdout];
      if (deno !== undefined) {
        const allowed = ['--allow-read', '--allow-env', '--allow-sys', '--node-modules-dir=manual'];
        answers.push((await inDeno(...allowed, 'npm:resilin', 'bench', ...quick, '--json')).stdout);
      }
      for (const answer of answers) {
        const { machine, results, clockStep } = JSON.parse(answer);
        expect([machine.cores > 0, clockStep > 0]).toEqual([true, true]);
        shapes.push(results.map((each: object) => Object.keys(each)));
        expect(results.map((each: { case: string }) => each.case)).toEqual([
          'made',
          'read',
          '20 % and 20 %, phrase',
        ]);
      }
      for (const shape of shapes) expect(shape).toEqual(shapes[0]);
      const failure = await run(process.execPath, [command, 'bench', '--only', 'x'], { cwd: folder }).catch(
        (e) => e,
      );
      expect([failure.code, failure.stderr]).toEqual([
        2,
        expect.stringMatching(/^resilin: nothing is called so; the questions are: /),
      ]);
    });

    it('is drawn by the page in Chromium', async () => {
      if (browser === undefined) return;
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', ({ message }) => errors.push(message));
      const before = site.asked.length;
      await page.goto(
        `${site.url}node_modules/resilin/dist/kernels.html?only=norms,union: rare or rare*&seconds=0.01`,
      );
      await page.waitForFunction(() => !document.querySelector<HTMLButtonElement>('#run')!.disabled);
      expect(errors).toEqual([]);
      expect(await page.textContent('#status')).toMatch(/^5 cases; the clock's step is [\d.]+ ms$/);
      expect(await page.$$eval('caption', (all) => all.map((each) => each.textContent))).toEqual([
        'norms, by the norm',
        'union of two lists, by the posting',
      ]);
      const parts = await page.$$eval('td.bar', (cells) =>
        cells.map(
          (cell) =>
            cell.querySelector('rect')!.getBoundingClientRect().width / cell.getBoundingClientRect().width,
        ),
      );
      expect(parts).toHaveLength(5);
      for (const bars of [parts.slice(0, 2), parts.slice(2)]) {
        expect(Math.max(...bars)).toBeCloseTo(1, 2);
        expect(Math.min(...bars)).toBeGreaterThan(0);
      }
      const copied = await page.evaluate(async () => {
        let text = '';
        Object.defineProperty(navigator, 'clipboard', {
          value: {
            writeText: async (given: string) => {
              text = given;
            },
          },
        });
        document.querySelector<HTMLButtonElement>('#copy')!.click();
        await new Promise(requestAnimationFrame);
        return text;
      });
      expect(JSON.parse(copied).results.map((each: { case: string }) => each.case)).toHaveLength(5);
      // Nothing but the package's own files.
      const files = new Set(site.asked.slice(before));
      for (const file of files)
        expect(file).toMatch(/^\/node_modules\/resilin\/dist\/(kernels|resilin\.wasm)/);
      await page.close();
    });
  });

  it('have types under strict for every example, without the types of Node', async () => {
    const files = MANUALS.flatMap((manual) =>
      blocksOf(manual, 'ts').map((code, i) => {
        const file = join(folder, `${manual.replaceAll(/[/.]/g, '-')}${i}.ts`);
        writeFileSync(file, `${code}\nexport {};\n`);
        return file;
      }),
    );
    const { exports } = JSON.parse(readFileSync(join(folder, 'node_modules/resilin/package.json'), 'utf8'));
    // A server's types need those of Node and of its packages.
    const names = Object.keys(exports).filter((name) => name !== './server' && name !== './package.json');
    const every = join(folder, 'every.ts');
    writeFileSync(
      every,
      names
        .map((name, i) => `import * as entry${i} from '${name.replace('.', 'resilin')}';\nvoid entry${i};\n`)
        .join(''),
    );
    files.push(every);
    for (const resolution of [
      { module: 'ESNext', moduleResolution: 'Bundler' },
      { module: 'NodeNext', moduleResolution: 'NodeNext' },
    ])
      expect(await typeProblems(folder, files, { types: [], ...resolution })).toBe('');
  });
});
