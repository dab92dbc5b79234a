import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { built, serverFile } from '../support/server.js';
import { BlockDevice } from './blockDevice.js';
import { Ledger, Register } from './ledger.js';
import { soak } from './soak.js';
import { torture } from './torture.js';

const main = await serverFile();
/** Of modules: one of them is changed in the process. */
const ofModules = join(await built(), 'js/host/cli/main.js');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-torture-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a server that is killed again and again under load', () => {
  it('has what it acknowledged after each start, and nothing that it had deleted', async () => {
    const result = await torture({
      main,
      data: join(folder, 'data'),
      rounds: 5,
      seed: 11,
      ms: 600,
      writers: 12,
    });
    expect(result.problems).toEqual([]);
    expect(result.acknowledged).toBeGreaterThan(50);
  });
});

describe('a server that is killed as its store gets smaller', () => {
  it('has what it acknowledged', async () => {
    const result = await torture({
      main: ofModules,
      data: join(folder, 'shrinking'),
      rounds: 3,
      seed: 13,
      ms: 600,
      writers: 12,
      shrink: true,
    });
    expect(result.problems).toEqual([]);
    expect(result.acknowledged).toBeGreaterThan(20);
    expect(result.shrunk).toBeGreaterThan(0);
  });
});

describe.runIf(BlockDevice.isPossible)('a server whose power is cut under load', () => {
  it('has what it acknowledged', async () => {
    const device = new BlockDevice();
    try {
      const result = await torture({
        main,
        data: join(device.folder, 'data'),
        rounds: 3,
        seed: 12,
        ms: 600,
        writers: 12,
        cutPower: () => device.cut(),
      });
      expect(result.problems).toEqual([]);
      expect(result.acknowledged).toBeGreaterThan(20);
    } finally {
      device.remove();
    }
  });
});

describe('a server with a small heap', () => {
  it('gives the answers of a model to mixed operations', async () => {
    const result = await soak({
      main,
      data: join(folder, 'soak'),
      operations: 8000,
      seed: 4,
      heap: 96,
    });
    expect(result.problems).toEqual([]);
    expect(result.operations).toBeGreaterThanOrEqual(8000);
  });
});

describe('the ledger', () => {
  const source = (n: number) => ({ n });

  it('allows unanswered writes to have happened, in their order, or not', () => {
    for (const [found, fits] of [
      [{ version: 1, source: source(1) }, true],
      [{ version: 2, source: source(2) }, true],
      [undefined, true],
      [{ version: 2, source: source(1) }, false],
      [{ version: 1, source: source(2) }, false],
      [{ version: 4, source: source(1) }, false],
    ] as const) {
      const ledger = new Ledger();
      ledger.ask('a/1', { kind: 'index', source: source(1) }, 0);
      expect(ledger.acknowledge('a/1', 1, 0)).toBeUndefined();
      ledger.ask('a/1', { kind: 'index', source: source(2) }, 0);
      ledger.ask('a/1', { kind: 'delete' }, 0);
      expect(ledger.settle('a/1', found, 0) === undefined).toBe(fits);
    }
  });

  it('misses what was acknowledged, and notices what came back', () => {
    const ledger = new Ledger();
    ledger.ask('a/1', { kind: 'index', source: source(1) }, 0);
    ledger.acknowledge('a/1', 1, 0);
    expect(ledger.settle('a/1', undefined, 0)).toContain('must be 1');
    ledger.ask('a/2', { kind: 'index', source: source(1) }, 0);
    ledger.acknowledge('a/2', 1, 0);
    ledger.ask('a/2', { kind: 'delete' }, 0);
    ledger.acknowledge('a/2', 2, 0);
    expect(ledger.settle('a/2', { version: 1, source: source(1) }, 0)).toContain('must be 2');
    ledger.ask('a/3', { kind: 'index', source: source(1) }, 0);
    expect(ledger.acknowledge('a/3', 2, 0)).toContain('not 1');
  });

  it('allows a deletion to be forgotten a minute after it was asked for, however late it is known of', () => {
    for (const [at, fits] of [
      [50_000, false],
      [61_000, true],
    ] as const) {
      const ledger = new Ledger();
      ledger.ask('a/1', { kind: 'index', source: source(1) }, 0);
      ledger.acknowledge('a/1', 1, 0);
      ledger.ask('a/1', { kind: 'delete' }, 100);
      // It wasn't answered; the next start was a slow one.
      expect(ledger.settle('a/1', undefined, 40_000)).toBeUndefined();
      ledger.ask('a/1', { kind: 'index', source: source(2) }, at - 10);
      expect(ledger.acknowledge('a/1', 1, at) === undefined).toBe(fits);
    }
  });

  it('takes a register for changed as a whole or not at all', () => {
    const register = new Register('r', 'old');
    register.ask('new');
    expect(register.settle('new')).toBeUndefined();
    register.ask('newer');
    expect(register.settle('half')).toContain('must be new or newer');
  });
});
