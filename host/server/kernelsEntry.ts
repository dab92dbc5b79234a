/** `resilin/kernels` in Node, Deno and Bun, as host/browser/kernelsEntry.ts is in browsers. */
import { readFile } from 'node:fs/promises';
import { Kernels } from '../kernels/kernels.js';
import { type BenchModules, type Measured, type MeasureOptions, measure } from '../kernels/measure.js';
import { compileCore, kernelsFile } from './wasm.js';

export * from '../kernels/exports.js';

const compileKernels = async (): Promise<WebAssembly.Module> =>
  WebAssembly.compile(await readFile(kernelsFile()));

/** Loads the kernels: the package's own, unless a compiled module of them is given. */
export async function loadKernels(wasm?: WebAssembly.Module): Promise<Kernels> {
  return new Kernels(wasm ?? (await compileKernels()));
}

/** Measures the kernels; see {@link MeasureOptions}. The package's own modules, unless others are given. */
export async function* bench(options: MeasureOptions & Partial<BenchModules> = {}): AsyncGenerator<Measured> {
  const [kernels, core] = await Promise.all([
    options.kernels ?? compileKernels(),
    options.core ?? compileCore(),
  ]);
  yield* measure({ kernels, core }, options);
}
