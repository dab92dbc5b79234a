import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a process loads before all else. Time that passes isn't changed: `performance.now()` and timers go on as they were. */
const HOOK = (file: string) => `'use strict';
const { readFileSync } = require('node:fs');
const real = Date.now;
let offset = 0;
let looks = 0;
Date.now = () => {
  const now = performance.now();
  if (now >= looks) {
    looks = now + 20;
    const text = readFileSync(${JSON.stringify(file)}, 'utf8');
    if (/^-?\\d+$/.test(text)) offset = Number(text);
  }
  return real() + offset;
};
globalThis.Date = class extends Date {
  constructor(...given) {
    if (given.length === 0) super(Date.now());
    else super(...given);
  }
};
`;

/** The clock on the wall of one node's processes, which can be set while they run. */
export class NodeClock {
  readonly #file: string;
  readonly #hook: string;

  /** @param folder where its files are */
  constructor(folder: string, name: string) {
    this.#file = join(folder, `${name}.offset`);
    this.#hook = join(folder, `${name}.cjs`);
    this.set(0);
    writeFileSync(this.#hook, HOOK(this.#file));
  }

  /** Flags of Node that a process with this clock is started with. */
  get flags(): readonly string[] {
    return ['--require', this.#hook];
  }

  /** Has the clock go so many milliseconds before the machine's. */
  set(offsetMs: number): void {
    writeFileSync(this.#file, String(Math.round(offsetMs)));
  }
}
