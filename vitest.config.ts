import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { SEED_RANGES } from './test/cluster/simulation/ordinarySeeds.js';
import { V8_OPTIONS } from './test/cluster/simulation/v8Options.js';
import { BUILT_MODULES, builtHost } from './test/support/builtHost.js';

/** Milliseconds for a test, and for what sets one up. The debug core, which checks every access to memory, takes its time. */
const timeout = process.env.RESILIN_CORE === 'debug' ? 240_000 : 60_000;

/**
 * Test files that need a process of their own: they measure or fill its memory, replace what belongs to all of it, or start others. All
 * other files share the modules of their worker, as the requests of a server do: loading these takes longer than most of the tests.
 */
const OWN_PROCESS = [
  'test/cluster/{nats*,torture/torture}',
  'test/docs/contributing',
  'test/index/outOfMemory',
  'test/isomorphic/{entries,isomorphic,kept,keptFirefox,latePart,sharedPages,site}',
  'test/memory-limits/*',
  'test/memory/*',
  'test/metamorphic/*',
  'test/segment/*',
  'test/server/{coordinators,failingDisk,folderLock,http,kernel,limits,oldNode,server}',
  'test/storage/{commitSync,compaction,everyCall,fullDisk,memoryRoom,shrinking}',
  'test/torture/*',
].map((files) => `${files}.test.ts`);

/** Simulates clusters of seeds, which are divided among projects. */
const SEEDS = 'test/cluster/simulation/seeds.test.ts';

export default defineConfig({
  plugins: [builtHost()],
  // What is built when a source changes is no change of its own.
  server: { watch: { ignored: ['**/build/**', '**/dist/**'] } },
  test: {
    globalSetup: ['test/globalSetup.ts'],
    server: { deps: { external: [BUILT_MODULES] } },
    setupFiles: ['test/setup.ts'],
    // A change of the core or the host runs again what was run before, with the new one (test/globalSetup.ts).
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/{assembly,host}/**/*.ts'],
    // A file for each core. By itself vitest leaves one core to its own process, which has little to do after the first minute.
    maxWorkers: availableParallelism(),
    testTimeout: timeout,
    hookTimeout: timeout,
    projects: [
      { extends: true, test: { name: 'own process', include: OWN_PROCESS } },
      {
        extends: true,
        test: {
          name: 'shared modules',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...OWN_PROCESS, SEEDS],
          isolate: false,
        },
      },
      ...SEED_RANGES.map((seeds) => ({
        extends: true as const,
        test: {
          name: `seeds from ${seeds.from}`,
          include: [SEEDS],
          provide: { seeds },
          execArgv: [...V8_OPTIONS],
        },
      })),
    ],
  },
});
