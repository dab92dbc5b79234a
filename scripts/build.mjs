/**
 * Builds what `npm start` runs, as far as its sources have changed: the release core, the host and the console.
 *
 *     node scripts/build.mjs                      the core, the host and the console
 *     node scripts/build.mjs console              the console, in build/console/
 *     node scripts/build.mjs core NAME TARGET     one core (scripts/builder/cores.mjs), into build/
 *     node scripts/build.mjs package              the package, in dist/
 *     node scripts/build.mjs cached NAME TARGET   one core, into the cache that tests load it from
 *     node scripts/build.mjs checked              the debug core and the host, in build/checked/build: the server of `npm run test:checked`
 *     node scripts/build.mjs server [checked]     the server in a few files, in build/server: tests start it as processes
 *     node scripts/build.mjs cache                where the cores of today's sources are or will be in that cache, as JSON
 *     node scripts/build.mjs tests [checked] [whole]  what tests run: the host; says where the cores are, and whether the build has its core.
 *                                                 `checked` for `npm run test:checked`; `whole` compiles all cores, for the whole suite
 */
import { existsSync } from 'node:fs';
import { buildConsole } from './builder/console.mjs';
import { buildCore, cachedCore, cacheFiles, cacheTestedCores } from './builder/cores.mjs';
import { buildHost } from './builder/host.mjs';
import { buildServer } from './builder/nodeBundle.mjs';
import { buildPackage } from './builder/package.mjs';

/** Lets one go on where the other fails: its work isn't lost. */
async function both(...built) {
  const failed = (await Promise.allSettled(built)).find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Where the debug core and the host that loads it stand. */
const CHECKED = 'build/checked/build';

/**
 * A core is compiled when a test asks for it; one that is compiled already is put into the build at once. The whole suite asks for all, and
 * its files would wait for one compiler after the other.
 */
async function buildForTests(options) {
  const checked = options.includes('checked');
  const folder = checked ? CHECKED : 'build';
  const target = checked ? 'debug' : 'release';
  const cores = cacheFiles();
  const host = buildHost(folder);
  if (options.includes('whole')) await both(host, cacheTestedCores(), buildServer(folder));
  const hasCore = existsSync(cores[`resilin.${target}`]);
  await both(host, hasCore ? buildCore('resilin', target, `${folder}/resilin.wasm`) : Promise.resolve());
  console.log(JSON.stringify({ cores, hasCore }));
}

const [what = 'all', ...options] = process.argv.slice(2);
const [name = 'resilin', target = 'release'] = options;
const ways = {
  all: () => both(buildCore('resilin', 'release'), buildHost(), buildConsole()),
  console: () => buildConsole(),
  checked: () => both(buildCore('resilin', 'debug', `${CHECKED}/resilin.wasm`), buildHost(CHECKED)),
  package: buildPackage,
  core: () => buildCore(name, target),
  cached: () => cachedCore(name, target),
  cache: async () => console.log(JSON.stringify(cacheFiles())),
  server: () => buildServer(options.includes('checked') ? CHECKED : 'build'),
  tests: () => buildForTests(options),
};

try {
  if (ways[what] === undefined) throw new Error(`no way to build ${what}; see scripts/build.mjs`);
  await ways[what]();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
