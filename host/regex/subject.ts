/** A text to be searched, with what a pattern wants to know of its positions. */
import { Positions, previous } from './assertions.js';
import { type CompiledPattern, type Look, Op, type Program } from './program.js';
import type { Assertion } from './tree.js';
import { atOnce, type Turns } from '../workLimit.js';

/** Steps that are taken at a time: about 0.1 ms. */
const STEPS_AT_ONCE = 4096;

/** The bits of the positions where a look-around holds. */
type Bits = Uint32Array;

/**
 * Look-arounds are found out for all positions at once, at the first that is asked for: their automata run once over the
 * text, started anew at every position, and where one accepts, its look-around holds. A look-behind's runs forward; a
 * look-ahead's is reversed and runs backward.
 */
export class Subject {
  readonly text: string;
  readonly #compiled: CompiledPattern;
  readonly #positions: Positions;
  readonly #looks: (Bits | undefined)[];

  constructor(text: string, compiled: CompiledPattern) {
    this.text = text;
    this.#compiled = compiled;
    this.#positions = new Positions(text);
    this.#looks = new Array(compiled.looks.length);
  }

  /** Says where the match before ended, or where the first search begins. */
  continueFrom(at: number): void {
    this.#positions.searchStart = at;
  }

  /** Whether a program may go on behind an instruction that tests the position. */
  passes(program: Program, pc: number, at: number): boolean {
    const x = program.x[pc]!;
    const negated = program.y[pc] === 1;
    switch (program.op[pc]) {
      case Op.assert:
        return this.#positions.holds(x as Assertion, at);
      case Op.ahead:
        return this.#isIn(x, at) !== negated;
      case Op.behind:
        return (at > 0 && this.#isIn(x, previous(this.text, at))) !== negated;
      default: {
        const bits = this.#bits(x);
        return ((bits[at >>> 5]! >>> (at & 31)) & 1) === (negated ? 0 : 1);
      }
    }
  }

  /** Finds out about all look-arounds. */
  *lookInTurns(): Turns<void> {
    // Those within others come before them.
    for (let i = 0; i < this.#looks.length; i++)
      this.#looks[i] ??= yield* this.#run(this.#compiled.looks[i]!);
  }

  #isIn(set: number, at: number): boolean {
    if (at >= this.text.length) return false;
    const { alphabet } = this.#compiled;
    return alphabet.has(set, alphabet.classOf(this.text.codePointAt(at)!));
  }

  #bits(look: number): Bits {
    this.#looks[look] ??= atOnce(this.#run(this.#compiled.looks[look]!));
    return this.#looks[look]!;
  }

  *#run({ ahead, program }: Look): Turns<Bits> {
    const { text } = this;
    const { alphabet } = this.#compiled;
    const bits = new Uint32Array((text.length >>> 5) + 1);
    const { op, x, y } = program;
    const stack = new Int32Array(op.length + 1);
    // By instruction, the number of the step that came by it last.
    const marks = new Int32Array(op.length);
    let step = 0;
    let current = new Int32Array(op.length);
    let next = new Int32Array(op.length);
    let count = 0;
    const follow = (start: number, at: number, to: Int32Array, length: number): number => {
      let depth = 0;
      stack[depth++] = start;
      while (depth > 0) {
        const pc = stack[--depth]!;
        if (marks[pc] === step) continue;
        marks[pc] = step;
        switch (op[pc]) {
          case Op.set:
            to[length++] = pc;
            break;
          case Op.match:
            bits[at >>> 5]! |= 1 << (at & 31);
            break;
          case Op.jump:
            stack[depth++] = x[pc]!;
            break;
          case Op.split:
            stack[depth++] = y[pc]!;
            stack[depth++] = x[pc]!;
            break;
          default:
            if (this.passes(program, pc, at)) stack[depth++] = pc + 1;
        }
      }
      return length;
    };
    let steps = 0;
    const end = ahead ? 0 : text.length;
    let at = ahead ? text.length : 0;
    step++;
    count = follow(0, at, current, 0);
    while (at !== end) {
      const from = ahead ? previous(text, at) : at;
      const codePoint = text.codePointAt(from)!;
      const cls = alphabet.classOf(codePoint);
      at = ahead ? from : at + (codePoint > 0xffff ? 2 : 1);
      step++;
      steps += 1 + op.length;
      if (steps >= STEPS_AT_ONCE) {
        steps = 0;
        yield;
      }
      let length = 0;
      for (let i = 0; i < count; i++) {
        const pc = current[i]!;
        if (alphabet.has(x[pc]!, cls)) length = follow(pc + 1, at, next, length);
      }
      count = follow(0, at, next, length);
      [current, next] = [next, current];
    }
    return bits;
  }
}
