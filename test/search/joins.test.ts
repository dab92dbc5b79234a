import { describe, expect, it } from 'vitest';
import { BatchWriter } from '../../host/core/batch.js';
import { Core } from '../../host/core/instance.js';
import { decodeResult } from '../../host/core/result.js';
import { encodePlan } from '../../host/searchBody/encode.js';
import { ChildScore } from '../../host/core/abi/plan.js';
import type { PlanNode } from '../../host/plan/nodes.js';
import { BUILDS, type Build, coreModules } from '../support/cores.js';
import { random } from './corpus.js';

const modules = await coreModules('resilin');

// Joins over many segments: numbers of uids are given to all at once, and then to small segments that come and to large ones that
// merges make. A document in a map knows its uid or its parent's.

const [KIND, OWN, PARENT, SMALL] = [0, 1, 2, 3];
const utf8 = new TextEncoder();

interface Document {
  own?: string;
  parent?: string;
  small: boolean;
}

class Shard {
  readonly core: Core;
  readonly handle;
  readonly documents = new Map<number, Document>();
  #key = 0;
  readonly #next = random(5);

  constructor(build: Build) {
    this.core = new Core(modules[build]);
    this.handle = this.core.createShard();
    for (const field of [KIND, OWN, PARENT, SMALL])
      this.core.defineField(this.handle, { field, flags: 0, analyzer: 0, boost: 1, positionGap: 0 });
  }

  pick(n: number): number {
    return Math.floor(this.#next() * n);
  }

  /** Adds documents: parents with new or old uids, children of parents among the first `families`. */
  add(count: number, families: number): void {
    const batch = new BatchWriter();
    for (let i = 0; i < count; i++) {
      const key = ++this.#key;
      const uid = `mum#${this.pick(families)}`;
      const document: Document = {
        small: this.pick(3) === 0,
        ...(i % 4 === 0 ? { own: uid } : { parent: uid }),
      };
      // A uid belongs to one parent; the one before it goes.
      if (document.own !== undefined) {
        for (const [old, { own }] of this.documents) if (own === uid) this.#remove(batch, old);
      }
      batch.index(key, (b) => {
        b.text(KIND, document.own === undefined ? 'kid' : 'mum');
        if (document.own !== undefined) b.text(OWN, uid);
        else b.text(PARENT, uid);
        if (document.small) b.text(SMALL, 'yes');
      });
      this.documents.set(key, document);
    }
    this.#apply(batch);
  }

  remove(count: number): void {
    const batch = new BatchWriter();
    const keys = [...this.documents.keys()];
    for (let i = 0; i < count; i++) {
      const key = keys[this.pick(keys.length)]!;
      if (this.documents.has(key)) this.#remove(batch, key);
    }
    this.#apply(batch);
  }

  #remove(batch: BatchWriter, key: number): void {
    batch.delete(key);
    this.documents.delete(key);
  }

  #apply(batch: BatchWriter): void {
    this.core.apply(this.handle, batch.bytes());
    this.core.refresh(this.handle);
    while (this.core.work(this.handle, 100_000) !== 0);
  }

  keys(root: PlanNode): number[] {
    const k = this.documents.size + 1;
    return [...decodeResult(this.core.search(this.handle, encodePlan({ k, inOrder: true, root }))).keys].sort(
      (a, b) => a - b,
    );
  }

  /** Both joins are what the map says. */
  check(): void {
    const small: PlanNode = { kind: 'term', field: SMALL, boost: 1, term: utf8.encode('yes') };
    const join = { kind: 'join', boost: 1, mode: ChildScore.none, least: 0, most: 0, node: small } as const;
    const with_ = (side: 'own' | 'parent', other: 'own' | 'parent') => {
      const list = [...this.documents];
      const uids = new Set(list.filter(([, d]) => d.small).map(([, d]) => d[side]));
      return list.filter(([, d]) => d[other] !== undefined && uids.has(d[other])).map(([key]) => key);
    };
    expect(this.keys({ ...join, inner: PARENT, outer: OWN })).toEqual(with_('parent', 'own'));
    expect(this.keys({ ...join, inner: OWN, outer: PARENT })).toEqual(with_('own', 'parent'));
  }
}

describe.each(BUILDS)('joins in the %s core', (build) => {
  it('number the terms anew where they go by other fields than before', () => {
    const shard = new Shard(build);
    for (let i = 0; i < 5; i++) shard.add(40, 30);
    shard.remove(5);
    shard.check();
    const all: PlanNode = { kind: 'all', boost: 1 };
    const join = { kind: 'join', boost: 1, mode: ChildScore.none, least: 0, most: 0, node: all } as const;
    const kinds = shard.keys({ ...join, inner: KIND, outer: SMALL });
    expect(kinds).toEqual(shard.keys({ ...join, inner: SMALL, outer: KIND }));
    shard.check();
    expect(shard.keys({ ...join, inner: KIND, outer: SMALL })).toEqual(kinds);
  });

  it('are refused where they go by several pairs of fields in one search', () => {
    const shard = new Shard(build);
    shard.add(40, 30);
    const node: PlanNode = { kind: 'all', boost: 1 };
    const join = { kind: 'join', boost: 1, mode: ChildScore.none, least: 0, most: 0, node } as const;
    const two = (inner: number, outer: number): PlanNode => ({
      kind: 'disMax',
      boost: 1,
      tieBreaker: 0,
      nodes: [
        { ...join, inner: PARENT, outer: OWN },
        { ...join, inner, outer },
      ],
    });
    expect(shard.keys(two(OWN, PARENT)).length).toBeGreaterThan(0);
    // A field that no document has ties nothing together.
    expect(shard.keys(two(0xffff, PARENT))).toEqual(shard.keys(two(OWN, 0xffff)));
    expect(shard.keys(two(OWN, PARENT)).length).toBeGreaterThan(shard.keys(two(OWN, 0xffff)).length);
    expect(() => shard.keys(two(OWN, SMALL))).toThrow('malformed plan');
  });

  it('find the same families in few large segments and many small ones', () => {
    const shard = new Shard(build);
    shard.check();
    shard.add(4000, 900);
    shard.check();
    for (let round = 0; round < 12; round++) {
      // Now and then many at once, so that all numbers are given anew.
      shard.add(round % 5 === 4 ? 3000 : 20, 1000 + 40 * round);
      shard.check();
      shard.remove(10);
      shard.check();
    }
    shard.core.forceMerge(shard.handle, 1);
    while (shard.core.work(shard.handle, 100_000) !== 0);
    shard.check();
    shard.add(20, 2000);
    shard.check();
  });

  it('forget their numbers when most are gone', () => {
    const shard = new Shard(build);
    for (let round = 0; round < 30; round++) {
      shard.add(60, 1_000_000);
      shard.check();
      shard.remove(200);
      shard.check();
    }
  });
});
