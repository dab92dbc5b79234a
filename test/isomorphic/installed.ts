/** The package as people install it: packed, and installed from the tarball into an empty project. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'rolldown';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
/** Nothing is asked of the registry; a cache of its own, as npm writes there. */
const npm = (folder: string) => ({
  maxBuffer: Infinity,
  env: {
    ...process.env,
    npm_config_offline: 'true',
    npm_config_cache: join(folder, 'cache'),
    INIT_CWD: folder,
  },
});

/** Builds and packs the package, and installs it in an empty project outside of this repository's node_modules. */
export async function install(): Promise<{ folder: string; files: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'resilin-installed-'));
  const app = join(folder, 'app');
  mkdirSync(app);
  await run(process.execPath, ['scripts/build.mjs', 'package'], { cwd: root, maxBuffer: Infinity });
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: root, ...npm(folder) });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  writeFileSync(join(app, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await run('npm', ['install', '--no-audit', '--no-fund', join(folder, filename)], {
    cwd: app,
    ...npm(folder),
  });
  return { folder: app, files: files.map(({ path }) => path) };
}

/** Bundles a file of the project into `bundled/` by a bundler that doesn't know of the core's file. */
export async function bundle(folder: string, name: string, format: 'esm' | 'iife'): Promise<void> {
  await build({
    cwd: folder,
    input: { [name]: `${name}.js` },
    platform: 'browser',
    logLevel: 'silent',
    output: { dir: join(folder, 'bundled'), format, codeSplitting: false },
  });
}

/** Puts the scenario and the requests that few make into the project, each as one file without imports. */
export async function addScenario(folder: string): Promise<void> {
  for (const name of ['scenario', 'rareRequests'])
    await build({
      cwd: root,
      input: { [name]: `test/isomorphic/${name}.ts` },
      tsconfig: false,
      logLevel: 'silent',
      output: { dir: folder, format: 'esm' },
    });
}
