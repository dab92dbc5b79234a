/** What is said of patterns that can't be used. */
import { ElasticsearchError, illegalArgument } from '../errors.js';

/** Java's PatternSyntaxException: what is wrong, at which index (none where negative), the pattern, a mark below it. */
export function syntaxError(pattern: string, what: string, index: number): ElasticsearchError {
  const place = index < 0 ? '' : ` near index ${index}`;
  const mark = index >= 0 && index < pattern.length ? `\n${' '.repeat(index)}^` : '';
  return new ElasticsearchError('PatternSyntaxException', `${what}${place}\n${pattern}${mark}`, {
    status: 400,
  });
}

/** A pattern of Java that can't be matched in linear time, or not by this engine; `what` is what it needs. */
export function unsupported(pattern: string, what: string): ElasticsearchError {
  return illegalArgument(`the pattern [${pattern}] needs ${what}, which is not supported`);
}

/** A pattern that would take too much of the memory or of the time. */
export function tooLarge(pattern: string, why: string): ElasticsearchError {
  const shown = pattern.length > 200 ? `${pattern.slice(0, 200)}...` : pattern;
  return illegalArgument(`the pattern [${shown}] is too large: ${why}`);
}
