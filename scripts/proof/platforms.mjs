/** Each place by its name: throws where the package doesn't work there. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const textAfter = (output) => output.slice(output.indexOf('REPORT ') + 'REPORT '.length);

export const PROOFS = {
  publint: async ({ run, bin, library, server }) => {
    for (const tarball of [library, server]) {
      const { stdout } = await run(bin('publint'), ['--strict', tarball]);
      if (!stdout.includes('All good!')) throw new Error(stdout);
    }
  },
  /** ECMAScript modules alone, as Node's `require` reads them. */
  types: ({ run, bin, library }) => run(bin('attw'), [library, '--profile', 'esm-only']),
  bun: async ({ run, bin, demand }) => demand(textAfter((await run(bin('bun'), ['main.js'])).stdout)),
  vite: async ({ app, tool, demandFolder }) => {
    const { build } = await tool('vite/dist/node/index.js');
    await build({ root: app, logLevel: 'warn', build: { outDir: 'vite', target: 'esnext' } });
    await demandFolder('vite');
  },
  'vite, while developing': async ({ app, tool, demandPage }) => {
    const { createServer } = await tool('vite/dist/node/index.js');
    const server = await createServer({
      root: app,
      logLevel: 'error',
      server: { port: 0, host: '127.0.0.1' },
    });
    await server.listen();
    try {
      await demandPage(server.resolvedUrls.local[0]);
    } finally {
      await server.close();
    }
  },
  webpack: async ({ app, tool, page, demandFolder }) => {
    const { default: webpack } = await tool('webpack/lib/index.js');
    const output = { path: path.join(app, 'webpack'), filename: 'main.js', module: true };
    const stats = await new Promise((done, fail) =>
      webpack(
        { mode: 'production', context: app, entry: './main.js', output, experiments: { outputModule: true } },
        (error, found) => (error === null ? done(found) : fail(error)),
      ),
    );
    if (stats.hasErrors()) throw new Error(stats.toString('errors-only'));
    page('webpack', '/main.js');
    await demandFolder('webpack');
  },
  /** As its manual begins, and in parts: without a word of the core's file. */
  esbuild: async ({ run, bin, page, demandFolder }) => {
    for (const options of [[], ['--splitting', '--minify']]) {
      const folder = `esbuild${options.length}`;
      await run(bin('esbuild'), ['main.js', '--bundle', '--format=esm', `--outdir=${folder}`, ...options]);
      page(folder, '/main.js');
      await demandFolder(folder);
    }
  },
  /** Cloudflare's runtime, which compiles no WebAssembly at run time. */
  workerd: async ({ app, run, bin, tool, demand }) => {
    const source = `import { createEngine } from 'resilin';
import { askRarely } from './rareRequests.js';
import { runScenario } from './scenario.js';
import wasm from 'resilin/resilin.wasm';
export default {
  async fetch() {
    const resilin = await createEngine({ wasm });
    return Response.json({ ...(await runScenario(resilin)), rare: await askRarely(resilin) });
  },
};`;
    writeFileSync(path.join(app, 'edge.js'), source);
    const bundle = ['edge.js', '--bundle', '--format=esm', '--conditions=workerd,worker,browser'];
    await run(bin('esbuild'), [...bundle, '--external:*.wasm', '--outfile=edge/edge.js']);
    const { Miniflare } = await tool('miniflare/dist/src/index.js');
    const script = readFileSync(path.join(app, 'edge/edge.js'), 'utf8');
    const wasm = readFileSync(path.join(app, 'node_modules/resilin/dist/resilin.wasm'));
    const runtime = new Miniflare({
      modules: [
        { type: 'ESModule', path: 'edge.js', contents: script },
        { type: 'CompiledWasm', path: 'resilin/resilin.wasm', contents: wasm },
      ],
      compatibilityDate: '2026-01-01',
    });
    try {
      const response = await runtime.dispatchFetch('http://localhost/');
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      demand(text);
    } finally {
      await runtime.dispose();
    }
  },
  /** The server's package beside the library, and its command. */
  server: async ({ folder, npm, library, server }) => {
    const place = path.join(folder, 'server');
    mkdirSync(place);
    writeFileSync(path.join(place, 'package.json'), JSON.stringify({ private: true }));
    await npm(place, 'install', library, server);
    for (const command of ['resilin', 'resilin-server']) {
      const file = path.join(place, 'node_modules/.bin', command);
      const started = spawn(file, ['--port', '0', '--data', ':memory:'], { cwd: place });
      const [line] = await once(started.stdout, 'data');
      const url = /answers on (\S+),/.exec(String(line))?.[1];
      const { status } = await (await fetch(url)).json();
      started.kill('SIGTERM');
      const [code] = await once(started, 'exit');
      if (status !== 200 || code !== 0) throw new Error(`${command}: ${status}, exit ${code}`);
    }
  },
  /** A dependency on the repository itself: npm builds it. */
  git: async ({ root, folder, npm, run }) => {
    const place = path.join(folder, 'git');
    mkdirSync(place);
    writeFileSync(path.join(place, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    await npm(place, 'install', `git+file://${root}`);
    const found = readdirSync(path.join(place, 'node_modules'));
    const others = found.filter((name) => !name.startsWith('.') && name !== 'resilin');
    if (others.length > 0) throw new Error(`installs ${others}`);
    const use = "import('resilin').then(async ({ createEngine }) => (await createEngine()).close())";
    await run(process.execPath, ['-e', use], { cwd: place });
  },
};
