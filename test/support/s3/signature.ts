/** Checks the signature of a request to S3 (AWS Signature Version 4, in the header Authorization). */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** What is wrong with a request, as S3 names it; undefined where nothing is. @param keys secrets by their names */
export function signatureProblem(
  { method, url = '', headers }: IncomingMessage,
  body: Uint8Array,
  keys: Readonly<Record<string, string>>,
): string | undefined {
  const { authorization = '', 'x-amz-date': date, 'x-amz-content-sha256': payload } = headers;
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    );
  if (match === null) return 'AccessDenied';
  const [, key, day, region, signed, signature] = match;
  const secret = keys[key!];
  if (secret === undefined) return 'InvalidAccessKeyId';
  if (payload !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const [path, query = ''] = url.split('?');
  const sorted =
    query === ''
      ? ''
      : query
          .split('&')
          .map((each) => (each.includes('=') ? each : `${each}=`))
          .sort()
          .join('&');
  const lines = signed!.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, path, sorted, lines.join(''), signed, payload].join('\n');
  const text = ['AWS4-HMAC-SHA256', date, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join('\n');
  const signing = hmac(hmac(hmac(hmac(`AWS4${secret}`, day!), region!), 's3'), 'aws4_request');
  return hmac(signing, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}
