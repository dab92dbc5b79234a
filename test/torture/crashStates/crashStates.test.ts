import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coreBytes } from '../../support/core.js';
import { hasFaults, makeChanges } from '../../support/faults/library.js';
import { built } from '../../support/server.js';
import { CHECKS } from './checks.js';
import { cutPower } from './cuts.js';

const host = join(await built(), 'js/host');
const wasm = coreBytes();
/** States that are opened, by what one takes. */
const MOST: Readonly<Record<string, number>> = { engine: 12, journal: 400 };
/** A disk whose syncs take no time. */
const MEMORY = '/dev/shm';
let work: string;

beforeAll(() => {
  work = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'resilin-cuts-'));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

describe.runIf(hasFaults)('whatever a power cut leaves of what was not synced', () => {
  it.each(Object.keys(CHECKS))('%s: all that was acknowledged is there', async (program) => {
    const [result] = await cutPower({
      programs: [program],
      host,
      library: makeChanges(work),
      core: await WebAssembly.compile(wasm),
      work,
      cycles: 2,
      seed: 1,
      most: (name) => MOST[name] ?? 60,
      perCall: 1,
    });
    expect(result!.problems).toEqual([]);
  });
});
