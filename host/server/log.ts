/** The log on stderr, by pino: text for people on a terminal, lines of JSON elsewhere. */
import { destination, type Logger, pino } from 'pino';
import { oneDigit } from '../settings/sizes.js';
import type { SlowEntry } from '../settings/slowlog.js';
import { logText } from './logText.js';

export type { Logger };

/** From quiet to loud; `debug` tells of every answer. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** For people; for programs. */
export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/**
 * A log on stderr.
 * @param format by whether stderr is a terminal where it isn't given
 * @param node the name of a node of a cluster, which each line has then
 */
export function openLog(level: LogLevel, format: LogFormat = ownFormat(), node?: string): Logger {
  const stderr = destination({ fd: 2, sync: true });
  // It knows of NO_COLOR and FORCE_COLOR.
  const colours = process.stderr.isTTY === true && process.stderr.hasColors();
  return pino(
    {
      level,
      base: node === undefined ? null : { node },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (severity, number) => ({ level: number, severity }) },
    },
    format === 'json' ? stderr : { write: (line) => void stderr.write(logText(line, colours)) },
  );
}

function ownFormat(): LogFormat {
  return process.stderr.isTTY === true ? 'text' : 'json';
}

/**
 * Writes the lines of 1.7's slow logs under their names, `msg` being what stands in 1.7's files. They have levels of their own, and
 * are written whatever the log's is.
 */
export function slowLogOf(log: Logger): (entry: SlowEntry) => void {
  const search = log.child({}, { level: 'trace' });
  return (entry) => {
    const { kind, level, took, groups, ...rest } = entry;
    const logger = kind === 'index' ? 'index.indexing.slowlog.index' : `index.search.slowlog.${kind}`;
    const stats = groups === undefined ? {} : { stats: groups };
    search[level]({ logger, took_millis: Math.round(took * 10) / 10, ...rest, ...stats }, slowText(entry));
  };
}

/** A line of 1.7's slow log, without its time, level and name. */
export function slowText({ kind, index, shard, took, source, ...rest }: SlowEntry): string {
  const head = `[${index}][${shard}] took[${tookText(took)}], took_millis[${Math.floor(took)}], `;
  if (kind === 'index') {
    const { type, id, routing = '' } = rest;
    return `${head}type[${type}], id[${id}], routing[${routing}], source[${source}]`;
  }
  const { types = [], groups = [], searchType, totalShards } = rest;
  return `${head}types[${types}], stats[${groups}], search_type[${searchType}], total_shards[${totalShards}], source[${source}], extra_source[], `;
}

const UNITS: readonly (readonly [unit: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
  ['micros', 0.001],
];

/** `1.2ms`, `340.5micros`. */
export function tookText(ms: number): string {
  const [unit, size] = UNITS.find((each) => ms >= each[1]) ?? UNITS.at(-1)!;
  return `${oneDigit(ms / size)}${unit}`;
}
