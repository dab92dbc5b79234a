import { describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { coreBytes } from '../support/core.js';
import { CrashDisk } from '../support/crashDisk.js';
import { Ledger, Register } from '../torture/ledger.js';
import { CHANGES, runLoad } from '../torture/load.js';
import { type Peer, Unanswered } from '../torture/peer.js';
import { Random } from '../torture/random.js';
import { prepare, verify } from '../torture/verify.js';

const wasm = coreBytes();
const turn = () => new Promise<void>((done) => setImmediate(done));

/** An engine that answers until the power goes. */
function peerOf(resilin: Resilin): { peer: Peer; cut(): void } {
  let cut!: () => void;
  const dark = new Promise<never>((_, reject) => {
    cut = () => reject(new Unanswered('the power is gone'));
  });
  dark.catch(() => {});
  return {
    cut,
    peer: { send: (method, path, body) => Promise.race([dark, resilin.request(method, path, body)]) },
  };
}

describe('a machine that loses its power under load', () => {
  it.each([1, 2])('has all that was acknowledged, whatever became of the rest (seed %i)', async (seed) => {
    const module = await WebAssembly.compile(wasm);
    const random = new Random(seed);
    const ledger = new Ledger();
    const registers = new Map(
      CHANGES.map(({ register, initial }) => [register, new Register(register, initial)]),
    );
    const problems: string[] = [];
    let disk = new CrashDisk(random);
    for (let round = 0; round < 5; round++) {
      const warnings: string[] = [];
      const resilin = await createEngine({
        wasm: module,
        storage: disk.storage,
        blobs: disk.blobs,
        warn: (message) => warnings.push(message),
      });
      const { peer, cut } = peerOf(resilin);
      if (round === 0) await prepare(peer);
      problems.push(...(await verify(peer, ledger, registers)), ...warnings);
      expect(problems).toEqual([]);
      const pause = async (ms: number) => {
        for (let i = 0; i < ms / 4; i++) await turn();
      };
      const load = runLoad(
        { server: peer, ledger, registers, problems, pause, ending: false },
        8,
        random,
        round,
      );
      for (let turns = random.below(600); turns > 0; turns--) await turn();
      const next = disk.crash();
      cut();
      await load;
      disk = await next;
    }
    expect(ledger.acknowledged).toBeGreaterThan(200);
  });
});
