import fc from 'fast-check';
import { beforeAll, vi } from 'vitest';
import { ElasticsearchError } from '../host/errors.js';
import { compareByNode } from './support/equality.js';
import { countProcessorTime } from './support/processorTime.js';

/**
 * Property-based tests draw the same cases every time; `RESILIN_FUZZ_SEED=7 npm test` draws others. The comparison with the
 * naive engine draws more of them with `RESILIN_FUZZ_RUNS=10`.
 */
fc.configureGlobal({ seed: Number(process.env.RESILIN_FUZZ_SEED ?? 1) });

// Who reads what a test says wants to know where.
ElasticsearchError.hasTraces = true;

compareByNode();

// The host loads the core of the build. Tests that import what loads it are going to do so: it is compiled while they are imported.
vi.mock('../host/index.js', loadsCore);
vi.mock('../host/server/wasm.js', loadsCore);

async function loadsCore(original: () => Promise<object>): Promise<object> {
  const { built } = await import('./support/server.js');
  await built();
  return original();
}

// Tests of what is inside the engine find all parts of the host, as after one was opened.
beforeAll(async () => {
  const { allParts } = await import('../host/latePart.js');
  await allParts();
});

if (process.env.RESILIN_DURATIONS !== undefined) countProcessorTime();
