/** A project with the packed package, and beside it the tools of the proof. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '../..');
const execute = promisify(execFile);

const TOOLS = {
  '@arethetypeswrong/cli': '0.18.5',
  bun: '1.4.5',
  esbuild: '0.28.2',
  miniflare: '4.20260426.0',
  publint: '0.3.25',
  vite: '8.3.8',
  webpack: '5.112.2',
};

/** Opens a page and gives what it says after `REPORT ` on its console; its errors end the wait. */
async function reportOf(browser, url) {
  const page = await browser.newPage();
  try {
    return await new Promise((done, fail) => {
      page.on('console', (message) => {
        if (message.text().startsWith('REPORT ')) done(message.text().slice('REPORT '.length));
        else if (message.type() === 'error') fail(new Error(message.text()));
      });
      page.on('pageerror', fail);
      page.goto(url).catch(fail);
    });
  } finally {
    await page.close();
  }
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

/** Serves the files below a folder while something is done. */
async function serving(folder, work) {
  const server = createServer(({ url }, response) => {
    const file = url === '/' ? 'index.html' : url.slice(1);
    try {
      const bytes = readFileSync(path.join(folder, file));
      response
        .writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream' })
        .end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  try {
    return await work(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The engine's answers to the scenario and to what few ask for, on the console. */
const MAIN = `import { createEngine } from 'resilin';
import { askRarely } from './rareRequests.js';
import { runScenario } from './scenario.js';
const resilin = await createEngine();
const report = JSON.stringify({ ...(await runScenario(resilin)), rare: await askRarely(resilin) });
await resilin.close();
console.log('REPORT ' + report);
`;
const PAGE = (script) =>
  `<!doctype html><title>Resilin</title><link rel="icon" href="data:,"><script type="module" src="${script}"></script>`;

/** Packs both packages, installs the library alone, and the tools elsewhere. */
export async function prepareProject() {
  const folder = mkdtempSync(path.join(tmpdir(), 'resilin-proof-'));
  const inFolder = (name) => path.join(folder, name);
  const app = inFolder('app');
  const tools = inFolder('tools');
  const run = (command, args, options = {}) =>
    execute(command, args, { cwd: app, maxBuffer: Infinity, ...options });
  const npm = (cwd, ...args) => run('npm', [...args, '--no-audit', '--no-fund'], { cwd });
  for (const each of [app, tools]) {
    mkdirSync(each);
    writeFileSync(path.join(each, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  }
  await npm(root, 'run', 'build:package');
  const tarball = async (of) => {
    const { stdout } = await npm(of, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
    return inFolder(JSON.parse(stdout)[0].filename);
  };
  const library = await tarball(root);
  const server = await tarball(path.join(root, 'packages/server'));
  await npm(app, 'install', library);
  await npm(tools, 'install', ...Object.entries(TOOLS).map(([name, version]) => `${name}@${version}`));

  const { build } = await import('rolldown');
  for (const name of ['scenario', 'rareRequests']) {
    const input = { [name]: `test/isomorphic/${name}.ts` };
    await build({ cwd: root, input, tsconfig: false, logLevel: 'silent', output: { dir: app } });
  }
  writeFileSync(path.join(app, 'main.js'), MAIN);
  writeFileSync(path.join(app, 'index.html'), PAGE('/main.js'));
  const { stdout } = await run(process.execPath, ['main.js']);
  const expected = stdout.slice(stdout.indexOf('REPORT ') + 'REPORT '.length).trim();
  if (JSON.parse(expected).failures.length > 0) throw new Error(`in Node: ${expected}`);

  const { chromium } = await import('playwright-core');
  const executablePath = process.env.RESILIN_CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  });
  const demand = (report) => {
    if (report.trim() !== expected) throw new Error(`answers otherwise than in Node: ${report}`);
  };
  return {
    root,
    folder,
    app,
    library,
    server,
    run,
    npm,
    bin: (name) => path.join(tools, 'node_modules/.bin', name),
    tool: (file) => import(path.join(tools, 'node_modules', file)),
    /** Throws unless a report is that of Node. */
    demand,
    /** Throws unless the page at a URL reports what Node does. */
    demandPage: async (url) => demand(await reportOf(browser, url)),
    /** The same for a folder with an `index.html`. */
    demandFolder: (name) =>
      serving(path.join(app, name), async (url) => demand(await reportOf(browser, url))),
    page: (name, script) => writeFileSync(path.join(app, name, 'index.html'), PAGE(script)),
    close: () => browser.close(),
  };
}
