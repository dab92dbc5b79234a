import { configDefaults, defineConfig } from 'vitest/config';

/** Milliseconds for a test, and for what sets one up. The debug core, which checks every access to memory, takes its time. */
const timeout = process.env.RESILIN_CORE === 'debug' ? 240_000 : 60_000;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/globalSetup.ts'],
    setupFiles: ['test/setup.ts'],
    // A change of the core runs again what was run before, with the new core (test/globalSetup.ts).
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/assembly/**/*.ts'],
    testTimeout: timeout,
    hookTimeout: timeout,
  },
});
