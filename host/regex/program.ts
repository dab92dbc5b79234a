/** A pattern as the instructions of a nondeterministic automaton. */
import { Alphabet } from './alphabet.js';
import type { CodePointSet } from './codePointSet.js';
import { tooLarge, unsupported } from './errors.js';
import type { ParsedPattern } from './parser.js';
import { EMPTY, hasCapture, hasOneWay, isNullable, maxLength, type Node } from './tree.js';

const MOST_INSTRUCTIONS = 10_000;
const MOST_LOOKS = 64;
/** Instructions times slots: threads keep their own slots. */
const MOST_STATE = 2_000_000;
/** Above this a look-ahead with a group in it is refused: every match would run it again. */
const LONGEST_CAPTURING_LOOK = 1000;

/** The instructions; `x` and `y` are their arguments. The first two end a step. */
export const Op = {
  /** Takes a code point of set `x`, goes on. */
  set: 0,
  match: 1,
  /** Goes on at `x`, or, less preferred, at `y`. */
  split: 2,
  jump: 3,
  /** Writes the position into slot `x`. */
  save: 4,
  /** Goes on if {@link Assertion} `x` holds. */
  assert: 5,
  /** Goes on if the code point ahead is in set `x`, or, with `y` 1, if it isn't or there is none. */
  ahead: 6,
  /** The same for the one behind. */
  behind: 7,
  /** Goes on if look-around `x` holds, or, with `y` 1, if it doesn't. */
  look: 8,
  /** Goes on at `y` if the position is that in slot `x`: a turn of a loop that took nothing ends it. */
  progress: 9,
} as const;

/** One automaton. */
export interface Program {
  readonly op: Uint8Array;
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** By instruction, the slot of the innermost loop around it whose turns may take nothing, or -1. */
  readonly loop: Int32Array;
  /** By slot of such a loop, the slot of the next one around it, or -1. */
  readonly outer: ReadonlyMap<number, number>;
  /** How many such loops there are in each other at most. */
  readonly depth: number;
  /** Slots that it writes: start and end of the match and of each group, and what loops need. */
  readonly slots: number;
}

/** A look-around of more than one character. */
export interface Look {
  readonly ahead: boolean;
  /** The automaton of what it looks for, to be run towards the position: a look-ahead's is reversed. */
  readonly program: Program;
  /** For a look-ahead with groups: the automaton that fills their slots, and the slot with the position. */
  readonly captures: { readonly program: Program; readonly slot: number } | undefined;
}

/** All that a pattern needs to be matched. */
export interface CompiledPattern {
  readonly main: Program;
  /** Each after those within it. */
  readonly looks: readonly Look[];
  readonly alphabet: Alphabet;
  readonly groups: number;
}

/** Compiles a pattern; `source` is for errors. */
export function compileProgram(parsed: ParsedPattern, source: string): CompiledPattern {
  return new Compiler(parsed, source).compile();
}

class Compiler {
  readonly #parsed: ParsedPattern;
  readonly #source: string;
  readonly #looks: Look[] = [];
  /** By their nodes, apart for those whose groups are wanted: repetitions come by them more than once. */
  readonly #lookIds = [new Map<Node, number>(), new Map<Node, number>()] as const;
  readonly #sets: CodePointSet[] = [];
  readonly #setIds = new Map<string, number>();
  #slots: number;
  #instructions = 0;

  constructor(parsed: ParsedPattern, source: string) {
    this.#parsed = parsed;
    this.#source = source;
    this.#slots = 2 * (parsed.groups + 1);
  }

  compile(): CompiledPattern {
    const { root, groups } = this.#parsed;
    const main = this.#program(root, 'forward');
    if (this.#instructions * this.#slots > MOST_STATE) {
      throw tooLarge(this.#source, 'it has too many groups for its size');
    }
    // Slots of loops and look-arounds are known when all is compiled.
    return {
      main: { ...main, slots: this.#slots },
      looks: this.#looks,
      alphabet: new Alphabet(this.#sets),
      groups,
    };
  }

  #program(node: Node, way: Way): Program {
    const emitter = new Emitter(this, way);
    emitter.emit(node);
    return emitter.finish(this.#slots);
  }

  /** Counts an instruction. */
  count(): void {
    if (++this.#instructions > MOST_INSTRUCTIONS) {
      throw tooLarge(this.#source, `its repetitions come to more than ${MOST_INSTRUCTIONS} instructions`);
    }
  }

  newSlot(): number {
    return this.#slots++;
  }

  setId(set: CodePointSet): number {
    let id = this.#setIds.get(set.key);
    if (id === undefined) {
      id = this.#sets.length;
      this.#sets.push(set);
      this.#setIds.set(set.key, id);
    }
    return id;
  }

  refuse(what: string): never {
    throw unsupported(this.#source, what);
  }

  /** The number of a look-around. */
  look(node: Node & { type: 'look' }, captured: boolean): number {
    const known = this.#lookIds[captured ? 1 : 0];
    const id = known.get(node);
    if (id !== undefined) return id;
    const { item, ahead, negated } = node;
    let captures: Look['captures'];
    // In a negated one, groups are empty whenever it holds.
    if (captured && !negated && hasCapture(item)) {
      if (!ahead) this.refuse('capturing groups in a look-behind');
      if (maxLength(item) > LONGEST_CAPTURING_LOOK) {
        this.refuse('capturing groups in a look-ahead without a limit');
      }
      captures = { program: this.#program(item, 'forward'), slot: this.newSlot() };
    }
    const program = this.#program(item, ahead ? 'test backward' : 'test forward');
    if (this.#looks.length >= MOST_LOOKS)
      throw tooLarge(this.#source, `more than ${MOST_LOOKS} look-arounds`);
    this.#looks.push({ ahead, program, captures });
    known.set(node, this.#looks.length - 1);
    return this.#looks.length - 1;
  }

  /** Where to keep the position of a look-around whose groups are wanted. */
  lookSlot(look: number): number | undefined {
    return this.#looks[look]!.captures?.slot;
  }
}

/** Which way a program goes over the text; one that only tests has neither groups nor preferences. */
type Way = 'forward' | 'test forward' | 'test backward';

class Emitter {
  readonly #compiler: Compiler;
  readonly #way: Way;
  readonly #op: number[] = [];
  readonly #x: number[] = [];
  readonly #y: number[] = [];
  readonly #loop: number[] = [];
  readonly #outer = new Map<number, number>();
  /** The slots of the loops around what is written. */
  readonly #open: number[] = [];
  #depth = 0;

  constructor(compiler: Compiler, way: Way) {
    this.#compiler = compiler;
    this.#way = way;
  }

  finish(slots: number): Program {
    this.#add(Op.match);
    return {
      op: Uint8Array.from(this.#op),
      x: Int32Array.from(this.#x),
      y: Int32Array.from(this.#y),
      loop: Int32Array.from(this.#loop),
      outer: this.#outer,
      depth: this.#depth,
      slots,
    };
  }

  emit(node: Node): void {
    switch (node.type) {
      case 'empty':
        return;
      case 'set':
        this.#add(Op.set, this.#compiler.setId(node.set));
        return;
      case 'sequence':
        for (const each of this.#way === 'test backward' ? node.items.toReversed() : node.items) {
          this.emit(each);
        }
        return;
      case 'choice':
        this.#choice(node.items);
        return;
      case 'repeat':
        this.#repeat(node);
        return;
      case 'capture':
        if (this.#way !== 'forward') {
          this.emit(node.item);
          return;
        }
        this.#add(Op.save, 2 * node.index);
        this.emit(node.item);
        this.#add(Op.save, 2 * node.index + 1);
        return;
      case 'atomic':
        this.#atomic(node.item);
        return;
      case 'assertion':
        this.#add(Op.assert, node.assertion);
        return;
      case 'look':
        this.#look(node);
    }
  }

  #add(op: number, x = 0, y = 0): number {
    this.#compiler.count();
    this.#op.push(op);
    this.#x.push(x);
    this.#y.push(y);
    this.#loop.push(this.#open.at(-1) ?? -1);
    return this.#op.length - 1;
  }

  get #next(): number {
    return this.#op.length;
  }

  #choice(items: readonly Node[]): void {
    const ends: number[] = [];
    for (const [i, each] of items.entries()) {
      const split = i < items.length - 1 ? this.#add(Op.split) : -1;
      if (split >= 0) this.#x[split] = this.#next;
      this.emit(each);
      if (split < 0) break;
      ends.push(this.#add(Op.jump));
      this.#y[split] = this.#next;
    }
    for (const end of ends) this.#x[end] = this.#next;
  }

  #atomic(item: Node): void {
    if (item.type === 'repeat' && item.item.type === 'set' && item.mode === 'greedy') {
      this.emit({ ...item, mode: 'possessive' });
      return;
    }
    if (!hasOneWay(item)) this.#compiler.refuse('atomic groups of more than one way to match');
    this.emit(item);
  }

  #look(node: Node & { type: 'look' }): void {
    const negated = node.negated ? 1 : 0;
    if (node.item.type === 'set') {
      this.#add(node.ahead ? Op.ahead : Op.behind, this.#compiler.setId(node.item.set), negated);
      return;
    }
    const look = this.#compiler.look(node, this.#way === 'forward');
    this.#add(Op.look, look, negated);
    const slot = this.#compiler.lookSlot(look);
    if (slot !== undefined) this.#add(Op.save, slot);
  }

  #repeat(node: Node & { type: 'repeat' }): void {
    const { item, min, max, mode } = node;
    if (mode === 'possessive') this.#possessive(node);
    else this.#turns(item, min, max, mode === 'lazy');
  }

  /** Turns of a loop one after the other, the last one repeated where there is no limit. */
  #turns(item: Node, min: number, max: number, lazy: boolean): void {
    const endless = max === Number.POSITIVE_INFINITY;
    const last = endless ? Math.max(min, 1) - 1 : max - 1;
    const turn = this.#turn(item, max);
    const splits: number[] = [];
    for (let i = 0; i <= last; i++) {
      let split = -1;
      if (i >= min) {
        split = this.#add(Op.split);
        this.#aim(split, this.#next, lazy);
        splits.push(split);
      }
      const start = this.#next;
      turn.emit();
      // Turns without instructions differ in nothing.
      if (this.#next === start) break;
      if (!endless || i < last) continue;
      if (split >= 0) {
        this.#add(Op.jump, split);
      } else {
        const back = this.#add(Op.split);
        this.#aim(back, start, lazy);
        splits.push(back);
      }
    }
    for (const split of splits) this.#leave(split, lazy);
    turn.leave();
  }

  /** Writes one turn of a loop; in Java one that takes nothing is the last, whatever the counts. */
  #turn(item: Node, max: number): { emit(): void; leave(): void } {
    if (max <= 1 || this.#way !== 'forward' || !isNullable(item)) {
      return { emit: () => this.emit(item), leave: () => {} };
    }
    const slot = this.#compiler.newSlot();
    this.#outer.set(slot, this.#open.at(-1) ?? -1);
    const ends: number[] = [];
    return {
      emit: () => {
        const save = this.#add(Op.save, slot);
        this.#open.push(slot);
        this.#depth = Math.max(this.#depth, this.#open.length);
        this.emit(item);
        if (this.#next === save + 1) this.#withdraw();
        else ends.push(this.#add(Op.progress, slot));
        this.#open.pop();
      },
      leave: () => {
        for (const end of ends) this.#y[end] = this.#next;
      },
    };
  }

  /** Takes the last instruction back. */
  #withdraw(): void {
    this.#op.pop();
    this.#x.pop();
    this.#y.pop();
    this.#loop.pop();
  }

  /** As many as there are, and never fewer: then the next one isn't another, or the limit is reached. */
  #possessive({ item, min, max }: Node & { type: 'repeat' }): void {
    const one = item.type === 'capture' && this.#way !== 'forward' ? item.item : item;
    const first = one.type === 'capture' ? one.item : one;
    if (min === max) {
      if (!hasOneWay(item)) this.#compiler.refuse('possessive quantifiers of more than one character');
      this.#turns(item, min, max, false);
      return;
    }
    if (first.type !== 'set') this.#compiler.refuse('possessive quantifiers of more than one character');
    const noneAhead: Node = { type: 'look', item: first, ahead: true, negated: true };
    const fewer = (most: number): Node => ({
      type: 'sequence',
      items: [{ type: 'repeat', item: one, min, max: most, mode: 'greedy' }, noneAhead],
    });
    if (max === Number.POSITIVE_INFINITY) {
      this.emit(fewer(max));
      return;
    }
    this.#choice([
      { type: 'repeat', item: one, min: max, max, mode: 'greedy' },
      max === 0 ? EMPTY : fewer(max - 1),
    ]);
  }

  /** Points a split into the loop's body. */
  #aim(split: number, body: number, lazy: boolean): void {
    (lazy ? this.#y : this.#x)[split] = body;
  }

  /** Points a split to what comes next. */
  #leave(split: number, lazy: boolean): void {
    (lazy ? this.#x : this.#y)[split] = this.#next;
  }
}
