/** The additions of CONTRIBUTING.md: each applies to the tree as it is, and all of them together have no errors and do what they say. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BUILD } from '../support/builtHost.js';
import { built } from '../support/server.js';
import { applyDiff, type Change, changesOf } from './diffs.js';

const root = resolve(import.meta.dirname, '../..');
const FOLDER = 'docs/contributing';
const additions = readdirSync(join(root, FOLDER)).filter((name) => name.endsWith('.diff'));

/** The test files of the additions run in one process, on the core of this tree. */
const CONFIG = `import { BUILT_MODULES, builtHost } from './test/support/builtHost.js';
export default {
  plugins: [builtHost()],
  test: {
    setupFiles: ['test/setup.ts'],
    server: { deps: { external: [BUILT_MODULES] } },
    isolate: false,
    maxWorkers: 1,
    watch: false,
  },
};
`;
/** What of the tree the additions change, and what builds it. */
const SOURCES = ['host', 'test/support', 'test/model', 'test/setup.ts', 'package.json', 'tsconfig.json'];
const BUILT = ['js/host', 'stamps/host.json', 'resilin.wasm'].map((part) =>
  join(relative(root, BUILD), part),
);

let tree: string;
const changes = new Map<string, readonly Change[]>();

beforeAll(async () => {
  await built();
  tree = mkdtempSync(join(tmpdir(), 'resilin-additions-'));
  for (const part of [...SOURCES, 'scripts/builder', ...BUILT])
    cpSync(join(root, part), join(tree, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'dir');
  writeFileSync(join(tree, 'vitest.config.ts'), CONFIG);
  for (const name of additions) changes.set(name, changesOf(readFileSync(join(root, FOLDER, name), 'utf8')));
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

it('CONTRIBUTING.md shows each of them', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  expect([...page.matchAll(/\]\(docs\/contributing\/([^)]+)\)/g)].map(([, name]) => name).sort()).toEqual(
    additions,
  );
});

it.each(additions)('%s applies', (name) => {
  for (const change of changes.get(name)!) {
    const text = change.isNew ? '' : readFileSync(join(tree, change.file), 'utf8');
    const changed = applyDiff(text, change);
    if (changed === undefined) throw new Error(renewal(name, change.file));
    mkdirSync(dirname(join(tree, change.file)), { recursive: true });
    writeFileSync(join(tree, change.file), changed);
  }
});

/** What to do about an addition that the tree has grown away from. */
function renewal(name: string, file: string): string {
  const patch = `${FOLDER}/${name}`;
  return (
    `${patch} no longer applies to ${file}. In a tree without changes: \`git apply --3way ${patch}\`, mend what conflicts, ` +
    `\`git add -A && git diff --cached -U1 -- host test > ${patch}\`, then take the addition back: \`git restore --staged --worktree -- ` +
    'host test` and delete its new files.'
  );
}

it('with all of them nothing is wrong with the types, and their tests pass', async () => {
  const files = [...new Set([...changes.values()].flat().map(({ file }) => file))];
  const host = await import(pathToFileURL(join(tree, 'scripts/builder/host.mjs')).href);
  await host.buildHost(relative(root, BUILD));
  const tests = run(files.filter((file) => file.endsWith('.test.ts')));
  expect(await typeErrors(files)).toBe('');
  expect(await tests).toMatch(/Test Files +5 passed/);
}, 240_000);

it('the files that CONTRIBUTING.md names are there', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const links = [...page.matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
  expect(links.filter((target) => !existsSync(join(root, target)))).toEqual([]);
});

/** Runs test files of the tree; the output, colours taken out. */
function run(files: readonly string[]): Promise<string> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const others = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$)/.test(name));
  // The core has been copied, whether it was there when the suite began or not.
  const env = { ...Object.fromEntries(others), RESILIN_BUILD_HAS_CORE: 'true' };
  return new Promise((done) => {
    execFile(process.execPath, [vitest, 'run', ...files], { cwd: tree, env }, (_, stdout, stderr) =>
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colours begin with
      done(`${stdout}${stderr}`.replace(/\u001b\[[0-9;]*m/g, '')),
    );
  });
}

/** What is wrong with the types in these files and in what they import. */
async function typeErrors(files: readonly string[]): Promise<string> {
  const { compiler } = await import(pathToFileURL(join(tree, 'scripts/builder/typescript.mjs')).href);
  const project = join(tree, 'tsconfig.additions.json');
  writeFileSync(project, JSON.stringify({ extends: './tsconfig.json', include: ['host/**/*.d.ts'], files }));
  return new Promise((done) => {
    execFile(process.execPath, [compiler, '-p', project, '--noEmit'], (error, stdout, stderr) =>
      done(error === null ? '' : `${stdout}${stderr}` || String(error)),
    );
  });
}
