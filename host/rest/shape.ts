/** Answers in the shape that a request asks for: only some of their keys, keys in camel case, readable twins of figures. */
import { oneDigit, sizeText } from '../mapping/sizes.js';
import { wildcard } from '../index/names.js';
import { Float, type Json, Raw } from './json.js';
import { RawNumber } from '../mapping/values.js';

type JsonObject = { readonly [key: string]: Json | undefined };

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Raw) &&
  !(value instanceof RawNumber) &&
  !(value instanceof Float);

/** A part of a path: a test of a key, or any number of keys. */
type Step = ((key: string) => boolean) | '**';

/** Keeps what one of the paths leads to: `a.b,c.*,**.d`; lists are looked through, sources are kept whole or not at all. */
export function filterPath(value: Json, paths: string): Json {
  const parsed = paths
    .split(',')
    .filter((path) => path !== '')
    .map((path) => path.split(/(?<!\\)\./).map(stepOf));
  return parsed.length === 0 ? value : (filtered(value, parsed) ?? {});
}

function stepOf(part: string): Step {
  return part === '**' ? '**' : wildcard(part.replaceAll('\\.', '.'));
}

/** What is left of a value; undefined if that is nothing. */
function filtered(value: Json, paths: readonly (readonly Step[])[]): Json | undefined {
  if (Array.isArray(value)) {
    const kept = value.flatMap((each: Json) => filtered(each, paths) ?? []);
    return kept.length === 0 ? undefined : kept;
  }
  if (!isObject(value)) return undefined;
  const out: Record<string, Json> = {};
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue;
    const further = paths.flatMap((path) => follow(path, key));
    const kept = further.some((path) => path.length === 0) ? each : filtered(each, further);
    if (kept !== undefined) out[key] = kept;
  }
  return Object.keys(out).length === 0 ? undefined : out;
}

/** What is left of a path behind a key: nothing where it ends there, no path where it doesn't lead there. */
function follow(path: readonly Step[], key: string): (readonly Step[])[] {
  const [first, ...rest] = path;
  if (first === undefined) return [];
  if (first === '**') return [path, ...(rest.length === 0 ? [[]] : follow(rest, key))];
  return first(key) ? [rest] : [];
}

/** `timed_out` becomes `timedOut`, `_shards` becomes `Shards`. */
export function camelCase(value: Json): Json {
  if (Array.isArray(value)) return value.map(camelCase);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [
    each instanceof Raw ? key : key.replace(/_+(.)/g, (_, letter: string) => letter.toUpperCase()),
    each === undefined ? undefined : camelCase(each),
  ]);
  return Object.fromEntries(entries);
}

/** Sizes and times with a readable twin before them: `size` for `size_in_bytes`, `time` for `time_in_millis`. */
export function withTwins(value: Json): Json {
  if (Array.isArray(value)) return value.map(withTwins);
  if (!isObject(value)) return value;
  const out: Record<string, Json> = {};
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue;
    const match = /^(.+)_in_(bytes|millis)$/.exec(key);
    // What has the name already is its own twin, or says with undefined that there is none.
    if (match !== null && typeof each === 'number' && !Object.hasOwn(value, match[1]!))
      out[match[1]!] =
        match[2] === 'bytes' ? sizeText(each) : INSTANTS.has(match[1]!) ? dateText(each) : timeText(each);
    out[key] = withTwins(each);
  }
  return out;
}

/** Milliseconds of these are counted from 1970. */
const INSTANTS: ReadonlySet<string> = new Set(['start_time', 'stop_time']);

function dateText(ms: number): string {
  return new Date(ms).toISOString();
}

const TIMES: readonly [unit: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];

/** `0s`, `12ms`, `1.5m`. */
export function timeText(ms: number): string {
  if (ms === 0) return '0s';
  const [unit, size] = TIMES.find((time) => Math.abs(ms) >= time[1]) ?? TIMES.at(-1)!;
  return `${oneDigit(ms / size)}${unit}`;
}
