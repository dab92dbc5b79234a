/** How many tokens one analysis gives. */
import { type ElasticsearchError, illegalArgument, ofLimit } from '../errors.js';

/** Bytes of encoded tokens, as the core bounds them too. */
export const MAX_TOKEN_BYTES: number = 64 * 1024 * 1024;

/** 400: a text that comes to more. */
export function tooManyTokens(): ElasticsearchError {
  return ofLimit(
    illegalArgument('the text comes to more than 64 MB of tokens, which is more than one analysis gives'),
  );
}
