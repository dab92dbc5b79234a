/** Answers in the shape that a request asks for: keys in camel case, human-readable values of stats. */
import { oneDigit, sizeText } from '../settings/sizes.js';
import { isJsonObject, type Json, Raw } from './json.js';
import { putOwn } from '../ownNames.js';

/** `timed_out` becomes `timedOut`, `_shards` becomes `Shards`. */
export function camelCase(value: Json): Json {
  if (Array.isArray(value)) return value.map(camelCase);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [
    each instanceof Raw ? key : key.replace(/_+(.)/g, (_, letter: string) => letter.toUpperCase()),
    each === undefined ? undefined : camelCase(each),
  ]);
  return Object.fromEntries(entries);
}

/** Sizes and times with a readable twin before them: `size` for `size_in_bytes`, `time` for `time_in_millis`. */
export function withReadableValues(value: Json): Json {
  if (Array.isArray(value)) return value.map(withReadableValues);
  if (!isJsonObject(value)) return value;
  const out: Record<string, Json> = {};
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue;
    const match = /^(.+)_in_(bytes|millis)$/.exec(key);
    // What has the name already is its own twin, or says with undefined that there is none.
    if (match !== null && typeof each === 'number' && !Object.hasOwn(value, match[1]!))
      out[match[1]!] =
        match[2] === 'bytes' ? sizeText(each) : INSTANTS.has(match[1]!) ? dateText(each) : timeText(each);
    putOwn(out, key, withReadableValues(each));
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
