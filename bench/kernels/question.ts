/** The kernels' exports and their memory, as built from assembly/testing/kernels.ts. */
export interface KernelCore {
  readonly memory: WebAssembly.Memory;
  /** An export, with what it takes and gives. */
  call<F extends (...args: never[]) => unknown>(name: string): F;
  /** A block of linear memory, kept until the process ends. */
  block(bytes: number): number;
}

/** One measured loop. */
export interface Case {
  readonly name: string;
  /** What one run does, in the question's unit of work: values, bits, documents. */
  readonly work: number;
  run(): void;
}

/** One question about the speed of a kernel; a file each, listed in registry.ts. */
export interface Question {
  readonly title: string;
  /** Unit of the figure. */
  readonly unit: string;
  /** The figure of a case whose run took `ms` milliseconds. */
  figure(work: number, ms: number): number;
  readonly better: 'higher' | 'lower';
  /** The figure to reach; absent if none was set. */
  readonly target?: number;
  /** A better one to aim at. */
  readonly aim?: number;
  cases(core: KernelCore): Case[];
}

/** Billions of units of work per second. */
export const billionsPerSecond = (work: number, ms: number): number => work / ms / 1e6;

/** Microseconds for the whole run. */
export const microseconds = (_work: number, ms: number): number => ms * 1000;

/** Nanoseconds per unit of work. */
export const nanosecondsEach = (work: number, ms: number): number => (ms * 1e6) / work;
