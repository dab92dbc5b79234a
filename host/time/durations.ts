/** Durations as requests and mappings write them: `30s`, `1.5h`, or plain milliseconds. */

import { ElasticsearchError, numberFormat } from '../errors.js';

/** Milliseconds of the units in which durations are written, in lower case. */
export const TIME_UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** A duration in milliseconds: `1s`, `500ms`, `1.5h`, or plain milliseconds. */
export function parseTime(text: string): number {
  const match = /^\s*(-?\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)?$/i.exec(text);
  if (match === null) {
    const unit = /(?:ms|[smhdw])$/i.exec(text)?.[0];
    const number = unit === undefined ? text : text.slice(0, -unit.length);
    const cause =
      number === '' && unit !== undefined
        ? new ElasticsearchError('NumberFormatException', 'empty String', { status: 400 })
        : numberFormat(number);
    throw new ElasticsearchError('ElasticsearchParseException', `Failed to parse [${text}]`, {
      nested: cause,
    });
  }
  return Math.trunc(Number(match[1]) * TIME_UNITS[match[2]?.toLowerCase() ?? 'ms']!);
}
