/**
 * The package `resilin`, in `dist/`: what package.json exports. Modules are bundled from their sources; declarations are written of those
 * modules alone that the exported types reach. Types are checked by `npm run check`.
 */
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { buildConsole, CONSOLE, consoleSources } from './console.mjs';
import { cachedCore } from './cores.mjs';
import { sourceFiles } from './host.mjs';
import { locked } from './lock.mjs';
import { bundleForNode, hashOf, onLog, treeshake } from './nodeBundle.mjs';
import { buildPlayground } from './playground.mjs';
import { readStamp, replaceFile } from './stamps.mjs';
import { step } from './steps.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const DIST = path.join(root, 'dist');

/**
 * The engine for browsers and runtimes at the edge: one file, with parts beside it that few need (host/latePart.ts), which it imports when
 * it needs them.
 */
const ENGINE = { resilin: 'host/browser/index.ts' };
/** The core alone, in the same way. */
const CORE = { core: 'host/browser/coreEntry.ts' };
/** The kernels, and the worker of the page that measures them: what both need is files beside theirs. */
const KERNELS = { kernels: 'host/browser/kernelsEntry.ts', kernelsWorker: 'host/browser/kernelsWorker.ts' };
/**
 * Each is one file that imports nothing: a service worker may not import anything later, and in what bundlers make of other workers by
 * default that can't be done either.
 */
const ALONE = {
  worker: 'host/browser/workerEngine.ts',
  engineWorker: 'host/browser/engineWorker.ts',
  kernelsPage: 'host/browser/kernelsPage.ts',
  'storage/index': 'host/browser/storage/index.ts',
  'storage/memory': 'host/browser/storage/memory.ts',
  'storage/idb': 'host/browser/storage/idb.ts',
  'storage/opfs': 'host/browser/storage/opfs.ts',
  serviceWorker: 'host/browser/serviceWorker.ts',
};
/** The worker where nothing is bundled: it imports the file of the engine. */
const LATE_WORKER = { lateWorker: 'host/browser/lateWorker.ts' };
/** For Node, Deno and Bun: what they share is bundled once. */
const NODE = {
  index: 'host/index.ts',
  server: 'host/server/index.ts',
  worker: 'host/server/worker.ts',
  coordinator: 'host/server/coordinator.ts',
  yamlWorker: 'host/server/yamlWorker.ts',
  core: 'host/server/coreEntry.ts',
  kernels: 'host/server/kernelsEntry.ts',
  'storage/index': 'host/browser/storage/index.ts',
  'storage/memory': 'host/browser/storage/memory.ts',
  'storage/lmdb': 'host/server/storage/lmdb.ts',
  cli: 'host/cli/resilin.ts',
};
/** The modules whose types are exported. */
const TYPED = [
  'host/index.ts',
  'host/server/index.ts',
  'host/browser/coreEntry.ts',
  'host/browser/kernelsEntry.ts',
  'host/browser/storage/index.ts',
  'host/browser/storage/memory.ts',
  'host/browser/storage/idb.ts',
  'host/browser/storage/opfs.ts',
  'host/server/storage/lmdb.ts',
  'host/browser/workerEngine.ts',
  'host/browser/serviceWorker.ts',
];
/** What importing `resilin/resilin.wasm` gives in runtimes that compile it themselves. */
const WASM_TYPES = 'declare const core: WebAssembly.Module;\nexport default core;\n';
const STAMP = path.join(root, 'build/stamps/package.json');
/** What `dist/` is made of besides the host and the core. */
const RECIPE = [
  'package.json',
  'tsconfig.json',
  'package-lock.json',
  'scripts/builder/nodeBundle.mjs',
  'scripts/builder/package.mjs',
  'scripts/builder/playground.mjs',
];

/** The page that measures the kernels, as it is published. */
const PAGE = 'host/browser/kernels.html';

/** The compiled cores by their names in the package, from the root. */
async function cachedModules() {
  const names = { 'resilin.wasm': 'resilin', 'kernels.wasm': 'kernelLibrary' };
  const files = {};
  for (const [name, core] of Object.entries(names))
    files[name] = path.relative(root, await cachedCore(core, 'release'));
  return files;
}

/** Builds `dist/` anew, where it isn't of today's sources. */
export async function buildPackage() {
  const [modules] = await Promise.all([cachedModules(), buildConsole()]);
  await locked(`${STAMP}.lock`, async () => {
    const sources = hashOf([
      ...RECIPE,
      ...sourceFiles(),
      ...Object.values(modules),
      PAGE,
      ...consoleSources(),
    ]);
    if (readStamp(STAMP)?.sources === sources && existsSync(DIST)) return;
    rmSync(STAMP, { force: true });
    await build(modules);
    replaceFile(STAMP, JSON.stringify({ sources }));
  });
}

async function build(modules) {
  rmSync(DIST, { recursive: true, force: true });
  mkdirSync(DIST, { recursive: true });
  for (const [name, file] of Object.entries(modules))
    copyFileSync(path.join(root, file), path.join(DIST, name));
  copyFileSync(path.join(root, PAGE), path.join(DIST, 'kernels.html'));
  cpSync(CONSOLE, path.join(DIST, 'console'), { recursive: true });
  await step('package', async () => {
    const core = path.join(root, modules['resilin.wasm']);
    const alone = Object.entries(ALONE).map(([name, input]) =>
      bundleForBrowsers({ [name]: input }, false, core),
    );
    await Promise.all([
      bundleForBrowsers(ENGINE, { groups: ENGINE_FILES }, core),
      bundleForBrowsers(CORE, { groups: ENGINE_FILES }, core, {
        chunkFileNames: 'core-[name].js',
        plugins: [inlinedCoreOfEngine],
      }),
      bundleForBrowsers(KERNELS, { groups: [SHARED] }, core, { chunkFileNames: 'kernels-[name].js' }),
      bundleForBrowsers(LATE_WORKER, false, core, { plugins: [engineOfPages] }),
      ...alone,
      bundleForNode(NODE, path.join(DIST, 'node'), {
        groups: [{ name: 'engine', test: isEngine, minShareCount: 2 }],
      }),
      declareTypes(),
    ]);
    replaceFile(path.join(DIST, 'types/resilin.wasm.d.ts'), WASM_TYPES);
    replaceFile(path.join(DIST, 'types/cli.d.ts'), 'export {};\n');
    await buildPlayground(DIST);
  });
}

/** What is there from the start is the entry's one file; what several parts need beside it is another. */
const SHARED = { name: 'shared', minShareCount: 2 };
const ENGINE_FILES = [{ name: 'engine', tags: ['$initial'] }, SHARED];

/** The core as host/browser/inlinedCore.ts has it. */
const textOf = (core) => deflateRawSync(readFileSync(core), { level: 9 }).toString('base64');

/** Where the core is in JavaScript, it is so once in the package. */
const inlinedCoreOfEngine = {
  name: 'inlined core of the engine',
  resolveId: (source) =>
    source.endsWith('/inlinedCore.js') ? { id: './resilin-inlinedCore.js', external: true } : null,
};

/** What the engine's file exports is there once. */
const engineOfPages = {
  name: "the engine's file",
  resolveId: (source, importer) =>
    (source === './index.js' && importer?.endsWith('lateWorker.ts')) ||
    source.endsWith('/security/principal.js')
      ? { id: './resilin.js', external: true }
      : null,
};

async function bundleForBrowsers(
  input,
  codeSplitting,
  core,
  { chunkFileNames = 'resilin-[name].js', plugins = [] } = {},
) {
  const { build: bundle } = await import('rolldown');
  await bundle({
    cwd: root,
    input,
    plugins,
    platform: 'browser',
    tsconfig: false,
    treeshake,
    onLog,
    transform: { define: { CORE_TEXT: JSON.stringify(textOf(core)) } },
    // Parts import what they need from the file of the engine, which has names for them beside its own.
    preserveEntrySignatures: 'allow-extension',
    output: {
      dir: DIST,
      format: 'esm',
      minify: true,
      codeSplitting,
      chunkFileNames,
      comments: false,
    },
  });
}

/** Whether a module is of the engine; the repository may stand in a folder that is called like one of its own. */
const isEngine = (module) => /^host[\\/](?!cli|server|storage)/.test(path.relative(root, module));

async function declareTypes() {
  const { default: ts } = await import('typescript');
  const { config } = ts.parseConfigFileTextToJson(
    'tsconfig.json',
    readFileSync(path.join(root, 'tsconfig.json'), 'utf8'),
  );
  // Every module is one of ECMAScript (package.json), which a module on its own can't look up.
  const { rootDir, outDir, ...common } = config.compilerOptions;
  const alone = {
    module: 'ESNext',
    moduleResolution: 'Bundler',
    isolatedDeclarations: true,
    sourceMap: false,
  };
  const { options } = ts.convertCompilerOptionsFromJson({ ...common, ...alone, stripInternal: true }, root);
  const problems = [];
  const waiting = [...TYPED];
  const found = new Set(waiting);
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    const { outputText, diagnostics } = ts.transpileDeclaration(
      readFileSync(path.join(root, source), 'utf8'),
      {
        fileName: source,
        compilerOptions: options,
        reportDiagnostics: true,
      },
    );
    problems.push(...diagnostics);
    replaceFile(
      path.join(DIST, 'types', path.relative('host', source).replace(/\.ts$/, '.d.ts')),
      outputText,
    );
    for (const { fileName } of ts.preProcessFile(outputText).importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const target = path.posix.join(path.posix.dirname(source), fileName.replace(/\.js$/, '.ts'));
      if (found.has(target) || !existsSync(path.join(root, target))) continue;
      found.add(target);
      waiting.push(target);
    }
  }
  if (problems.length === 0) return;
  const names = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  };
  throw new Error(ts.formatDiagnostics(problems, names).trim());
}
