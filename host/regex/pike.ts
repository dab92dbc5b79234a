/**
 * Finds matches by going over the text once with all ways to match side by side, as Pike did: threads, the preferred ones
 * first, each with what its groups have captured so far. Of two threads in the same state only the preferred one goes
 * on, so that no position costs more than the program is long; what is found is what trying one way after the other
 * would have found. A thread's state is its instruction and, as turns of loops that took nothing end them, how many of
 * the loops around it had their turns begun at this position.
 */
import { type CompiledPattern, Op, type Program } from './program.js';
import type { Subject } from './subject.js';

/** Threads in order of preference: where they are and their slots, `slots` numbers each. */
interface Threads {
  count: number;
  readonly pcs: Int32Array;
  readonly slots: Int32Array;
}

/** What is asked of a match beside that the pattern takes it. */
export interface Demand {
  /** It must begin where the search does. */
  readonly atStart?: boolean;
  /** It must end where the text does. */
  readonly toEnd?: boolean;
}

/** Runs one program over texts. */
export class Pike {
  readonly #compiled: CompiledPattern;
  readonly #program: Program;
  readonly #slots: number;
  #current: Threads;
  #next: Threads;
  readonly #stack: Int32Array;
  /** By state, the number of the step that came by it last. */
  readonly #marks: Int32Array;
  #step = 0;
  /** What the last search has found. */
  found: Int32Array | undefined;
  /** Where a search stands that has stopped, and its steps since it last did. */
  #at = 0;
  #steps = 0;
  /** The slots of the thread that is followed. */
  readonly #own: Int32Array;
  /** By class of code point whether a match may begin with it; undefined where one may be empty. */
  readonly #first: Uint8Array | undefined;

  /** `program` is the main one of `compiled` or that of a look-around. */
  constructor(compiled: CompiledPattern, program: Program) {
    const length = program.op.length;
    this.#compiled = compiled;
    this.#program = program;
    this.#slots = compiled.main.slots;
    const threads = () => ({
      count: 0,
      pcs: new Int32Array(length),
      slots: new Int32Array(countTakers(program) * this.#slots),
    });
    this.#current = threads();
    this.#next = threads();
    // A slot that is to be restored takes two places beside the way that is taken first.
    this.#stack = new Int32Array(3 * length * (program.depth + 1) + 1);
    this.#marks = new Int32Array(length * (program.depth + 1));
    this.#own = new Int32Array(this.#slots);
    this.#first = firstClasses(compiled, program);
  }

  /** The slots of the leftmost match from `from` on, or undefined. */
  search(subject: Subject, from: number, demand: Demand): Int32Array | undefined {
    this.begin(from);
    this.#steps = 0;
    this.goOn(subject, from, demand, Number.POSITIVE_INFINITY);
    return this.found;
  }

  /** Before a search that goes on by {@link goOn}. */
  begin(from: number): void {
    this.#at = from;
    this.found = undefined;
    this.#current.count = 0;
    this.#begin();
  }

  /**
   * Goes on with a search until so many steps have been taken, those of searches before it included; whether it is through, so that
   * {@link found} is what was looked for.
   */
  goOn(subject: Subject, from: number, { atStart = false, toEnd = false }: Demand, most: number): boolean {
    const { text } = subject;
    const { alphabet } = this.#compiled;
    const { op, x } = this.#program;
    const slots = this.#slots;
    const first = this.#first;
    let { found } = this;
    for (let at = this.#at; ; ) {
      const current = this.#current;
      this.#steps += 1 + current.count;
      if (this.#steps > most) {
        this.#steps = 0;
        this.#at = at;
        this.found = found;
        return false;
      }
      let codePoint = at < text.length ? text.codePointAt(at)! : -1;
      let cls = codePoint < 0 ? -1 : alphabet.classOf(codePoint);
      if (current.count === 0) {
        if (found !== undefined || (atStart && at > from)) return this.#end(found);
        if (first !== undefined && !atStart) {
          this.#begin();
          while (cls >= 0 && first[cls] === 0) {
            at += codePoint > 0xffff ? 2 : 1;
            codePoint = at < text.length ? text.codePointAt(at)! : -1;
            cls = codePoint < 0 ? -1 : alphabet.classOf(codePoint);
            if (++this.#steps > most) {
              this.#steps = 0;
              this.#at = at;
              return false;
            }
          }
          if (cls < 0) return this.#end(undefined);
        }
      }
      const mayBegin = first === undefined || (cls >= 0 && first[cls] === 1);
      if (mayBegin && found === undefined && (!atStart || at === from)) {
        this.#own.fill(-1);
        this.#own[0] = at;
        this.#follow(subject, 0, at, current);
      }
      const width = codePoint > 0xffff ? 2 : 1;
      const next = this.#next;
      next.count = 0;
      this.#begin();
      for (let i = 0; i < current.count; i++) {
        const pc = current.pcs[i]!;
        if (op[pc] === Op.match) {
          if (toEnd && at < text.length) continue;
          found = current.slots.slice(i * slots, (i + 1) * slots);
          found[1] = at;
          // Those behind it are less preferred.
          break;
        }
        if (cls < 0 || !alphabet.has(x[pc]!, cls)) continue;
        for (let slot = 0, base = i * slots; slot < slots; slot++) {
          this.#own[slot] = current.slots[base + slot]!;
        }
        this.#follow(subject, pc + 1, at + width, next);
      }
      if (cls < 0) return this.#end(found);
      this.#current = next;
      this.#next = current;
      at += width;
    }
  }

  #end(found: Int32Array | undefined): boolean {
    this.found = found;
    return true;
  }

  #begin(): void {
    if (++this.#step === 0x7fff_ffff) {
      this.#marks.fill(0);
      this.#step = 1;
    }
  }

  /** Adds the threads that an instruction leads to without taking anything. */
  #follow(subject: Subject, start: number, at: number, threads: Threads): void {
    const { op, x, y, loop } = this.#program;
    const stack = this.#stack;
    const own = this.#own;
    const slots = this.#slots;
    const marks = this.#marks;
    const step = this.#step;
    let depth = 0;
    let steps = 0;
    stack[depth++] = start;
    while (depth > 0) {
      steps++;
      let pc = stack[--depth]!;
      if (pc < 0) {
        own[~pc] = stack[--depth]!;
        continue;
      }
      for (;;) {
        const code = op[pc]!;
        // What takes a character starts afresh: there, all loops count as if something had been taken.
        const state = loop[pc]! < 0 || code <= Op.match ? pc : pc + this.#idle(pc, at) * op.length;
        if (marks[state] === step) break;
        marks[state] = step;
        if (code === Op.set || code === Op.match) {
          threads.pcs[threads.count] = pc;
          for (let slot = 0, base = threads.count * slots; slot < slots; slot++) {
            threads.slots[base + slot] = own[slot]!;
          }
          threads.count++;
          break;
        }
        if (code === Op.jump) {
          pc = x[pc]!;
        } else if (code === Op.split) {
          stack[depth++] = y[pc]!;
          pc = x[pc]!;
        } else if (code === Op.save) {
          const slot = x[pc]!;
          stack[depth++] = own[slot]!;
          stack[depth++] = ~slot;
          own[slot] = at;
          pc++;
        } else if (code === Op.progress) {
          pc = own[x[pc]!] === at ? y[pc]! : pc + 1;
        } else if (subject.passes(this.#program, pc, at)) {
          pc++;
        } else {
          break;
        }
      }
    }
    this.#steps += steps;
  }

  /** How many of the loops around an instruction, from the inside, had their turns begun here. */
  #idle(pc: number, at: number): number {
    const { loop, outer } = this.#program;
    let count = 0;
    for (let slot = loop[pc]!; slot >= 0 && this.#own[slot] === at; slot = outer.get(slot)!) count++;
    return count;
  }
}

function countTakers({ op }: Program): number {
  return op.reduce((sum, each) => sum + (each === Op.set || each === Op.match ? 1 : 0), 0);
}

function firstClasses({ alphabet }: CompiledPattern, { op, x, y }: Program): Uint8Array | undefined {
  const first = new Uint8Array(alphabet.size);
  const met = new Uint8Array(op.length);
  const stack = [0];
  for (let pc = stack.pop(); pc !== undefined; pc = stack.pop()) {
    if (met[pc] === 1) continue;
    met[pc] = 1;
    switch (op[pc]) {
      case Op.match:
        return undefined;
      case Op.set:
        for (let cls = 0; cls < alphabet.size; cls++) if (alphabet.has(x[pc]!, cls)) first[cls] = 1;
        break;
      case Op.jump:
        stack.push(x[pc]!);
        break;
      case Op.split:
        stack.push(x[pc]!, y[pc]!);
        break;
      case Op.progress:
        stack.push(pc + 1, y[pc]!);
        break;
      default:
        stack.push(pc + 1);
    }
  }
  return first;
}
