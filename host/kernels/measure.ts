/** Measures the kernels, case by case. */
import { Bench } from 'tinybench';
import { clockStep } from './clock.js';
import { KernelModule } from './kernelModule.js';
import { ColumnIndex } from './questions/columnIndex.js';
import type { Case } from './questions/case.js';
import type { Question, Subjects } from './questions/question.js';
import { questions } from './questions/registry.js';
import { SyntheticIndex } from './questions/syntheticIndex.js';

/** The compiled modules. */
export interface BenchModules {
  /** `resilin/kernels.wasm` */
  kernels: WebAssembly.Module;
  /** `resilin/resilin.wasm`, for the questions that are asked as plans */
  core: WebAssembly.Module;
}

/** What is measured, and for how long. */
export interface MeasureOptions {
  /** Seconds for each case, besides what warming up takes, which is two fifths of that; 0.15 without. */
  seconds?: number;
  /**
   * Patterns of what is measured, all without: a part of a question's title, and behind a colon a part of the case's name, in small or capital
   * letters, `*` for anything: `union`, `unpack: 1* bits`.
   */
  only?: readonly string[];
}

/** How fast a case is. */
export interface Measured {
  question: string;
  case: string;
  /** What {@link nanoseconds} are for: a posting, an integer. */
  item: string;
  /** For one item, the median of the samples. */
  nanoseconds: number;
  /** The same, of the fastest sample. */
  best: number;
  /** Items in a second. */
  itemsPerSecond: number;
  /** Bytes in a second; null where it isn't bytes that are gone through. */
  bytesPerSecond: number | null;
  /** Per cent of the mean: within so much of it lies the true one, with a confidence of 95 %. */
  margin: number;
  /** How many samples were taken, and how many runs are in each. */
  samples: number;
  runs: number;
}

/** A sample takes so many steps of the clock, and so many milliseconds, at least: reading the clock must not count. */
const LEAST_STEPS = 50;
const LEAST_MS = 0.02;
const SECONDS = 0.15;
const MOST_SECONDS = 60;
/** Samples of a case that takes longer than its time. */
const LEAST_SAMPLES = 5;

/** What there is to be asked. */
export function questionTitles(): string[] {
  return questions.map(({ title }) => title);
}

/**
 * Measures all cases that are asked for, one after the other, in the thread that calls it; the indices that some of them search are built
 * when they are needed, which takes seconds.
 * @throws RangeError where the time isn't from 0.001 to 60 seconds, and where no question has a name of the pattern
 */
export async function* measure(
  modules: BenchModules,
  { seconds = SECONDS, only = [] }: MeasureOptions = {},
): AsyncGenerator<Measured, void, undefined> {
  if (!(seconds >= 0.001 && seconds <= MOST_SECONDS))
    throw new RangeError(`seconds must be from 0.001 to ${MOST_SECONDS}, not ${seconds}`);
  const subjects = subjectsOf(modules);
  const least = Math.max(LEAST_MS, LEAST_STEPS * clockStep());
  let any = false;
  for (const question of questions) {
    const patterns = casePatterns(question, only);
    if (patterns.length === 0) continue;
    for (const each of question.cases(subjects)) {
      if (!patterns.some((pattern) => contains(each.name, pattern))) continue;
      any = true;
      yield await measured(question, each, 1000 * seconds, least);
    }
  }
  if (!any) throw new RangeError(`nothing is called so; the questions are: ${questionTitles().join('; ')}`);
}

function subjectsOf({ kernels, core }: BenchModules): Subjects {
  let synthetic: SyntheticIndex | undefined;
  let columns: ColumnIndex | undefined;
  return {
    kernels: () => new KernelModule(kernels),
    synthetic: () => (synthetic ??= new SyntheticIndex(core)),
    columns: () => (columns ??= new ColumnIndex(core)),
  };
}

/** The patterns of its cases that are asked for; none where the question isn't. */
function casePatterns({ title }: Question, only: readonly string[]): string[] {
  if (only.length === 0) return [''];
  return only.flatMap((pattern) => {
    const [ofTitle = '', ...ofCase] = pattern.split(':');
    return contains(title, ofTitle.trim()) ? ofCase.join(':').trim() : [];
  });
}

/** Whether a text contains the parts of a pattern one behind the other. */
export function contains(text: string, pattern: string): boolean {
  const lower = text.toLowerCase();
  let at = 0;
  for (const part of pattern.toLowerCase().split('*')) {
    const found = lower.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

async function measured(question: Question, each: Case, time: number, least: number): Promise<Measured> {
  const runs = runsFor(each, least);
  const task = 'case';
  const bench = new Bench({
    time,
    warmupTime: 0.4 * time,
    iterations: LEAST_SAMPLES,
    warmupIterations: 1,
    throws: true,
  });
  bench.add(task, () => {
    for (let run = 0; run < runs; run++) each.run();
  });
  await bench.run();
  const result = bench.getTask(task)?.result;
  if (result === undefined || !('latency' in result))
    throw new Error(`${question.title}, ${each.name}: not measured`);
  const { p50, min, rme, samplesCount } = result.latency;
  const items = each.items * runs;
  const bytes = each.bytes === undefined ? null : each.bytes * runs;
  return {
    question: question.title,
    case: each.name,
    item: question.item,
    nanoseconds: (p50 * 1e6) / items,
    best: (min * 1e6) / items,
    itemsPerSecond: (items * 1000) / p50,
    bytesPerSecond: bytes === null ? null : (bytes * 1000) / p50,
    margin: rme,
    samples: samplesCount,
    runs,
  };
}

/** How many runs take so many milliseconds. */
function runsFor({ run }: Case, least: number): number {
  for (let runs = 1; ; runs *= 2) {
    const start = performance.now();
    for (let i = 0; i < runs; i++) run();
    if (performance.now() - start >= least) return runs;
  }
}
