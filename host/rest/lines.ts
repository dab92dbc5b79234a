/** Bodies of requests that are lines: headers and what belongs to them. */
import { type ElasticsearchError, noContent, parseFailure } from '../errors.js';
import { formatOf } from '../formats/format.js';

import { javaText } from '../json/values.js';

const LINE_FEED = 10;

/** The lines of a body; one ahead of everything that is empty is skipped, a last one without a line feed too, as in 1.7. */
export function bodyLines(body: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let from = body[0] === LINE_FEED ? 1 : 0;
  for (let end = body.indexOf(LINE_FEED, from); end >= 0; end = body.indexOf(LINE_FEED, from)) {
    lines.push(body.subarray(from, end));
    from = end + 1;
  }
  return lines;
}

/** 400: a body that is no lines of JSON. */
export function notLines(body: Uint8Array): ElasticsearchError {
  const format = formatOf(body, true);
  return format === 'cbor' || format === 'yaml'
    ? parseFailure(`${format} does not support stream parsing...`)
    : noContent();
}

/** A value of a header as the parameter it stands for has it; a list's values between commas. */
export function headerText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value.map(String).join(',') : javaText(value);
}
