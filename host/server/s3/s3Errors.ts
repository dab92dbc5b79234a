/** What went wrong in S3, in words for whoever made the repository. */
import type { S3Settings } from './s3Settings.js';

/** What the package throws: an answer of S3, or what kept it from coming. */
interface SdkError extends Error {
  code?: string;
  Code?: string;
  Region?: string;
  $metadata?: { httpStatusCode?: number; attempts?: number };
  $response?: { headers?: Record<string, string> };
}

const UNREACHABLE = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'TimeoutError',
]);
const WRONG_KEYS = new Set(['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken']);
const NO_KEYS =
  'there are no credentials: neither access_key and secret_key nor any in the environment of the server';

/** The name of an error: of S3's answer, or of the system. */
export function nameOf(e: unknown): string {
  const { name, Code, code } = e as SdkError;
  return code ?? Code ?? name;
}

/** The status of S3's answer; undefined where none came. */
export function statusOf(e: unknown): number | undefined {
  return (e as SdkError).$metadata?.httpStatusCode;
}

/** The error of a blob. @param doing what was tried, such as `read [data-1]` */
export function s3Error(e: unknown, doing: string, { bucket, endpoint, region }: S3Settings): Error {
  const error = e as SdkError;
  const name = nameOf(e);
  const status = statusOf(e);
  const where = endpoint ?? `Amazon S3 in ${region}`;
  const tell = (problem: string) => new Error(`can't ${doing}: ${problem}`, { cause: e });
  if (error.name === 'AbortError') return tell('given up');
  if (error.name === 'CredentialsProviderError') return tell(`${NO_KEYS} (${error.message})`);
  if (name === 'NoSuchBucket') return tell(`there is no bucket [${bucket}] at ${where}`);
  const other = error.$response?.headers?.['x-amz-bucket-region'] ?? error.Region;
  if (
    status === 301 ||
    status === 307 ||
    name === 'AuthorizationHeaderMalformed' ||
    (other ?? region) !== region
  )
    return tell(`bucket [${bucket}] is in ${other ?? 'another region'}, not in ${region}: set region`);
  if (WRONG_KEYS.has(name))
    return tell(`${where} doesn't accept the credentials: ${error.message} (${name})`);
  if (status === 403)
    return tell(`${where} doesn't allow it with these credentials in the bucket [${bucket}] (${name})`);
  const { attempts } = error.$metadata ?? {};
  const tried = (attempts ?? 1) > 1 ? `, tried ${attempts} times` : '';
  if (UNREACHABLE.has(name) || UNREACHABLE.has(error.name))
    return tell(`${where} can't be reached or doesn't answer in time (${name}: ${error.message})${tried}`);
  if (status !== undefined) return tell(`${where} answered ${status}, ${name}: ${error.message}${tried}`);
  return tell(`the connection to ${where} failed: ${error.message || name}${tried}`);
}
