/** Errors of the interface on their way from one node to another, as JSON. What is read was sent by another node: its shape is checked. */
import { ElasticsearchError } from '../errors.js';
import { isObject } from '../json/values.js';

/** Causes within causes. */
const MOST_NESTED = 20;

export function writtenError({ exception, detail, status, nested, isLimit }: ElasticsearchError): unknown {
  return { exception, detail, status, isLimit, nested: nested && writtenError(nested) };
}

/** Throws for what is no error. */
export function readError(value: unknown, depth = 0): ElasticsearchError {
  if (!isObject(value) || depth > MOST_NESTED) throw new Error('an error of another node that is none');
  const { exception, detail, status, nested, isLimit } = value;
  if (typeof exception !== 'string' || !Number.isSafeInteger(status))
    throw new Error('an error of another node that is none');
  return new ElasticsearchError(exception, typeof detail === 'string' ? detail : null, {
    status: status as number,
    nested: nested === undefined ? undefined : readError(nested, depth + 1),
    isLimit: isLimit === true,
  });
}
