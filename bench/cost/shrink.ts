/** Smaller requests that fail as well. */
import type { CostRequest, Json, JsonObject } from './request.js';

/** Tries the smaller ones, the boldest first, for so many milliseconds; the smallest for which `fails` holds. */
export async function shrunk(
  request: CostRequest,
  fails: (request: CostRequest) => Promise<boolean>,
  ms: number,
): Promise<CostRequest> {
  const end = performance.now() + ms;
  let best = request;
  for (let found = true; found && performance.now() < end; ) {
    found = false;
    for (const less of lesser(best)) {
      if (performance.now() > end) break;
      if (!(await fails(less))) continue;
      best = less;
      found = true;
      break;
    }
  }
  return best;
}

function* lesser(request: CostRequest): Generator<CostRequest> {
  const { body, lines, text, path, written } = request;
  if (written !== undefined) {
    const { written: _, ...plain } = request;
    yield plain;
  }
  if (lines !== undefined) {
    for (const less of fewer(lines)) yield { ...request, lines: less };
  }
  if (text !== undefined) for (const less of shorter(text)) yield { ...request, text: less };
  if (body !== undefined) for (const less of smaller(body)) yield { ...request, body: less };
  const mark = path.indexOf('?');
  if (mark >= 0) yield { ...request, path: path.slice(0, mark) };
  if (path.length > 200) yield { ...request, path: path.slice(0, path.length >> 1) };
}

/** Without one half, one quarter ... one of them. */
function* fewer<T>(list: readonly T[]): Generator<T[]> {
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    // Of many, a few places say as much as all.
    const step = Math.max(size, Math.ceil(list.length / 16));
    for (let at = 0; at < list.length; at += step) yield list.toSpliced(at, size);
  }
}

function* shorter(text: string): Generator<string> {
  if (text.length < 20) return;
  const half = text.length >> 1;
  yield text.slice(0, half);
  yield text.slice(half);
  yield text.slice(0, half >> 1) + text.slice(-(half >> 1));
}

/** Values a step smaller, those of which more is left out first. */
function* smaller(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    yield* fewer(value);
    for (const [i, each] of value.slice(0, 40).entries())
      for (const less of smaller(each)) yield value.with(i, less);
  } else if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    for (const few of fewer(keys)) yield pick(value, few);
    // A part in place of the whole.
    for (const each of Object.values(value)) if (isObject(each)) yield each;
    for (const key of keys.slice(0, 40))
      for (const less of smaller(value[key]!)) yield { ...value, [key]: less };
  } else if (typeof value === 'string') yield* shorter(value);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pick(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, value[key]!]));
}
