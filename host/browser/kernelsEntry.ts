/** `resilin/kernels` in browsers and in all that has the Fetch API, as host/server/kernelsEntry.ts is in Node. */
import { Kernels } from '../kernels/kernels.js';
import { type BenchModules, type Measured, type MeasureOptions, measure } from '../kernels/measure.js';
import { compileCore, compileFrom } from './core.js';

export * from '../kernels/exports.js';

// Bundlers look for just this expression.
const kernelsUrl = (): URL => new URL('./kernels.wasm', import.meta.url);
const HELP = 'put the file of resilin/kernels.wasm there, or hand it over: loadKernels(module)';

const compileKernels = (): Promise<WebAssembly.Module> =>
  compileFrom(kernelsUrl(), () => fetch(kernelsUrl()), HELP);

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
