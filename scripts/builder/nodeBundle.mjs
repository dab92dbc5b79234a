/**
 * The host bundled for Node: of the package (package.mjs), and of the servers that tests start as processes, which load a few files in half
 * the time that they take for each module of the host.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { sourceFiles } from './host.mjs';
import { locked } from './lock.mjs';
import { readStamp, replaceFile } from './stamps.mjs';
import { step } from './steps.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/** What a server is made of: each is started by its file, in a process or a thread. */
const SERVER = {
  resilin: 'host/cli/resilin.ts',
  main: 'host/cli/main.ts',
  server: 'host/server/index.ts',
  worker: 'host/server/worker.ts',
  coordinator: 'host/server/coordinator.ts',
  yamlWorker: 'host/server/yamlWorker.ts',
};
/** Where it is in a folder that is built into: its core is found beside the folder of its files. */
const outIn = (folder) => path.join(root, folder, 'server');
const stampIn = (folder) => path.join(root, folder, 'stamps/server.json');

/** What is wrong must not be published: warnings of the bundler are errors. */
export const onLog = (level, { message }) => {
  if (level !== 'debug') throw new Error(message);
};

/** package.json denies side effects of what is published; modules here may have some. */
export const treeshake = { moduleSideEffects: () => true };

/** The hash of files: of their names and of what is in them. */
export function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)));
  return hash.digest('base64');
}

/** What the package leaves to whoever installs it, as the peers of package.json say. */
const { peerDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/**
 * Bundles entries, with their names and lines, which are in the traces of errors; what they share is bundled once.
 *
 * @param input sources by the names of their files
 * @param codeSplitting as rolldown takes it
 */
export async function bundleForNode(input, dir, codeSplitting) {
  const { build } = await import('rolldown');
  await build({
    cwd: root,
    input,
    platform: 'node',
    tsconfig: false,
    treeshake,
    external: Object.keys(peerDependencies).map((name) => new RegExp(`^${name}(/|$)`)),
    onLog,
    output: { dir, format: 'esm', chunkFileNames: 'shared-[name].js', codeSplitting },
  });
}

/** Bundles the server for tests, where that isn't done of today's sources. */
export async function buildServer(folder = 'build') {
  await locked(stampIn(folder).replace(/json$/, 'lock'), async () => {
    const recipe = ['package.json', 'package-lock.json', 'scripts/builder/nodeBundle.mjs'];
    const sources = hashOf([...recipe, ...sourceFiles()]);
    if (readStamp(stampIn(folder))?.sources === sources && existsSync(outIn(folder))) return;
    rmSync(stampIn(folder), { force: true });
    rmSync(outIn(folder), { recursive: true, force: true });
    await step('server', () => bundleForNode(SERVER, outIn(folder)));
    replaceFile(stampIn(folder), JSON.stringify({ sources }));
  });
}
