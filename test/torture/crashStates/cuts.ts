/**
 * Power cuts of programs: each is run with its calls logged, and the states that a cut may leave after each call are opened and compared with
 * what was acknowledged by then. One of the states is what the next cycle of the program begins with.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../random.js';
import { type Change, readChanges } from './changeLog.js';
import { CHECKS } from './checks.js';
import { type Choice, crashState, digestOf, folderOf, type Tree, treeOf, writeTree } from './crashState.js';
import { Disk } from './diskModel.js';
import { Promises } from './promises.js';

/** Which programs, how long and how thoroughly. */
export interface CutOptions {
  programs: readonly string[];
  /** The folder of the compiled host that programs run on. */
  host: string;
  /** The library that logs calls. */
  library: string;
  /** The compiled core. */
  core: WebAssembly.Module;
  /** A folder that is there; the faster its disk, the better: nothing needs to last. */
  work: string;
  /** How often a program is run, each time on what a cut has left of the time before. */
  cycles: number;
  seed: number;
  /** States of a program and cycle at most; those behind acknowledgements go before others. */
  most: (program: string) => number;
  /** States by chance after each call. */
  perCall: number;
  /** States that were opened before, and need not be again; those that are opened now come to them. */
  seen?: Set<string>;
  log?: (line: string) => void;
}

/** What came out of a program. */
export interface CutResult {
  program: string;
  /** Calls that changed files. */
  calls: number;
  acknowledged: number;
  /** That were opened; no two are alike in what is on the disk and what was acknowledged. */
  states: number;
  /** With something wrong in them. */
  lost: number;
  notOpening: number;
  seconds: number;
  problems: string[];
}

/** Where programs are; tests and commands are run in the project's folder. */
const PROGRAMS = join(process.cwd(), 'test/torture/crashStates/programs.mjs');
/** Problems that are told. */
const MOST_TOLD = 10;
/** What LMDB shares among processes: it is made anew by whoever opens a store. */
const LOCK = 'lock.mdb';

/** Runs the programs, one after the other. */
export async function cutPower(options: CutOptions): Promise<CutResult[]> {
  const results: CutResult[] = [];
  for (const program of options.programs) {
    const result = await new Cuts(program, options).run();
    options.log?.(JSON.stringify({ ...result, problems: result.problems.length }));
    results.push(result);
  }
  return results;
}

/** A state that is to be looked at: how many changes were made, and what is left of them. */
interface Cut {
  at: number;
  names: Choice['names'];
  bytes: Choice['bytes'];
  block: Choice['block'];
  seed: number;
}

class Cuts {
  readonly #options: CutOptions;
  readonly #result: CutResult;
  readonly #work: string;
  #cycle = 0;
  #opened = 0;

  constructor(program: string, options: CutOptions) {
    this.#options = options;
    this.#work = mkdtempSync(join(realpathSync(options.work), 'cuts-'));
    this.#result = {
      program,
      calls: 0,
      acknowledged: 0,
      states: 0,
      lost: 0,
      notOpening: 0,
      seconds: 0,
      problems: [],
    };
  }

  async run(): Promise<CutResult> {
    const started = performance.now();
    try {
      let before: Tree = {};
      let lines: string[] = [];
      for (; this.#cycle < this.#options.cycles; this.#cycle++) {
        const folder = join(this.#work, `cycle-${this.#cycle}`);
        writeTree(folder, before);
        const [whole, disk] = [folderOf(folder), folderOf(folder)].map((root) => new Disk(folder, root));
        const changes = this.#log(folder);
        this.#demandComplete(folder, whole!, changes);
        const next = await this.#cut(disk!, changes, lines);
        if (next === undefined) break;
        before = next.tree;
        lines = next.lines;
        rmSync(folder, { recursive: true, force: true });
      }
    } finally {
      rmSync(this.#work, { recursive: true, force: true });
    }
    this.#result.seconds = Math.round((performance.now() - started) / 100) / 10;
    return this.#result;
  }

  /** Runs the program; returns what it has changed. */
  #log(folder: string): Change[] {
    const log = join(this.#work, 'log');
    const marks = join(this.#work, 'marks');
    for (const file of [log, marks]) rmSync(file, { force: true });
    const { host, library } = this.#options;
    const { program } = this.#result;
    const { status, signal, stderr } = spawnSync(
      process.execPath,
      [PROGRAMS, program, host, folder, marks, String(this.#cycle)],
      {
        encoding: 'utf8',
        env: {
          ...process.env,
          LD_PRELOAD: library,
          RESILIN_CHANGES_FOLDER: folder,
          RESILIN_CHANGES_LOG: log,
          RESILIN_CHANGES_MARKS: marks,
        },
      },
    );
    if (status !== 0) throw new Error(`${program} ended with ${signal ?? status}: ${stderr}`);
    return readChanges(readFileSync(log));
  }

  /** Throws if the log has not all that is in the folder now, as of a file that was changed by a call which nobody looked at, or by memory. */
  #demandComplete(folder: string, disk: Disk, changes: readonly Change[]): void {
    for (const change of changes) disk.apply(change);
    const logged = without(
      crashState(disk, { names: 'all', bytes: 'all', block: 512, random: new Random(0) }),
    );
    if (digestOf(logged) !== digestOf(without(treeOf(folder))))
      throw new Error(`the log of ${this.#result.program} lacks changes`);
    const mapped = changes.filter((change) => change.kind === 'map' && !change.path.endsWith(`/${LOCK}`));
    if (mapped.length > 0) throw new Error(`changed by memory: ${JSON.stringify(mapped)}`);
  }

  /** Looks at states of a cycle; returns one that the next may begin with. */
  async #cut(
    disk: Disk,
    changes: readonly Change[],
    lines: readonly string[],
  ): Promise<{ tree: Tree; lines: string[] } | undefined> {
    const random = new Random(this.#options.seed * 1000 + this.#cycle);
    const cuts = this.#choose(changes, random);
    const last = random.below(cuts.length);
    const told = [...lines];
    const { seen = new Set() } = this.#options;
    let next: { tree: Tree; lines: string[] } | undefined;
    let made = 0;
    this.#result.calls += changes.filter(({ kind }) => kind !== 'mark' && kind !== 'map').length;
    this.#result.acknowledged += marksOf(changes).filter((line) => line.startsWith('done ')).length;
    for (const [i, cut] of cuts.entries()) {
      for (; made < cut.at; made++) {
        const change = changes[made]!;
        disk.apply(change);
        if (change.kind === 'mark') told.push(...change.text.trim().split('\n'));
      }
      const tree = crashState(disk, { ...cut, random: new Random(cut.seed) });
      const digest = `${told.length} ${told.at(-1)} ${digestOf(tree)}`;
      const isNext = i >= last && next === undefined;
      if (seen.has(digest) && !isNext) continue;
      seen.add(digest);
      const found = await this.#check(tree, new Promises(told), cut, changes);
      if (isNext && found !== undefined) next = { tree, lines: found };
      if (this.#result.problems.length >= MOST_TOLD) return undefined;
    }
    return next;
  }

  /** The states to look at, in the order of the calls. */
  #choose(changes: readonly Change[], random: Random): Cut[] {
    const { perCall } = this.#options;
    const most = this.#options.most(this.#result.program);
    const first: Cut[] = [];
    const others: Cut[] = [];
    for (let at = 0; at <= changes.length; at++) {
      const before = changes[at - 1];
      const isMark = before?.kind === 'mark';
      // Behind the last of several acknowledgements there is more to lose.
      if (isMark && (!before.text.startsWith('done ') || isDone(changes[at]))) continue;
      for (const names of ['none', 'all'] as const)
        for (const bytes of ['none', 'all', 'last'] as const)
          (isMark && names === 'none' && bytes === 'none' ? first : others).push({
            at,
            names,
            bytes,
            block: 512,
            seed: 0,
          });
      for (let i = 0; i < perCall; i++) {
        const names = (['none', 'all', 'some', 'some'] as const)[random.below(4)]!;
        const block = random.chance(0.5) ? 512 : 4096;
        others.push({ at, names, bytes: 'some', block, seed: random.below(2 ** 31) });
      }
    }
    while (first.length > most) first.splice(random.below(first.length), 1);
    while (others.length > most - first.length) {
      const at = random.below(others.length);
      others[at] = others.at(-1)!;
      others.pop();
    }
    return [...first, ...others].sort((a, b) => a.at - b.at);
  }

  /** Opens a state; returns what is there, or nothing where it can't be opened. */
  async #check(
    tree: Tree,
    promises: Promises,
    cut: Cut,
    changes: readonly Change[],
  ): Promise<string[] | undefined> {
    const { program, problems } = this.#result;
    // LMDB tells open environments by their paths.
    const folder = join(this.#work, `state-${++this.#opened}`);
    this.#result.states++;
    const at = () =>
      `${program}, cycle ${this.#cycle}, ${JSON.stringify({ ...cut, behind: shown(changes[cut.at - 1]) })}`;
    try {
      writeTree(folder, tree);
      const { problems: wrong, found } = await CHECKS[program]!(folder, promises, this.#options.core);
      if (wrong.length === 0) return found;
      this.#result.lost++;
      problems.push(`${at()}:\n  ${wrong.join('\n  ')}`);
    } catch (e) {
      this.#result.notOpening++;
      problems.push(`${at()}: not opening: ${e instanceof Error ? e.stack : e}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return undefined;
  }
}

function isDone(change: Change | undefined): boolean {
  return change?.kind === 'mark' && change.text.startsWith('done ');
}

/** What a program has told. */
function marksOf(changes: readonly Change[]): string[] {
  return changes.flatMap((change) => (change.kind === 'mark' ? change.text.trim().split('\n') : []));
}

/** A change without its bytes. */
function shown(change: Change | undefined): object | undefined {
  if (change?.kind !== 'write') return change;
  const { bytes, ...rest } = change;
  return { ...rest, length: bytes.length };
}

/** A tree without what is in locks of LMDB. */
function without(tree: Tree): Tree {
  return Object.fromEntries(
    Object.entries(tree).map(([name, content]) => [
      name,
      name === LOCK ? Buffer.alloc(0) : Buffer.isBuffer(content) ? content : without(content),
    ]),
  );
}
