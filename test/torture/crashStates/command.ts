/** The long run: `npm run torture -- --crash-states 50000`. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { hasFaults, makeChanges } from '../../support/faults/library.js';
import { CHECKS } from './checks.js';
import { cutPower } from './cuts.js';

/** A disk whose syncs take no time. */
const MEMORY = '/dev/shm';
/** A state of a whole engine takes as long as so many of a store. */
const ENGINE_COST = 8;

/** Opens about so many states; returns whether all was there. */
export async function crashStates(
  states: number,
  seed: number,
  cycles: number,
  program?: string,
): Promise<boolean> {
  if (!hasFaults) throw new Error('that takes Linux and a C compiler');
  const programs = Object.keys(CHECKS).filter((name) => program === undefined || name === program);
  const work = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'resilin-cuts-'));
  const cost = (name: string) => (name === 'engine' ? ENGINE_COST : 1);
  const shares = programs.reduce((sum, name) => sum + 1 / cost(name), 0);
  try {
    const results = await cutPower({
      programs,
      host: resolve('build/js/host'),
      library: makeChanges(work),
      core: await WebAssembly.compile(readFileSync('build/resilin.wasm')),
      work,
      cycles,
      seed,
      most: (name) => Math.ceil(states / shares / cost(name) / cycles),
      perCall: 200,
      log: (line) => console.log(line),
    });
    const sum = (key: 'states' | 'lost' | 'notOpening' | 'seconds') =>
      results.reduce((total, result) => total + result[key], 0);
    console.log({
      states: sum('states'),
      lost: sum('lost'),
      notOpening: sum('notOpening'),
      seconds: Math.round(sum('seconds')),
      seed,
    });
    for (const { problems } of results) for (const problem of problems) console.log(problem);
    return results.every(({ problems }) => problems.length === 0);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
