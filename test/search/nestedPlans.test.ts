import { describe, expect, it } from 'vitest';
import { BatchWriter } from '../../host/core/batch.js';
import { Core } from '../../host/core/instance.js';
import { CoreError } from '../../host/core/status.js';
import { encodePlan } from '../../host/searchBody/encode.js';
import { JoinMode, Occur } from '../../host/core/abi/plan.js';
import type { Plan } from '../../host/plan/plan.js';
import type { PlanNode } from '../../host/plan/nodes.js';
import { BUILDS, type Build, coreModules } from '../support/cores.js';
import { random } from './corpus.js';

const modules = await coreModules('resilin');

// Blocks of nested documents in the core: what a deletion takes, and plans that are damaged or ask for what makes no sense.

const TYPE = 0;
const WORD = 1;
const NUMBER = 2;
const HIDES = 128;
const COLUMN_LONG = 8;
const COLUMN_TERM = 24;

const utf8 = new TextEncoder();
const termOf = (text: string) => utf8.encode(text);
const type = (name: string): PlanNode => ({ kind: 'terms', field: TYPE, terms: [termOf(name)] });
const term = (field: number, text: string): PlanNode => ({
  kind: 'term',
  field,
  boost: 1,
  term: termOf(text),
});

const nested = (node: PlanNode, parents?: PlanNode, mode: JoinMode = JoinMode.avg): PlanNode => ({
  kind: 'nested',
  boost: 2,
  mode,
  node,
  parents,
});
const inside = (query: PlanNode, path: string): PlanNode => ({
  kind: 'filtered',
  boost: 1,
  query,
  filter: type(path),
});

class Blocks {
  readonly core: Core;
  readonly shard: number;
  readonly batch = new BatchWriter();
  #key = 1;

  constructor(build: Build) {
    this.core = new Core(modules[build]);
    this.shard = this.core.createShard();
    const field = { analyzer: 0, boost: 1, positionGap: 0 };
    this.core.defineField(this.shard, { ...field, field: TYPE, flags: HIDES });
    this.core.defineField(this.shard, { ...field, field: WORD, flags: 1 | COLUMN_TERM });
    this.core.defineField(this.shard, { ...field, field: NUMBER, flags: COLUMN_LONG });
  }

  #document(name: string, word: string, number: number): number {
    this.batch.index(this.#key, (b) => {
      b.text(TYPE, name);
      b.text(WORD, word);
      b.term64(NUMBER, 0x80000000, number);
    });
    return this.#key++;
  }

  /** A document with parts: `a`, each with parts of its own `b`. Returns its key. */
  block(next: () => number): number {
    for (let a = Math.floor(next() * 4); a > 0; a--) {
      for (let b = Math.floor(next() * 3); b > 0; b--) this.#document('__b', `w${b}`, b);
      this.#document('__a', `w${a}`, a);
    }
    return this.#document('doc', `w${Math.floor(next() * 4)}`, 7);
  }

  refresh(): void {
    this.core.apply(this.shard, this.batch.bytes());
    this.batch.reset();
    this.core.refresh(this.shard);
    while (this.core.work(this.shard, 1000) !== 0);
  }

  total(root: PlanNode): number {
    const bytes = this.core.search(this.shard, encodePlan({ k: 10, inOrder: true, root }));
    return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0, true);
  }

  get live(): number {
    return this.core.segments(this.shard).reduce((sum, { live }) => sum + live, 0);
  }
}

for (const build of BUILDS) {
  describe(`nested documents, ${build} core`, () => {
    it('go with the document whose parts they are, and with it alone', () => {
      const next = random(3);
      const blocks = new Blocks(build);
      const keys: number[] = [];
      const sizes: number[] = [];
      let last = 0;
      for (let i = 0; i < 300; i++) {
        const key = blocks.block(next);
        keys.push(key);
        sizes.push(key - last);
        last = key;
        if (i % 60 === 59) blocks.refresh();
      }
      let live = last;
      let documents = keys.length;
      for (let i = 0; i < keys.length; i += 3) {
        blocks.batch.delete(keys[i]!);
        live -= sizes[i]!;
        documents--;
        if (i % 50 < 3) {
          blocks.refresh();
          expect(blocks.live).toBe(live);
          expect(blocks.total({ kind: 'all', boost: 1 })).toBe(documents);
        }
      }
      blocks.refresh();
      blocks.core.forceMerge(blocks.shard, 1);
      while (blocks.core.work(blocks.shard, 1000) !== 0);
      expect(blocks.core.segments(blocks.shard)).toMatchObject([{ documents: live, live: live }]);
      expect(blocks.total({ kind: 'all', boost: 1 })).toBe(documents);
      // From an image the same blocks are found.
      const copy = new Blocks(build);
      copy.core.loadSegment(copy.shard, blocks.core.segmentImage(blocks.shard, 0));
      for (const path of ['__a', '__b']) {
        const found = blocks.total(nested(inside({ kind: 'all', boost: 1 }, path)));
        expect(found).toBeGreaterThan(0);
        expect(copy.total(nested(inside({ kind: 'all', boost: 1 }, path)))).toBe(found);
      }
    });

    it('make no plan trap, damaged or without sense', () => {
      const next = random(5);
      const blocks = new Blocks(build);
      for (let i = 0; i < 200; i++) {
        const key = blocks.block(next);
        if (i % 4 === 0) blocks.batch.delete(key);
        if (i % 70 === 69) blocks.refresh();
      }
      blocks.refresh();
      const all: PlanNode = { kind: 'all', boost: 1 };
      const deep = nested(inside(nested(inside(term(WORD, 'w1'), '__b'), type('__a')), '__a'));
      const roots: PlanNode[] = [
        nested(inside(term(WORD, 'w1'), '__a'), undefined, JoinMode.total),
        deep,
        // Parts that are no parts, parents that are none, joins of joins.
        nested(all),
        nested(all, all),
        nested(all, { kind: 'none' }),
        nested(nested(nested(all))),
        nested(inside(all, 'doc'), type('doc'), JoinMode.max),
        nested(inside(all, '__a'), type('__b')),
        {
          kind: 'boolean',
          noCoord: false,
          boost: 1,
          minimum: 0,
          clauses: [
            { occur: Occur.Must, node: term(WORD, 'w2') },
            { occur: Occur.Should, node: deep },
            { occur: Occur.MustNot, node: nested(inside(term(WORD, 'w3'), '__a'), undefined, JoinMode.none) },
          ],
        },
      ];
      const order = { descending: true, single: false, mode: 2 } as const;
      const plans: Plan[] = roots.map((root, i) => ({
        k: 10,
        inOrder: i % 2 === 0,
        root,
        sort: {
          trackScores: true,
          keys: [
            { kind: 'column', ...order, field: NUMBER, type: 'long', missing: 0n, inside: roots[i]! },
            { kind: 'column', ...order, field: WORD, type: 'string', missing: 'last', inside: type('__a') },
          ],
        },
        named: [deep],
        aggregations: {
          filters: [type('__a'), type('__b'), { kind: 'none' }],
          list: [
            {
              write(bytes) {
                // Parts of parts, and back by two steps and by one.
                for (const [kind, ...numbers] of JOINS) {
                  bytes.u8(kind!);
                  for (const number of numbers) bytes.u16(number);
                  bytes.u16(kind === 11 && numbers[0] === 0xffff ? 0 : 1);
                }
              },
            },
          ],
        },
      }));
      const survive = (bytes: Uint8Array): boolean => {
        try {
          blocks.core.search(blocks.shard, bytes);
          return true;
        } catch (e) {
          expect(e).toBeInstanceOf(CoreError);
          expect(blocks.core.dead).toBe(false);
          return false;
        }
      };
      for (const plan of plans) {
        const bytes = encodePlan(plan);
        expect(survive(bytes)).toBe(true);
        expect(survive(encodePlan({ k: 0, inOrder: false, root: plan.root, explain: [1, 2, 9, 40] }))).toBe(
          true,
        );
        for (let n = 0; n < bytes.length; n++) expect(survive(bytes.slice(0, n))).toBe(false);
        for (let n = 0; n < 300; n++) {
          const copy = bytes.slice();
          for (let k = 0; k <= n % 4; k++)
            copy[Math.floor(next() * copy.length)]! ^= 1 << Math.floor(next() * 8);
          survive(copy);
        }
        expect(survive(bytes)).toBe(true);
      }
    });
  });
}

/** A chain of joins: kind and filters. */
const JOINS = [
  [10, 0, 0xffff],
  [10, 1, 0],
  [11, 0],
  [10, 2, 0],
  [11, 0xffff],
];
