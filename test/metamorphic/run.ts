/** Asks random requests of all layouts of random worlds, and compares the answers. */
import { type Answer, Built } from './built.js';
import { LAYOUTS, type Layout, REFERENCE } from './layouts.js';
import type { Request } from './request.js';
import { makeRequest } from './requests.js';
import { areEqual, changesMapping, isCompared } from './rules.js';
import { makeWorld, type World } from './world.js';

/** Requests of one world. */
export const REQUESTS = 100;
/** Every so manieth world is large. */
const LARGE = 100;

export interface Difference {
  seed: number;
  world: World;
  layout: Layout;
  request: Request;
  expected: Answer;
  actual: Answer;
}

export interface Outcome {
  requests: number;
  comparisons: number;
  /** Requests that were answered with an error everywhere. */
  refused: number;
  /** At most one of a seed. */
  differences: Difference[];
}

export interface RunOptions {
  module: WebAssembly.Module;
  from: number;
  seeds: number;
  /** No large worlds. */
  small?: boolean;
  /** Called after every world; the run ends when it says so. */
  progress?: (outcome: Outcome, seed: number) => boolean | Promise<boolean>;
}

/** The world in which a seed's request is asked. */
export function worldOf(seed: number, small = false): World {
  const number = Math.floor(seed / REQUESTS);
  return makeWorld(number, !small && number % LARGE === LARGE - 1);
}

/** The answers to a request in the reference and another layout, if they differ. */
export async function difference(
  request: Request,
  reference: Built,
  other: Built,
  layout: Layout,
): Promise<{ expected: Answer; actual: Answer } | undefined> {
  const expected = await reference.ask(request);
  const actual = await otherAnswer(request, expected, other, layout);
  return actual && { expected, actual };
}

/** The answer of a layout, if it isn't the expected one. */
async function otherAnswer(
  request: Request,
  expected: Answer,
  built: Built,
  layout: Layout,
): Promise<Answer | undefined> {
  for (let times = request.twice === true ? 2 : 1; times > 0; times--) {
    const actual = await built.ask(request);
    if (!areEqual(request, layout, expected, actual)) return actual;
  }
  return undefined;
}

/** Asks the requests of `seeds` seeds. */
export async function run({ module, from, seeds, small, progress }: RunOptions): Promise<Outcome> {
  const outcome: Outcome = { requests: 0, comparisons: 0, refused: 0, differences: [] };
  for (let seed = from; seed < from + seeds; ) {
    const world = worldOf(seed, small);
    const reference = await Built.build(module, world, REFERENCE);
    const others: Built[] = [];
    for (const layout of LAYOUTS) others.push(await Built.build(module, world, layout));
    const end = Math.min(from + seeds, (Math.floor(seed / REQUESTS) + 1) * REQUESTS);
    for (; seed < end; seed++) await askAll(outcome, seed, world, reference, others);
    for (const each of [reference, ...others]) await each.close();
    if (progress !== undefined && (await progress(outcome, seed))) break;
  }
  return outcome;
}

async function askAll(
  outcome: Outcome,
  seed: number,
  world: World,
  reference: Built,
  others: readonly Built[],
): Promise<void> {
  const request = makeRequest(seed);
  const expected = await reference.ask(request);
  outcome.requests++;
  if (expected.status >= 400) outcome.refused++;
  for (const [i, layout] of LAYOUTS.entries()) {
    if (!isCompared(request, layout)) {
      // A percolated document joins the mapping, and the mapping decides on what comes later.
      if (changesMapping(request)) await others[i]!.ask(request);
      continue;
    }
    outcome.comparisons++;
    const actual = await otherAnswer(request, expected, others[i]!, layout);
    if (actual === undefined) continue;
    outcome.differences.push({ seed, world, layout, request, expected, actual });
    return;
  }
}
