/** What took longer than an index's settings want to hear of: 1.7's slow logs of queries, fetches and documents. */
import { parseTime } from '../time/durations.js';
import { jsonText, parseJson } from '../json/jsonText.js';
import type { FlatSettings } from './indexSettings.js';

/** From loud to quiet. */
export const SLOW_LEVELS = ['warn', 'info', 'debug', 'trace'] as const;
export type SlowLevel = (typeof SLOW_LEVELS)[number];

/** What was slow. */
export type SlowKind = 'query' | 'fetch' | 'index';

/** One line of a slow log. */
export interface SlowEntry {
  kind: SlowKind;
  level: SlowLevel;
  index: string;
  shard: number;
  /** Milliseconds. */
  took: number;
  /** The body of the search, or the document; cut. */
  source: string;
  /** Of a search: what it is limited to and counted under, how it is carried out, what it found. */
  types?: readonly string[];
  groups?: readonly string[];
  searchType?: string;
  total?: number;
  totalShards?: number;
  /** Of a document. */
  type?: string;
  id?: string;
  routing?: string | undefined;
}

/** Takes the lines. */
export type SlowLog = (entry: SlowEntry) => void;

/** Characters of a source, unless `index.indexing.slowlog.source` says otherwise of documents. */
const SHOWN = 1000;

/** Thresholds in milliseconds, by level in their order; Infinity where there is none. */
type Thresholds = Record<SlowKind, readonly number[]>;

const PREFIXES: Record<SlowKind, string> = {
  query: 'index.search.slowlog.threshold.query.',
  fetch: 'index.search.slowlog.threshold.fetch.',
  index: 'index.indexing.slowlog.threshold.index.',
};
const LEVELS: Record<SlowKind, string> = {
  query: 'index.search.slowlog.level',
  fetch: 'index.search.slowlog.level',
  index: 'index.indexing.slowlog.level',
};
const known = new WeakMap<FlatSettings, Thresholds>();

/** The loudest level whose threshold a time has passed; undefined for what is fast enough. */
export function slowLevel(settings: FlatSettings, kind: SlowKind, ms: number): SlowLevel | undefined {
  const thresholds = thresholdsOf(settings)[kind];
  for (let at = 0; at < thresholds.length; at++) if (ms > thresholds[at]!) return SLOW_LEVELS[at];
  return undefined;
}

/** A source as it is shown: on one line unless the index doesn't want that, and cut. */
export function slowSource(settings: FlatSettings, kind: SlowKind, text: string): string {
  const log = kind === 'index' ? 'index.indexing.slowlog' : 'index.search.slowlog';
  const most = kind === 'index' ? shownOf(settings[`${log}.source`]) : SHOWN;
  return (settings[`${log}.reformat`] === 'false' ? text : onOneLine(text)).slice(0, most);
}

/** Characters by the setting: a number, all or none. */
function shownOf(setting: string | undefined): number {
  if (setting === 'true') return Number.POSITIVE_INFINITY;
  if (setting === 'false') return 0;
  const given = Number(setting ?? SHOWN);
  return given >= 0 ? given : SHOWN;
}

function onOneLine(text: string): string {
  try {
    return jsonText(parseJson(text));
  } catch {
    return text;
  }
}

function thresholdsOf(settings: FlatSettings): Thresholds {
  let found = known.get(settings);
  if (found === undefined) {
    found = {
      query: read(settings, 'query'),
      fetch: read(settings, 'fetch'),
      index: read(settings, 'index'),
    };
    known.set(settings, found);
  }
  return found;
}

function read(settings: FlatSettings, kind: SlowKind): number[] {
  // Levels quieter than this are not logged.
  const quietest = SLOW_LEVELS.indexOf((settings[LEVELS[kind]] ?? 'trace').toLowerCase() as SlowLevel);
  return SLOW_LEVELS.map((level, i) => {
    const text = settings[PREFIXES[kind] + level];
    if (text === undefined || (quietest >= 0 && i > quietest)) return Number.POSITIVE_INFINITY;
    try {
      const ms = parseTime(text);
      return ms < 0 ? Number.POSITIVE_INFINITY : ms;
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  });
}
