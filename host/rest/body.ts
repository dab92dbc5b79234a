/** Bodies of requests that are JSON. */
import { ElasticsearchError, noContent, parseFailure, toElasticsearchError } from '../errors.js';
import { TooDeep } from '../json/jsonDepth.js';
import { looksLikeJson, parseLax } from '../json/laxJson.js';
import type { RestRequest } from './request.js';
import { parsedValue } from './readText.js';
import { isObject } from '../json/values.js';

const utf8 = new TextDecoder();

/** The body, or the parameter `source` that stands in for one. */
export function bodyText(request: RestRequest): string {
  if (request.read !== undefined) return request.read.text;
  if (request.body.length > 0) return utf8.decode(request.body);
  return request.query.get('source') ?? '';
}

/** The body as an object; `failed` makes the error of a body that isn't JSON. An empty one is undefined. */
export function parseBody(
  request: RestRequest,
  failed = (cause: ElasticsearchError) => cause,
): Record<string, unknown> | undefined {
  const text = bodyText(request);
  if (text === '') return undefined;
  try {
    if (!looksLikeJson(request.body.length > 0 ? request.body : new TextEncoder().encode(text)))
      throw noContent();
    const value = request.read === undefined ? parseLax(text) : parsedValue(request.read);
    if (!isObject(value)) throw noContent();
    return value;
  } catch (e) {
    throw e instanceof TooDeep ? e : failed(toElasticsearchError(e));
  }
}

/** Broken JSON where 1.7 lets the parser's own exception through, which has the status 500. */
export function javaParse(cause: ElasticsearchError): ElasticsearchError {
  if (cause.exception !== 'JsonParseException') return cause;
  return new ElasticsearchError(cause.exception, cause.detail, { status: 500 });
}

/** Broken JSON that 1.7 reads in another way than bytes: its error prints what it was read from. */
export function readFrom(source: string, cause: ElasticsearchError): ElasticsearchError {
  if (cause.exception !== 'JsonParseException' || cause.detail === null) return cause;
  const detail = cause.detail.replace(/\[Source: \[B@[0-9a-f]+;/g, () => `[Source: ${source};`);
  return new ElasticsearchError(cause.exception, detail, { status: cause.status });
}

/** Refuses a create-index body that isn't JSON. */
export function createFailed(cause: ElasticsearchError): ElasticsearchError {
  return parseFailure('failed to parse source for create index', cause);
}
