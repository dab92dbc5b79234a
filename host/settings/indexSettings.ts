/** An index's settings: normalised to `index.*` strings as 1.7 does, and the few of them that the engine acts on. */
import {
  ElasticsearchError,
  illegalArgument,
  indexCreationFailed,
  numberFormat,
  validationFailed,
} from '../errors.js';
import { parseTime } from '../time/durations.js';
import { isCompound } from '../json/values.js';
import { putOwn } from '../ownNames.js';
import { type IsDue, longPart } from '../passes.js';
import { atOnce, type Turns } from '../workLimit.js';

/** Flat settings, every key with its `index.` in front, every value a string. */
export type FlatSettings = Record<string, string>;

/** What the engine acts on. */
export interface IndexSettings {
  shards: number;
  replicas: number;
  /** Milliseconds; -1: only when asked. */
  refreshInterval: number;
  /** Writes may be acknowledged so many milliseconds before they are durable; without it they are durable. */
  syncWithin?: number;
  /** Versions of deletions count for so many milliseconds; without it for {@link GC_DELETES_MS}. */
  gcDeletes?: number;
  flat: FlatSettings;
}

/** How long versions of deletions count, in milliseconds. */
export const GC_DELETES_MS = 60_000;

const MAX_SHARDS = 1024;
const LEAST_SYNC_MS = 100;

/** What putting a setting into an object of very many costs, in steps of a long part. */
const PUT_STEPS = 10;

/** Settings of whatever form, flat; every key begins with the prefix. A long part (passes.ts), since a list of words may have a million. */
export function flatSettings(given: unknown, prefix = 'index.'): FlatSettings {
  if (!isCompound(given)) return atOnce(flattened(given, prefix, () => false));
  return longPart(given, `flat ${prefix}`, (isDue) => flattened(given, prefix, isDue));
}

function* flattened(given: unknown, prefix: string, isDue: IsDue): Turns<FlatSettings> {
  const flat: FlatSettings = {};
  yield* flatten(given, '', flat, prefix, isDue);
  return flat;
}

/** There is one node. */
const DATA_NODES = 1;

/**
 * What the engine acts on, from the settings that a new index is made with. They are kept, and get the numbers of shards and replicas:
 * a copy of 100,000 of them takes as long as everything else that is done with them.
 */
export function readSettings(index: string, flat: FlatSettings): IndexSettings {
  const shards = int(flat, 'index.number_of_shards', 5);
  const given = int(flat, 'index.number_of_replicas', 1);
  const replicas = expandedReplicas(flat['index.auto_expand_replicas'], DATA_NODES) ?? given;
  if (shards < 1) throw refused(index, 'index must have 1 or more primary shards');
  if (replicas < 0) throw refused(index, 'index must have 0 or more replica shards');
  if (shards > MAX_SHARDS) {
    throw indexCreationFailed(index, illegalArgument(`more than ${MAX_SHARDS} shards are not offered`));
  }
  const late = flat['index.translog.durability']?.toLowerCase() === 'async';
  const syncWithin = Math.max(LEAST_SYNC_MS, parseTime(flat['index.translog.sync_interval'] ?? '5s'));
  const refreshInterval = parseTime(flat['index.refresh_interval'] ?? '1s');
  const gcDeletes = flat['index.gc_deletes'];
  flat['index.number_of_shards'] = String(shards);
  flat['index.number_of_replicas'] = String(replicas);
  return {
    shards,
    replicas,
    refreshInterval,
    ...(gcDeletes === undefined ? {} : { gcDeletes: parseTime(gcDeletes) }),
    ...(late ? { syncWithin } : {}),
    flat,
  };
}

/**
 * Replicas by the setting `index.auto_expand_replicas`, such as `0-1` or `1-all`: one for each node besides the first, within the range. Undefined
 * where it is off or no range, and where the range has nothing for so few nodes: `1-all`, `2-all`. The number stays what it is then.
 */
export function expandedReplicas(range: string | undefined, dataNodes: number): number | undefined {
  const match = /^\+?(\d{1,10})-(?:all|([+-]?\d{1,10}))$/.exec(range ?? '');
  if (match === null) return undefined;
  const others = dataNodes - 1;
  const least = Number(match[1]);
  const most = match[2] === undefined ? others : Number(match[2]);
  const replicas = others < least ? least : Math.min(others, most);
  return replicas >= least && replicas <= most ? replicas : undefined;
}

function refused(index: string, problem: string): ElasticsearchError {
  const cause = new ElasticsearchError(
    'ElasticsearchIllegalArgumentException',
    validationFailed(problem).detail,
  );
  return indexCreationFailed(index, cause);
}

function* flatten(
  value: unknown,
  path: string,
  into: FlatSettings,
  prefix: string,
  isDue: IsDue,
): Turns<void> {
  if (value === null || value === undefined) return;
  if (isDue(PUT_STEPS)) yield;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) yield* flatten(value[i], `${path}.${i}`, into, prefix, isDue);
    return;
  }
  if (isCompound(value)) {
    for (const [key, each] of Object.entries(value))
      yield* flatten(each, path === '' ? key : `${path}.${key}`, into, prefix, isDue);
    return;
  }
  if (path === '')
    throw new ElasticsearchError('ClassCastException', 'settings must be an object', { status: 500 });
  putOwn(into, path.startsWith(prefix) ? path : `${prefix}${path}`, String(value));
}

function int(flat: FlatSettings, key: string, otherwise: number): number {
  const text = flat[key];
  if (text === undefined) return otherwise;
  if (!/^[+-]?\d{1,10}$/.test(text)) {
    const options = { status: 500, nested: numberFormat(text) };
    throw new ElasticsearchError(
      'SettingsException',
      `Failed to parse int setting [${key}] with value [${text}]`,
      options,
    );
  }
  return Number(text);
}

/**
 * Settings as answers show them: strings nested by their dots, lists where all keys are numbers; flat if wanted.
 * @param head shown before the others, unless they say otherwise
 */
export function renderSettings(
  flat: FlatSettings,
  flatWanted = false,
  head: FlatSettings = {},
): Record<string, unknown> {
  if (flatWanted) return { ...head, ...flat };
  return longPart(flat, `nested ${JSON.stringify(head)}`, function* (isDue) {
    // Without a prototype: keys are whatever a request named them.
    const out: Record<string, unknown> = Object.create(null);
    yield* nest(head, out, isDue);
    yield* nest(flat, out, isDue);
    return (yield* listsOf(out, 0, isDue)) as Record<string, unknown>;
  });
}

/** Puts settings into objects within one another, by the dots in their keys. */
function* nest(flat: FlatSettings, out: Record<string, unknown>, isDue: IsDue): Turns<void> {
  // Long lists have one key after the other in the same object.
  let prefix = '';
  let within = out;
  for (const key of Object.keys(flat)) {
    if (isDue(PUT_STEPS)) yield;
    const value = flat[key]!;
    if (prefix !== '' && key.startsWith(prefix) && key.indexOf('.', prefix.length) < 0) {
      within[key.slice(prefix.length)] = value;
      continue;
    }
    const parts = key.split('.');
    let at = out;
    for (const part of parts.slice(0, -1)) {
      const next = at[part];
      if (typeof next === 'object' && next !== null) at = next as Record<string, unknown>;
      else {
        const made: Record<string, unknown> = Object.create(null);
        at[part] = made;
        at = made;
      }
    }
    at[parts.at(-1)!] = value;
    within = at;
    prefix = key.slice(0, key.lastIndexOf('.') + 1);
  }
}

const MAX_DEPTH = 100;

/** Objects whose keys are 0, 1, 2 … become lists. */
function* listsOf(value: unknown, depth: number, isDue: IsDue): Turns<unknown> {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record);
  if (isDue(keys.length)) yield;
  let isList = keys.length > 0;
  for (let i = 0; i < keys.length; i++) {
    const each = record[keys[i]!];
    if (typeof each === 'object') record[keys[i]!] = yield* listsOf(each, depth + 1, isDue);
    isList &&= record[i] !== undefined;
  }
  if (!isList) return record;
  const list: unknown[] = [];
  for (let i = 0; i < keys.length; i++) {
    if (isDue()) yield;
    list.push(record[i]);
  }
  return list;
}
