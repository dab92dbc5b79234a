/**
 * The buckets that a server's operator lets repositories be in: a request must not make the server send anything to an address of its
 * own choice, nor with the server's credentials into another bucket.
 *
 *     s3://BUCKET/PREFIX                   in Amazon's S3
 *     https://HOST[:PORT]/BUCKET/PREFIX    in a server that speaks its interface; http:// without TLS
 */

/** A bucket that repositories may be in, below a prefix. */
export interface AllowedBucket {
  /** Undefined for Amazon's. */
  endpoint: string | undefined;
  bucket: string;
  /** Empty for all of the bucket; without slashes at its ends. */
  prefix: string;
}

/** What an allowed bucket is written as, for messages. */
export const ALLOWED_FORMS = 's3://BUCKET/PREFIX or https://HOST/BUCKET/PREFIX';

/** Reads one; undefined where the text is none. */
export function parseAllowedBucket(text: string): AllowedBucket | undefined {
  const match = /^(s3|https?):\/\/([^/?#]+)(\/[^?#]*)?$/.exec(text);
  if (match === null) return undefined;
  const [, scheme, host, path = ''] = match;
  const parts = pathParts(path);
  if (parts === undefined) return undefined;
  if (scheme === 's3')
    return isBucketName(host!) ? { endpoint: undefined, bucket: host!, prefix: parts.join('/') } : undefined;
  const endpoint = originOf(`${scheme}://${host}`);
  const [bucket, ...prefix] = parts;
  if (endpoint === undefined || bucket === undefined || !isBucketName(bucket)) return undefined;
  return { endpoint, bucket, prefix: prefix.join('/') };
}

/** The origin of an endpoint; undefined where it has more than that, or is none. */
export function originOf(endpoint: string): string | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const { protocol, origin, pathname, search, hash, username, password } = new URL(endpoint);
  const more = `${pathname === '/' ? '' : pathname}${search}${hash}${username}${password}`;
  return /^https?:$/.test(protocol) && more === '' ? origin : undefined;
}

/** The parts of a path in a bucket between its slashes; undefined where one would lead elsewhere. */
export function pathParts(path: string): string[] | undefined {
  const inner = path.replace(/^\/|\/$/g, '');
  if (inner === '') return [];
  const parts = inner.split('/');
  return parts.every((part) => /^[^\p{C}\\]+$/u.test(part) && !/^\.{1,2}$/.test(part)) ? parts : undefined;
}

/** A name that can't be taken for anything else, such as the ARN of an access point, which leads elsewhere. */
export function isBucketName(name: string): boolean {
  return /^[a-z0-9][\w.-]{1,253}[a-z0-9]$/i.test(name);
}

/** Whether a path is that of the prefix, or below it. */
export function isBelow(path: string, prefix: string): boolean {
  return prefix === '' || path === prefix || path.startsWith(`${prefix}/`);
}
