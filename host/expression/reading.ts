/** Texts of expressions, and what is said of those that are none. */
import { ElasticsearchError } from '../errors.js';
import type { Expression } from './operations.js';
import { parseExpression } from './syntax.js';
import { ExpressionError } from './tokens.js';

/** 400: an expression that can't be compiled. */
export function compilation(detail: string, nested?: ElasticsearchError): ElasticsearchError {
  return new ElasticsearchError('ExpressionScriptCompilationException', detail, { status: 400, nested });
}

/** Reads an expression, or says why it is none. */
export function readExpression(text: string): Expression {
  try {
    return parseExpression(text);
  } catch (thrown) {
    if (!(thrown instanceof ExpressionError)) throw thrown;
    const cause = new ElasticsearchError(thrown.exception, thrown.message, { status: 400 });
    if (thrown.exception !== 'ParseException') throw cause;
    throw compilation(`Failed to parse expression: ${text}`, cause);
  }
}
