import fc from 'fast-check';
import { vi } from 'vitest';
import { countProcessorTime } from './support/processorTime.js';

/**
 * Property-based tests draw the same cases every time; `RESILIN_FUZZ_SEED=7 npm test` draws others. The comparison with the
 * naive engine draws more of them with `RESILIN_FUZZ_RUNS=10`.
 */
fc.configureGlobal({ seed: Number(process.env.RESILIN_FUZZ_SEED ?? 1) });

// Tests in this process load a core compiled from today's sources. Those that import the library are going to make an engine: a core is
// compiled while they are imported.
vi.mock('../host/index.js', async (original) => {
  await import('./support/core.js');
  return original();
});
vi.mock('../host/server/wasm.js', async (original) => {
  const { CORE_FILE } = await import('./support/core.js');
  const real = await original<typeof import('../host/server/wasm.js')>();
  return { ...real, compileCore: (file = CORE_FILE) => real.compileCore(file) };
});

if (process.env.RESILIN_DURATIONS !== undefined) countProcessorTime();
