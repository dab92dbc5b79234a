/** The log: lines of JSON on stderr, by pino. */
import { destination, type Logger, pino } from 'pino';
import type { SlowEntry } from '../index/slowlog.js';

export type { Logger };

/** From quiet to loud; `debug` tells of every answer. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A log on stderr. */
export function openLog(level: LogLevel): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    destination({ fd: 2, sync: true }),
  );
}

/** Writes the lines of 1.7's slow logs under their names. They have levels of their own, and are written whatever the log's is. */
export function slowLogOf(log: Logger): (entry: SlowEntry) => void {
  const search = log.child({}, { level: 'trace' });
  return ({ kind, level, took, ...rest }) => {
    const logger = kind === 'index' ? 'index.indexing.slowlog.index' : `index.search.slowlog.${kind}`;
    search[level]({ logger, took_millis: Math.round(took * 10) / 10, ...rest }, 'slow');
  };
}
