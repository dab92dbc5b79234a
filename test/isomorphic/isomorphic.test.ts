import { execFile } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../host/version.js';
import { chromiumFile, launchChromium, reportOf } from './browser.js';
import { Firefox, firefoxFile, noFirefox } from './firefox.js';
import { addScenario, bundle, install } from './installed.js';
import { RARE_PARTS } from './rareRequests.js';
import type { ScenarioReport } from './scenario.js';
import { DOCUMENTS } from './scenarioData.js';
import { type Site, serve } from './staticServer.js';
import { typeProblems } from './typeCheck.js';

const root = resolve(import.meta.dirname, '../..');
const REQUIRED = process.env.RESILIN_REQUIRE_BROWSER === '1';
/** Bytes, gzipped: JavaScript and core together, without the parts that are loaded when they are needed. */
const BROWSER_BUDGET = 450_000;
/** The same with a worker's files beside it, and of files that have all parts in them: as measured, with a little room. */
const WORKER_BUDGET = 455_000;
const WHOLE_BUDGET = 775_000;

/** Deno's own binary: the script that the npm package would run at its installation may have been blocked. */
function denoBinary(): string | undefined {
  const folder = join(root, 'node_modules/@deno');
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .flatMap((platform) => [join(folder, platform, 'deno'), join(folder, platform, 'deno.exe')])
    .find((file) => existsSync(file));
}

function reportIn(output: string): ScenarioReport {
  const line = output.split('\n').find((each) => each.startsWith('REPORT '));
  if (line === undefined) throw new Error(`no report in: ${output}`);
  return JSON.parse(line.slice('REPORT '.length)) as ScenarioReport;
}

/** What a page has for a browser whose console isn't read. */
interface Reported {
  reported: Promise<string>;
}

const RUN = `const resilin = await createEngine();
const report = JSON.stringify(await runScenario(resilin));
await resilin.close();`;
const PLAIN_IMPORTS = `import { createEngine } from './node_modules/resilin/dist/resilin.js';
import { runScenario } from './scenario.js';`;

/** What every page begins with: `reported` is what it says on its console, or its error. */
const HEAD = `<!doctype html><title>Resilin</title><link rel="icon" href="data:,"><script>
globalThis.reported = new Promise((done, fail) => {
  const { log } = console;
  console.log = (text) => (log(text), done(text));
  console.error = fail;
  addEventListener('error', ({ message, target }) => fail(Error(message ?? target.outerHTML)), true);
  addEventListener('unhandledrejection', ({ reason }) => fail(reason));
});
globalThis.reported.catch(() => {});
</script>`;
/** What is put into the project; a bare import is found in node_modules, a browser's is the one URL. */
const FILES = {
  'node.mjs': `import { createEngine } from 'resilin';
import { runScenario } from './scenario.js';
${RUN}
console.log('REPORT ' + report);`,
  'node.cjs': `const { createEngine } = require('resilin');
const { runScenario } = require('./scenario.js');
(async () => {
  ${RUN}
  console.log('REPORT ' + report);
})();`,
  'folder.mjs': `import { createEngine } from 'resilin';
const resilin = await createEngine({ data: './books' });
const { hits } = await resilin.search('', {});
await resilin.index('books', 'book', { title: 'run ' + (hits.total + 1) }, { refresh: true });
const found = await resilin.search('books', {});
const second = await createEngine({ data: './books' }).catch(({ message }) => message);
await resilin.close();
const titles = found.hits.hits.map(({ _source }) => _source.title);
console.log('REPORT ' + JSON.stringify({ total: found.hits.total, hits: titles, second }));`,
  'rare.mjs': `import { createEngine } from 'resilin';
import { askRarely } from './rareRequests.js';
const resilin = await createEngine();
console.log('REPORT ' + JSON.stringify(await askRarely(resilin)));
await resilin.close();`,
  'rare.html': `${HEAD}<script type="module">
import { createEngine } from './node_modules/resilin/dist/resilin.js';
import { askRarely } from './rareRequests.js';
console.log('REPORT ' + JSON.stringify(await askRarely(await createEngine())));
</script>`,
  'module.js': `import { createEngine } from 'resilin';
import { runScenario } from './scenario.js';
${RUN}
console.log('REPORT ' + report);`,
  'classic.js': `import { createEngine } from 'resilin';
import { runScenario } from './scenario.js';
createEngine()
  .then(runScenario)
  .then((report) => console.log('REPORT ' + JSON.stringify(report)), console.error);`,
  'module.html': `${HEAD}<script type="module" src="bundled/module.js"></script>`,
  'classic.html': `${HEAD}<script src="bundled/classic.js"></script>`,
  'page.html': `${HEAD}<script type="module">
${PLAIN_IMPORTS}
${RUN}
console.log('REPORT ' + report);
</script>`,
  'worker.html': `${HEAD}<script type="module">
const worker = new Worker('worker.js', { type: 'module' });
worker.onmessage = ({ data }) => console.log('REPORT ' + data);
worker.onerror = ({ message }) => console.error(message);
</script>`,
  'worker.js': `${PLAIN_IMPORTS}
${RUN}
postMessage(report);`,
  'workerEngine.html': `${HEAD}<script type="module">
import { createWorkerEngine, Principal } from './node_modules/resilin/dist/worker.js';
import { runScenario } from './scenario.js';
const guarded = await createWorkerEngine({ guarded: true });
const nobody = guarded.as(new Principal('user', 'ann', { grants: [], cluster: 'none' }));
const asked = [await nobody.request('PUT', '/books'), await guarded.request('PUT', '/books')];
const fetched = await guarded.fetch(new Request('http://localhost/books/book/1', { method: 'PUT', body: '{}' }));
if ([...asked, fetched].map(({ status }) => status).join() !== '403,200,201') throw new Error(JSON.stringify(asked));
await guarded.close();
const closed = await guarded.request('GET', '/').catch(({ message }) => message);
if (!String(closed).includes('closed')) throw new Error('answers after it was closed');
const resilin = await createWorkerEngine();
console.log('REPORT ' + JSON.stringify(await runScenario(resilin)));
</script>`,
  'served.html': `${HEAD}<script type="module">
import { runScenario } from './scenario.js';
const controlled = new Promise((done) => (navigator.serviceWorker.oncontrollerchange = done));
await navigator.serviceWorker.register('serviceWorker.js', { type: 'module' });
await controlled;
const request = async (method, uri, body) => {
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch('/elasticsearch' + uri, { method, body: sent });
  return { status: response.status, body: await response.json() };
};
if ((await (await caches.open('resilin-core-${VERSION}')).keys()).length !== 1) throw new Error('the core is not kept');
if ((await fetch('/scenario.js')).status !== 200) throw new Error('takes requests of others');
console.log('REPORT ' + JSON.stringify(await runScenario({ request })));
</script>`,
  'serviceWorker.js': `import { serve } from './node_modules/resilin/dist/serviceWorker.js';
serve();`,
};
/** An index from a file, in each place where it may be opened. */
const IMPORT = `const imported = async (resilin, file) => {
  const { documents } = await resilin.importIndex(file);
  const searches = [{ match: { body: 'elastic energy' } }, { match_phrase: { body: 'jump of a flea' } }];
  const found = [];
  for (const query of searches) found.push((await resilin.search('one', { query })).hits);
  await resilin.close();
  return JSON.stringify({ documents, found });
};`;
const IMPORTING = {
  'export.mjs': `import { writeFileSync } from 'node:fs';
import { createEngine } from 'resilin';
import { runScenario } from './scenario.js';
${IMPORT}
const resilin = await createEngine();
await runScenario(resilin);
const file = await resilin.exportIndex('one');
writeFileSync('one.resilin', file);
console.log('REPORT ' + await imported(await createEngine(), file));`,
  'import.mjs': `import { readFileSync } from 'node:fs';
import { createEngine } from 'resilin';
${IMPORT}
console.log('REPORT ' + await imported(await createEngine(), readFileSync('one.resilin')));`,
  'import.html': `${HEAD}<script type="module">
import { createEngine } from './node_modules/resilin/dist/resilin.js';
import { createWorkerEngine } from './node_modules/resilin/dist/worker.js';
${IMPORT}
const report = await imported(await createEngine(), 'one.resilin');
const bytes = new Uint8Array(await (await fetch('one.resilin')).arrayBuffer());
for (const file of ['one.resilin', new URL('one.resilin', location.href), bytes]) {
  const again = await imported(await createWorkerEngine(), file);
  if (again !== report) throw new Error(again);
}
const sent = await createEngine();
await sent.importIndex(bytes);
const worker = await createWorkerEngine();
await worker.importIndex(await sent.exportIndex('one'), { name: 'two' });
if (await imported(await createEngine(), (await worker.exportIndex('two'))).catch(({ message }) => message) === report)
  throw new Error('has the name that it was exported from');
const missing = await worker.importIndex('none.resilin').catch(({ message }) => message);
if (!/none.resilin answers with 404/.test(missing)) throw new Error(missing);
console.log('REPORT ' + report);
</script>`,
};
/** Each page, and what it loads of the package. */
const PAGES = {
  'page.html': ['resilin.js', 'resilin.wasm'],
  'worker.html': ['resilin.js', 'resilin.wasm'],
  'workerEngine.html': ['lateWorker.js', 'resilin.js', 'resilin.wasm', 'worker.js'],
  'served.html': ['resilin.wasm', 'serviceWorker.js'],
};
/** A bundle and how it is made: of ECMAScript modules, or a classic script, which doesn't know its URL. */
const BUNDLES = [
  ['module', 'esm'],
  ['classic', 'iife'],
] as const;
/** Firefox has service workers of the type `module` since version 147, which is newer than Debian's. */
const FIREFOX_PAGES = Object.entries(PAGES).filter(([name]) => name !== 'served.html');

const { folder, files } = await install();

describe('the installed package', () => {
  let inNode: ScenarioReport;
  let site: Site;
  let browser: Browser | undefined;
  let firefox: Firefox | undefined;

  beforeAll(async () => {
    await addScenario(folder);
    for (const [name, text] of Object.entries({ ...FILES, ...IMPORTING }))
      writeFileSync(join(folder, name), text);
    site = await serve(folder);
    if (chromiumFile !== undefined) browser = await launchChromium(chromiumFile);
    if (firefoxFile !== undefined) firefox = await Firefox.launch(firefoxFile);
    inNode = await inNodeBy('node.mjs');
  });
  const inNodeBy = async (name: string) => {
    const { stdout } = await promisify(execFile)(process.execPath, [name], { cwd: folder });
    return reportIn(stdout);
  };
  const inDenoBy = async (deno: string, name: string, allowed: readonly string[]) => {
    const { stdout } = await promisify(execFile)(
      deno,
      ['run', '--no-lock', '--no-remote', '--no-prompt', ...allowed, name],
      { cwd: folder, env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' } },
    );
    return reportIn(stdout);
  };
  afterAll(async () => {
    await browser?.close();
    await firefox?.remove();
    await site?.close();
    rmSync(dirname(folder), { recursive: true, force: true });
  });

  it('in Node, answers as Lucene does', () => {
    expect(inNode.failures).toEqual([]);
    expect(inNode.checks).toBeGreaterThan(20);
  });

  it('in Node by require', async () => {
    expect(await inNodeBy('node.cjs')).toEqual(inNode);
  });

  it('in Deno', async (context) => {
    const deno = denoBinary();
    if (deno === undefined) {
      if (REQUIRED) throw new Error('no Deno binary in node_modules/@deno');
      context.skip('no Deno binary in node_modules/@deno for this platform');
      return;
    }
    expect(await inDenoBy(deno, 'node.mjs', [`--allow-read=${folder}`])).toEqual(inNode);
  });

  it('keeps its documents in a folder, in Node and in Deno, with the packages that this needs', async (context) => {
    await expect(inNodeBy('folder.mjs')).rejects.toThrow(
      'data in a folder needs lmdb and fs-native-extensions; install it with: npm install lmdb fs-native-extensions',
    );
    const packages = ['lmdb', 'fs-native-extensions'].map((name) => join(folder, 'node_modules', name));
    for (const path of packages) symlinkSync(join(root, 'node_modules', basename(path)), path);
    try {
      const books = (runs: number) => ({
        total: runs,
        hits: expect.arrayContaining([`run ${runs}`]),
        second: expect.stringMatching(/books is in use by process \d+; stop it/),
      });
      expect(await inNodeBy('folder.mjs')).toMatchObject(books(1));
      expect(await inNodeBy('folder.mjs')).toMatchObject(books(2));
      const deno = denoBinary();
      if (deno === undefined) {
        if (REQUIRED) throw new Error('no Deno binary in node_modules/@deno');
        context.skip('no Deno binary in node_modules/@deno for this platform');
        return;
      }
      expect(await inDenoBy(deno, 'folder.mjs', ['--allow-all'])).toMatchObject(books(3));
    } finally {
      for (const path of packages) unlinkSync(path);
    }
  });

  /** What was asked for of the package's files. */
  const packageFiles = () => {
    const start = '/node_modules/resilin/dist/';
    const paths = site.asked.filter((path) => path.startsWith(start));
    return [...new Set(paths)].map((path) => path.slice(start.length)).sort();
  };
  /** What a page says in Firefox. */
  const inFirefox = async (browserOf: Firefox, name: string): Promise<ScenarioReport> => {
    await browserOf.open(`${site.url}${name}`);
    const said = await browserOf.evaluate(() => (globalThis as unknown as Reported).reported);
    await browserOf.closeTab();
    return reportIn(said);
  };

  it.for(FIREFOX_PAGES)('in Firefox without a bundler, %s', async ([name, loaded], context) => {
    site.asked.length = 0;
    expect(await inFirefox(firefox ?? noFirefox(context), name)).toEqual(inNode);
    expect(packageFiles()).toEqual(loaded);
  });

  it.each(Object.entries(PAGES))('in Chromium without a bundler, %s', async (name, loaded) => {
    if (browser === undefined) {
      if (REQUIRED) throw new Error('Chromium is required (RESILIN_REQUIRE_BROWSER=1) and not installed');
      return;
    }
    site.asked.length = 0;
    expect(reportIn(await reportOf(browser, `${site.url}${name}`))).toEqual(inNode);
    expect(packageFiles()).toEqual(loaded);
  });

  it.each(BUNDLES)("in a bundle that was made without the core's file, %s, %s", async (name, format) => {
    await bundle(folder, name, format);
    expect(readdirSync(join(folder, 'bundled'))).not.toContain('resilin.wasm');
    for (const page of [browser, firefox]) {
      if (page === undefined) continue;
      site.asked.length = 0;
      const url = `${name}.html`;
      const found =
        page === firefox ? inFirefox(firefox, url) : reportOf(browser!, `${site.url}${url}`).then(reportIn);
      expect(await found).toEqual(inNode);
      expect(site.asked).toEqual([`/${url}`, `/bundled/${name}.js`]);
    }
  });

  it('opens an exported index in Node, Deno, a page and a worker, with the same hits and scores', async () => {
    const expected = await inNodeBy('export.mjs');
    expect(expected).toMatchObject({ documents: DOCUMENTS.length });
    expect(JSON.stringify(expected)).toContain('"_score":0.');
    expect(await inNodeBy('import.mjs')).toEqual(expected);
    const deno = denoBinary();
    if (deno !== undefined)
      expect(await inDenoBy(deno, 'import.mjs', [`--allow-read=${folder}`])).toEqual(expected);
    if (browser !== undefined)
      expect(reportIn(await reportOf(browser, `${site.url}import.html`))).toEqual(expected);
    if (firefox !== undefined) expect(await inFirefox(firefox, 'import.html')).toEqual(expected);
  });

  it('loads what few requests need when they need it, and then answers as in Node', async () => {
    if (browser === undefined) {
      if (REQUIRED) throw new Error('Chromium is required (RESILIN_REQUIRE_BROWSER=1) and not installed');
      return;
    }
    site.asked.length = 0;
    const found: unknown = reportIn(await reportOf(browser, `${site.url}rare.html`));
    expect(found).toEqual(await inNodeBy('rare.mjs'));
    const parts = files.filter((file) => file.startsWith('dist/resilin-'));
    expect(parts).toEqual(expect.arrayContaining(RARE_PARTS.map((part) => `dist/resilin-${part}.js`)));
    // Beside the core's file, nobody needs it in JavaScript; Groovy is for engines that let it run.
    const unused = ['dist/resilin-inlinedCore.js', 'dist/resilin-groovy.js'];
    const needed = parts.filter((part) => !unused.includes(part));
    expect(needed.length).toBe(parts.length - unused.length);
    expect(site.asked.filter((path) => path.includes('/resilin-')).sort()).toEqual(
      needed.map((part) => `/node_modules/resilin/${part}`).sort(),
    );
  });

  it('does so in Firefox', async (context) => {
    const found: unknown = await inFirefox(firefox ?? noFirefox(context), 'rare.html');
    expect(found).toEqual(await inNodeBy('rare.mjs'));
  });

  it('has what it exports, and nothing of how it was made', () => {
    const { exports, bin } = JSON.parse(
      readFileSync(join(folder, 'node_modules/resilin/package.json'), 'utf8'),
    );
    const named = [bin, ...Object.values(exports)].flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target as Record<string, string>),
    );
    for (const target of named) expect(files).toContain(target.replace('./', ''));
    // What the exported types reach; an import more in one of them may bring in the whole host.
    expect(files.filter((file) => file.endsWith('.d.ts')).length).toBeLessThan(50);
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'NOTICE', 'CHANGELOG.md', 'README.md']));
    expect(files.filter((file) => !/^dist\/|^[A-Z]+(\.md)?$|^package\.json$/.test(file))).toEqual([]);
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'resilin',
    ]);
  });

  it('types what it exports and the examples of the docs under strict, without the types of Node', async () => {
    const text = readFileSync(join(root, 'docs/embedding.md'), 'utf8');
    const [first, ...others] = [...text.matchAll(/(?<=^```ts\n).*?(?=^```)/gms)].map(([code]) => code);
    expect(others.length).toBeGreaterThan(5);
    const more = `${first}
import { RequestError, type Resilin } from 'resilin';
import { createWorkerEngine } from 'resilin/worker';
import { serve } from 'resilin/service-worker';
export const made: Promise<Resilin>[] = [createEngine(), serve({ path: '/es' }).engine()];
export const found = (await (await createWorkerEngine()).get<Book>('books', 'book', '1'))?._source.title.length;
export const refusal: number = new RequestError(404, { error: 'IndexMissingException', status: 404 }).status;
`;
    const examples = [more, ...others].map((code, number) => {
      const file = join(folder, `example${number}.ts`);
      writeFileSync(file, `${code}\nexport {};\n`);
      return file;
    });
    const module = { module: 'ESNext', moduleResolution: 'Bundler' };
    const isOfServer = (file: string) => readFileSync(file, 'utf8').includes("'resilin-server'");
    const withoutServer = examples.filter((file) => !isOfServer(file));
    expect(await typeProblems(folder, withoutServer, { ...module, types: [] })).toBe('');
    const paths = {
      'resilin-server': [join(root, 'packages/server/index.d.ts')],
      'resilin/server': [join(folder, 'node_modules/resilin/dist/types/server/index.d.ts')],
      pino: [join(root, 'node_modules/pino')],
    };
    const node = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')], skipLibCheck: true };
    expect(withoutServer.length).toBe(examples.length - 1);
    const ofServer = examples.filter(isOfServer);
    expect(await typeProblems(folder, ofServer, { ...module, ...node, paths })).toBe('');
  });

  it('has one version, and its server the same and the packages that it is tested with', () => {
    const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
    const { version: own, devDependencies, peerDependencies } = read('package.json');
    const server = read('packages/server/package.json');
    expect([VERSION, server.version, server.dependencies.resilin]).toEqual([own, own, own]);
    const { resilin, ...others } = server.dependencies;
    // What few servers need is installed by those who do.
    const ofFew = ['@aws-sdk/client-s3', '@nats-io/jetstream', '@nats-io/kv', '@nats-io/transport-node'];
    const tested = { ...others, ...Object.fromEntries(ofFew.map((name) => [name, devDependencies[name]])) };
    expect(Object.keys(tested).sort()).toEqual(Object.keys(peerDependencies).sort());
    expect(devDependencies).toMatchObject(tested);
    for (const [name, version] of Object.entries(tested)) expect(peerDependencies[name]).toBe(`^${version}`);
  });

  it("never mentions Node's modules to a browser, and is small", () => {
    const dist = join(folder, 'node_modules/resilin/dist');
    const script = readFileSync(join(dist, 'resilin.js'), 'utf8');
    for (const { fileName } of ts.preProcessFile(script, true, true).importedFiles) {
      expect(fileName).toMatch(/^\.\/resilin-/);
      expect(files).toContain(fileName.replace('.', 'dist'));
    }
    expect(script).not.toMatch(/(^|;)import[^(]/);
    expect(script.match(/["'`]node:|\bprocess\./g)).toBeNull();
    expect(script).toContain('new URL(`./resilin.wasm`,import.meta.url)');
    const bytesOf = (...names: string[]) =>
      names.reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, name)), { level: 9 }).length, 0);
    const budgets: [number, string[]][] = [
      [BROWSER_BUDGET, ['resilin.js']],
      [WORKER_BUDGET, PAGES['workerEngine.html'].filter((name) => name !== 'resilin.wasm')],
      [WHOLE_BUDGET, ['worker.js', 'engineWorker.js']],
      [WHOLE_BUDGET, ['serviceWorker.js']],
    ];
    for (const [budget, names] of budgets)
      expect(bytesOf('resilin.wasm', ...names), names.join()).toBeLessThanOrEqual(budget);
  });
});
