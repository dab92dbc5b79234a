/**
 * One merged segment of 200,000 documents that are made up with a seeded generator: the lists that searches are measured on. Built
 * when the first question asks, through the core's own exports, and shared by all.
 *
 * A document has each of WORDS with that word's probability, independent of the others, once to five times (more than once in
 * three of ten), and 5 to 64 fillers, short documents being more frequent; all in random order. Where both words of a pair occur they are
 * put side by side in every second document. The generator keeps count of what it makes, and every plan must find just that.
 */
import { BatchWriter } from '../../core/batch.js';
import { Core, Work } from '../../core/instance.js';
import { decodeResult } from '../../core/result.js';
import { encodePlan } from '../../searchBody/encode.js';
import { Occur } from '../../core/abi/plan.js';
import type { PlanNode } from '../../plan/nodes.js';
import type { Case } from './case.js';
import { generator } from './generator.js';

const DOCS = 200_000;

/** The words that are searched, and the part of the documents that has them. */
const WORDS = {
  half: 0.5,
  third: 0.33,
  fifth: 0.2,
  quint: 0.2,
  twentieth: 0.05,
  hundredth: 0.01,
  thousandth: 0.001,
  millesimal: 0.001,
};
export type Word = keyof typeof WORDS;
const NAMES = Object.keys(WORDS) as Word[];
const DENSITIES = Object.values(WORDS);

/** Words that often stand side by side, in this order. */
const PAIRS: readonly (readonly [Word, Word])[] = [
  ['fifth', 'quint'],
  ['hundredth', 'half'],
];

const FILLERS = 500;
const FIELD = 0;
const FREQS_POSITIONS_NORMS = 7;
/** The core's number of the standard analyzer. */
const STANDARD = 1;
const BATCH_BYTES = 1 << 20;
const WORK_BUDGET = 1_000_000;

/** Plans' flag by which no block is skipped for its bound (assembly/search/README.md), and where flags are. */
const SKIP_NOTHING = 4;
const FLAGS_AT = 5;
/** One run measures at least so many postings or candidates, so that reading the clock doesn't count. */
const LEAST_WORK = 10_000;

/** Makes documents, as numbers of words (those of WORDS first), and counts what it makes. */
class Generator {
  readonly #random = generator(1);
  readonly #has = NAMES.map(() => new Uint8Array(DOCS));
  readonly #phrases = PAIRS.map(() => 0);

  /** The words of the next document. */
  make(doc: number): number[] {
    const random = this.#random;
    const words: number[] = [];
    for (const [word, density] of DENSITIES.entries()) {
      if (random() >= density) continue;
      (this.#has[word] as Uint8Array)[doc] = 1;
      words.push(word);
      for (let more = 0; more < 4 && random() < 0.3; more++) words.push(word);
    }
    const short = random();
    const fillers = 5 + Math.floor(60 * short * short);
    for (let i = 0; i < fillers; i++) words.push(NAMES.length + Math.floor(FILLERS * random() * random()));
    for (let i = words.length - 1; i > 0; i--) swap(words, i, Math.floor((i + 1) * random()));
    for (const [i, [first, second]] of PAIRS.entries()) {
      const a = NAMES.indexOf(first);
      const b = NAMES.indexOf(second);
      if (!words.includes(a) || !words.includes(b)) continue;
      if (random() < 0.5) pairUp(words, a, b);
      if (words.some((word, at) => word === a && words[at + 1] === b)) this.#phrases[i] = this.phrases(i) + 1;
    }
    return words;
  }

  /** Documents with any of the words. */
  any(...words: Word[]): number {
    const lists = words.map((word) => this.#has[NAMES.indexOf(word)] as Uint8Array);
    return (lists[0] as Uint8Array).reduce((n, _, doc) => n + (lists.some((has) => has[doc]) ? 1 : 0), 0);
  }

  /** Documents with all of the words. */
  all(...words: Word[]): number {
    const lists = words.map((word) => this.#has[NAMES.indexOf(word)] as Uint8Array);
    return (lists[0] as Uint8Array).reduce((n, _, doc) => n + (lists.every((has) => has[doc]) ? 1 : 0), 0);
  }

  /** Documents in which the words of a pair stand side by side. */
  phrases(pair: number): number {
    return this.#phrases[pair] as number;
  }
}

function swap(words: number[], i: number, k: number): void {
  [words[i], words[k]] = [words[k] as number, words[i] as number];
}

/** Puts the first `b` right behind the first `a`. */
function pairUp(words: number[], a: number, b: number): void {
  words.splice(words.indexOf(b), 1);
  words.splice(words.indexOf(a) + 1, 0, b);
}

/** The index; its cases check that a plan matches as many documents as were made. */
export class SyntheticIndex {
  readonly #made = new Generator();
  readonly #core: Core;
  readonly #shard: number;

  /** @param module the whole core */
  constructor(module: WebAssembly.Module) {
    this.#core = new Core(module);
    this.#shard = this.#core.createShard();
    this.#core.defineField(this.#shard, {
      field: FIELD,
      flags: FREQS_POSITIONS_NORMS,
      analyzer: STANDARD,
      boost: 1,
      positionGap: 0,
    });
    const names = [...NAMES, ...Array.from({ length: FILLERS }, (_, i) => `filler${i}`)];
    const batch = new BatchWriter();
    for (let doc = 0; doc < DOCS; doc++) {
      const words = this.#made.make(doc);
      batch.index(doc + 1, (values) => values.text(FIELD, words.map((word) => names[word]).join(' ')));
      if (batch.length < BATCH_BYTES && doc < DOCS - 1) continue;
      this.#core.apply(this.#shard, batch.bytes());
      batch.reset();
      while (this.#core.work(this.#shard, WORK_BUDGET) === Work.flushing);
    }
    this.#core.refresh(this.#shard);
    this.#work();
    this.#core.forceMerge(this.#shard, 1);
    this.#work();
    const segments = this.#core.segmentCount(this.#shard);
    if (segments !== 1) throw new Error(`${segments} segments after a merge down to one`);
  }

  /** The documents that have a word: the length of its list. */
  list(word: Word): number {
    return this.#made.all(word);
  }

  /** The documents that have all of the words. */
  common(...words: Word[]): number {
    return this.#made.all(...words);
  }

  /** A search for one word; work: its postings. */
  term(name: string, word: Word, k: number, skipNothing: boolean): Case {
    const total = this.list(word);
    return this.#case(name, termNode(word), k, skipNothing, total, total);
  }

  /** A search for all of the words without hits; work: the postings of the shortest list. */
  intersection(name: string, words: readonly Word[]): Case {
    const work = Math.min(...words.map((word) => this.list(word)));
    return this.#case(name, booleanNode(Occur.Must, words), 0, false, work, this.#made.all(...words));
  }

  /** A search for any of the words; work: the postings of all lists. */
  union(name: string, words: readonly Word[], k: number, skipNothing: boolean): Case {
    const work = words.reduce((sum, word) => sum + this.list(word), 0);
    return this.#case(name, booleanNode(Occur.Should, words), k, skipNothing, work, this.#made.any(...words));
  }

  /** A search for a pair of PAIRS side by side, without hits; work: the documents that have both words. */
  phrase(name: string, first: Word, second: Word): Case {
    const pair = PAIRS.findIndex(([a, b]) => a === first && b === second);
    const positions = [first, second].map((word, position) => ({ position, terms: [utf8.encode(word)] }));
    const node: PlanNode = { kind: 'phrase', field: FIELD, boost: 1, slop: 0, positions };
    return this.#case(name, node, 0, false, this.common(first, second), this.#made.phrases(pair));
  }

  #case(name: string, root: PlanNode, k: number, skipNothing: boolean, work: number, expected: number): Case {
    const plan = encodePlan({ k, inOrder: false, root });
    if (skipNothing) plan[FLAGS_AT] = (plan[FLAGS_AT] as number) | SKIP_NOTHING;
    const { total, keys } = decodeResult(this.#core.search(this.#shard, plan));
    if (total !== expected) throw new Error(`${name}: ${total} documents match where ${expected} were made`);
    if (keys.length !== Math.min(k, total)) throw new Error(`${name}: ${keys.length} hits`);
    const rounds = Math.ceil(LEAST_WORK / work);
    const run = (): void => {
      for (let round = 0; round < rounds; round++) this.#core.search(this.#shard, plan);
    };
    return { name, items: work * rounds, run };
  }

  #work(): void {
    while (this.#core.work(this.#shard, WORK_BUDGET) !== Work.idle);
  }
}

const utf8 = new TextEncoder();

function termNode(word: Word): PlanNode {
  return { kind: 'term', field: FIELD, boost: 1, term: utf8.encode(word) };
}

function booleanNode(occur: Occur, words: readonly Word[]): PlanNode {
  const clauses = words.map((word) => ({ occur, node: termNode(word) }));
  return { kind: 'boolean', noCoord: false, boost: 1, minimum: 0, clauses };
}
