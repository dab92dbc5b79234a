/** The long run: `npm run torture -- --crash-states 50000`. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { hasFaults, makeChanges } from '../../support/faults/library.js';
import { CHECKS } from './checks.js';
import { type CutResult, cutPower } from './cuts.js';

/** A disk whose syncs take no time. */
const MEMORY = '/dev/shm';
/** A state of a whole engine takes as long as so many of a store. */
const ENGINE_COST = 8;
/** States by chance after each call. */
const PER_CALL = 12;

/** States that are chosen at once, some of which may have been opened before. */
const LEAST = 100;

/** How long, and what. */
export interface CrashStatesOptions {
  /** About so many states are opened. */
  states: number;
  seed: number;
  /** How often a program is run on what a cut has left of it, before it begins anew. */
  cycles: number;
  /** One alone. */
  program?: string | undefined;
}

/** Opens the states; returns whether all was there. */
export async function crashStates({ states, seed, cycles, program }: CrashStatesOptions): Promise<boolean> {
  if (!hasFaults) throw new Error('that takes Linux and a C compiler');
  const programs = Object.keys(CHECKS).filter((name) => program === undefined || name === program);
  const work = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'resilin-cuts-'));
  const cost = (name: string) => (name === 'engine' ? ENGINE_COST : 1);
  const shares = programs.reduce((sum, name) => sum + 1 / cost(name), 0);
  const options = {
    host: resolve('build/js/host'),
    library: makeChanges(work),
    core: await WebAssembly.compile(readFileSync('build/resilin.wasm')),
    work,
    cycles,
    perCall: PER_CALL,
  };
  const all: CutResult[] = [];
  try {
    for (const name of programs) {
      const wanted = states / shares / cost(name);
      const seen = new Set<string>();
      for (let at = seed; seen.size < wanted && all.every(({ problems }) => problems.length === 0); at++) {
        const most = () => Math.max(LEAST, wanted - seen.size);
        const [result] = await cutPower({ ...options, programs: [name], seed: at, most, seen });
        console.log(JSON.stringify({ seed: at, ...result, problems: result!.problems.length }));
        all.push(result!);
        // There are no more.
        if (result!.states === 0) break;
      }
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const sum = (key: 'calls' | 'acknowledged' | 'states' | 'lost' | 'notOpening' | 'seconds') =>
    Math.round(all.reduce((total, result) => total + result[key], 0));
  const [calls, acknowledged] = [sum('calls'), sum('acknowledged')];
  const [opened, lost, notOpening] = [sum('states'), sum('lost'), sum('notOpening')];
  console.log({ calls, acknowledged, states: opened, lost, notOpening, seconds: sum('seconds') });
  for (const { problems } of all) for (const problem of problems) console.log(problem);
  return lost + notOpening === 0;
}
