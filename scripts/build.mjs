/**
 * Builds what `npm start` runs, as far as its sources have changed: the release core and the host.
 *
 *     node scripts/build.mjs                      the core and the host
 *     node scripts/build.mjs core NAME TARGET     one core (scripts/builder/cores.mjs), into build/
 *     node scripts/build.mjs package              the package, in dist/
 *     node scripts/build.mjs cached NAME TARGET   one core, into the cache that tests load it from
 *     node scripts/build.mjs checked              the debug core and the host, in build/checked/build: the server of `npm run test:checked`
 *     node scripts/build.mjs cache                where the cores of today's sources are or will be in that cache, as JSON
 */
import { buildCore, cachedCore, cacheFiles } from './builder/cores.mjs';
import { buildHost } from './builder/host.mjs';
import { buildPackage } from './builder/package.mjs';

/** Lets one go on where the other fails: its work isn't lost. */
async function both(...built) {
  const failed = (await Promise.allSettled(built)).find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

const [what = 'all', name = 'resilin', target = 'release'] = process.argv.slice(2);
const ways = {
  all: () => both(buildCore('resilin', 'release'), buildHost()),
  checked: () =>
    both(buildCore('resilin', 'debug', 'build/checked/build/resilin.wasm'), buildHost('build/checked/build')),
  package: buildPackage,
  core: () => buildCore(name, target),
  cached: () => cachedCore(name, target),
  cache: async () => console.log(JSON.stringify(cacheFiles())),
};

try {
  if (ways[what] === undefined) throw new Error(`no way to build ${what}; see scripts/build.mjs`);
  await ways[what]();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
