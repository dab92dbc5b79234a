import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BatchWriter } from '../../host/core/batch.js';
import { Core } from '../../host/core/instance.js';
import { CoreError } from '../../host/core/status.js';
import { encodePlan } from '../../host/searchBody/encode.js';
import { BUILDS, coreModules } from '../support/cores.js';
import { FIELDS, plan, random, randomDocuments } from './corpus.js';

// Whatever bytes come as a plan, the core answers with a result or an error code, and goes on working.

const modules = await coreModules('resilin');

for (const build of BUILDS) {
  describe(`malformed plans, ${build} core`, () => {
    const core = new Core(modules[build]);
    const shard = core.createShard();
    for (const field of FIELDS) core.defineField(shard, field);
    const batch = new BatchWriter();
    randomDocuments(3, 300).forEach((document, i) => {
      batch.index(i + 1, (b) => {
        b.text(1, document[1].join(' '));
        b.text(2, document[2].join(' '));
      });
    });
    core.apply(shard, batch.bytes());
    core.refresh(shard);
    while (core.work(shard, 1000) !== 0);

    /** Searches; an error code is fine, a trap is not. */
    function survive(bytes: Uint8Array): boolean {
      try {
        core.search(shard, bytes);
        return true;
      } catch (e) {
        expect(e).toBeInstanceOf(CoreError);
        expect(core.dead).toBe(false);
        return false;
      }
    }

    it('refuses every truncation', () => {
      fc.assert(
        fc.property(plan, (p) => {
          const bytes = encodePlan(p);
          for (let n = 0; n < bytes.length; n++) expect(survive(bytes.slice(0, n))).toBe(false);
        }),
        { seed: 11, numRuns: 60 },
      );
    });

    it('survives flipped bits', () => {
      const next = random(12);
      fc.assert(
        fc.property(plan, (p) => {
          const bytes = encodePlan(p);
          for (let n = 0; n < 40; n++) {
            const copy = bytes.slice();
            for (let k = 0; k <= n % 3; k++)
              copy[Math.floor(next() * copy.length)]! ^= 1 << Math.floor(next() * 8);
            survive(copy);
          }
        }),
        { seed: 13, numRuns: 150 },
      );
    });

    it('survives random bytes after a good header', () => {
      const next = random(14);
      for (let n = 0; n < 5000; n++) {
        const bytes = new Uint8Array(12 + Math.floor(next() * 60));
        for (let i = 12; i < bytes.length; i++)
          bytes[i] = next() < 0.5 ? Math.floor(next() * 27) : Math.floor(next() * 256);
        bytes.set([0x52, 0x50, 0x4c, 0x4e, 1, 0, 0, 0, 10, 0, 0, 0]);
        survive(bytes);
      }
    });

    it('refuses a plan that is too deep', () => {
      const root = { kind: 'all' as const, boost: 1 };
      const bytes = encodePlan({ k: 1, inOrder: false, root });
      const nested = (depth: number): Uint8Array => {
        const head = Array.from(bytes.subarray(0, 12));
        for (let i = 0; i < depth; i++) head.push(4, 0, 0, 128, 63);
        return Uint8Array.from([...head, ...bytes.subarray(12)]);
      };
      expect(survive(nested(60))).toBe(true);
      expect(survive(nested(64))).toBe(false);
      expect(survive(nested(100_000))).toBe(false);
    });

    it('answers an enormous k', () => {
      const bytes = encodePlan({ k: 0xffffffff, inOrder: false, root: { kind: 'all', boost: 1 } });
      expect(survive(bytes)).toBe(true);
    });
  });
}
