/** Finds a smaller world and a smaller request that still differ. */
import { Built } from './built.js';
import type { Json, JsonObject } from './json.js';
import { REFERENCE } from './layouts.js';
import type { Request } from './request.js';
import { isCompared } from './rules.js';
import { type Difference, difference } from './run.js';
import type { Doc, World } from './world.js';

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values a step smaller than a value: without one of its parts, a part in place of the whole, or a part made smaller. */
export function* smaller(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) yield value.toSpliced(i, 1);
    if (value.length === 1) yield value[0]!;
    for (const [i, each] of value.entries()) for (const less of smaller(each)) yield value.with(i, less);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const { [key]: _, ...rest } = value;
      yield rest;
    }
    yield* within(value, 3);
    for (const [key, each] of Object.entries(value))
      for (const less of smaller(each)) yield { ...value, [key]: less };
  } else if (typeof value === 'string' && /\s/.test(value)) {
    const words = value.split(/\s+/);
    for (let i = 0; i < words.length; i++) yield words.toSpliced(i, 1).join(' ');
  }
}

/** Objects inside an object. */
function* within(value: Json, depth: number): Generator<Json> {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  for (const each of Object.values(value)) {
    if (isObject(each)) yield each;
    yield* within(each, depth - 1);
  }
}

/** Lists with fewer elements: without the half, a quarter ... one of them. */
function* fewer<T>(items: readonly T[]): Generator<T[]> {
  for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < items.length; at += size) yield items.toSpliced(at, size);
}

/** Documents with less in them. */
function* plainer(docs: readonly Doc[]): Generator<Doc[]> {
  for (const [i, doc] of docs.entries())
    if (Object.keys(doc.source).length > 0) yield docs.with(i, { ...doc, source: {} });
  for (const [i, doc] of docs.entries())
    for (const key of ['source', 'earlier'] as const)
      for (const source of smaller(doc[key]))
        if (isObject(source)) yield docs.with(i, { ...doc, [key]: source });
}

/** Searches for a smallest failure for at most so many milliseconds. */
export async function shrink(
  module: WebAssembly.Module,
  found: Difference,
  ms = 30_000,
): Promise<Difference> {
  const end = performance.now() + ms;
  let best = found;
  const { layout } = found;

  const pairOf = async (world: World) =>
    [await Built.build(module, world, REFERENCE), await Built.build(module, world, layout)] as const;
  const tryPair = async (world: World, request: Request, pair: readonly [Built, Built]) => {
    if (!isCompared(request, layout)) return false;
    const differing = await difference(request, ...pair, layout);
    if (differing !== undefined) best = { ...best, world, request, ...differing };
    return differing !== undefined;
  };
  const tryWorld = async (world: World) => {
    try {
      const pair = await pairOf(world);
      const differs = await tryPair(world, best.request, pair);
      for (const each of pair) await each.close();
      return differs;
    } catch {
      // Not every mapping without one of its parts is one.
      return false;
    }
  };
  /** Takes the first candidate that differs, and looks for smaller ones of that, until there is none. */
  const descend = async <T>(candidates: () => Generator<T>, attempt: (candidate: T) => Promise<boolean>) => {
    let any = false;
    for (let again = true; again; ) {
      again = false;
      for (const candidate of candidates()) {
        if (performance.now() > end) return any;
        if (!(await attempt(candidate))) continue;
        any = true;
        again = true;
        break;
      }
    }
    return any;
  };
  const requests = async () => {
    const { world } = best;
    const pair = await pairOf(world);
    const requestsOf = function* (): Generator<Request> {
      const { request } = best;
      if (request.body !== undefined) for (const body of smaller(request.body)) yield { ...request, body };
      if (request.lines !== undefined)
        for (const lines of smaller(request.lines)) yield { ...request, lines: lines as Json[] };
    };
    const any = await descend(requestsOf, (request) => tryPair(world, request, pair));
    for (const each of pair) await each.close();
    return any;
  };
  const worlds = (make: (world: World) => Generator<World>) => descend(() => make(best.world), tryWorld);

  for (let more = true; more && performance.now() < end; ) {
    more = await requests();
    more =
      (await worlds(function* (world) {
        for (const docs of fewer(world.docs)) yield { ...world, docs };
        for (const extras of fewer(world.extras)) yield { ...world, extras };
      })) || more;
    more =
      (await worlds(function* (world) {
        if (Object.keys(world.mappings).length > 0) yield { ...world, mappings: {} };
        for (const mappings of smaller(world.mappings)) if (isObject(mappings)) yield { ...world, mappings };
        for (const docs of plainer(world.docs)) yield { ...world, docs };
        for (const extras of plainer(world.extras)) yield { ...world, extras };
      })) || more;
  }
  return best;
}
