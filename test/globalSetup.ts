import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Compiles an entry; the flags given here go before those of the target in asconfig.json. */
async function compile(entry: string, target: 'debug' | 'release', ...flags: string[]): Promise<void> {
  const compiler = 'node_modules/assemblyscript/bin/asc.js';
  await run(process.execPath, [compiler, entry, '--config', 'asconfig.json', '--target', target, ...flags]);
}

/**
 * Builds the core once before the suite, so that the tests always run what the sources say; and its low-level modules as
 * exports of their own: assembly/testing/kernels.ts, with an imported memory, assembly/testing/analysis.ts and
 * assembly/testing/segments.ts.
 */
export default async function setup(): Promise<void> {
  const targets = ['release', 'debug'] as const;
  await Promise.all([
    ...targets.map((target) => compile('assembly/index.ts', target)),
    ...targets.map((target) =>
      compile('assembly/testing/analysis.ts', target, '--outFile', `build/analysis.${target}.wasm`),
    ),
    ...targets.map((target) =>
      compile('assembly/testing/segments.ts', target, '--outFile', `build/segments.${target}.wasm`),
    ),
    ...targets.map((target) =>
      compile(
        'assembly/testing/kernels.ts',
        target,
        '--importMemory',
        '--outFile',
        `build/kernels.${target}.wasm`,
      ),
    ),
  ]);
}
