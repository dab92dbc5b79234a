/**
 * Why scripts that change documents never run: languages that could do so are disabled, as in 1.7 unless it is told
 * otherwise, and expressions cannot.
 */
import { ElasticsearchError, illegalArgument } from '../errors.js';
import { readExpression } from './reading.js';

/** Where the text of a script comes from. */
export type ScriptKind = 'inline' | 'indexed' | 'file';

const LANGUAGES = new Set(['groovy', 'expression', 'mustache', 'native']);

/**
 * What 1.7 says of a script.
 *
 * @param name its text, id or file
 * @param operation what it is for
 */
export function scriptDisabled(
  kind: ScriptKind,
  name: string,
  lang: string,
  operation: 'search' | 'aggs' | 'update' | 'mapping',
): ElasticsearchError {
  if (!LANGUAGES.has(lang)) return illegalArgument(`script_lang not supported [${lang}]`);
  if (kind === 'file') return illegalArgument(`Unable to find on disk script ${name}`);
  if (lang === 'expression' && kind === 'inline') return expressionRefused(name);
  const detail = `scripts of type [${kind}], operation [${operation}] and lang [${lang}] are disabled`;
  return new ElasticsearchError('ScriptException', detail, { status: 400 });
}

/** Expressions may run, but change nothing. */
function expressionRefused(text: string): ElasticsearchError {
  try {
    readExpression(text);
  } catch (thrown) {
    if (thrown instanceof ElasticsearchError) return thrown;
    throw thrown;
  }
  return new ElasticsearchError('UnsupportedOperationException', 'Cannot use expressions for updates', {
    status: 500,
  });
}
