import { expect, it } from 'vitest';
import { parseAllowedBucket } from '../../../host/server/s3/allowedBuckets.js';
import { S3Blobs } from '../../../host/server/s3/s3Blobs.js';
import { loadSdk, openClient, PATIENCE } from '../../../host/server/s3/s3Client.js';
import { readS3Settings } from '../../../host/server/s3/s3Settings.js';
import type { FlatSettings } from '../../../host/settings/indexSettings.js';

interface Sent {
  protocol: string;
  hostname: string;
  path: string;
  headers: Record<string, string>;
}

/** What would be sent for a blob, which isn't. */
async function sent(allowed: string, settings: FlatSettings): Promise<Sent> {
  const keys = { access_key: 'k', secret_key: 's' };
  const read = readS3Settings({ ...keys, ...settings }, [parseAllowedBucket(allowed)!], {});
  const s3 = openClient(await loadSdk(), read, PATIENCE);
  let seen: Sent | undefined;
  s3.client.middlewareStack.add(
    () => async (args) => {
      seen = args.request as Sent;
      throw new Error('not sent');
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  await new S3Blobs(s3, read, PATIENCE).put('a', new Uint8Array(3)).catch(() => {});
  return seen!;
}

it('Amazon is asked at the address of the region, with https', async () => {
  const { protocol, hostname, path, headers } = await sent('s3://backups/search', {
    bucket: 'backups',
    region: 'eu-west-1',
  });
  expect([protocol, hostname, path]).toEqual(['https:', 'backups.s3.eu-west-1.amazonaws.com', '/search/a']);
  expect(headers).not.toHaveProperty('x-amz-server-side-encryption');
});

it('buckets are in the path or in the name of the host, as they are to be', async () => {
  const bucket = 'backups';
  expect(await sent('s3://backups', { bucket, path_style_access: 'true' })).toMatchObject({
    hostname: expect.stringMatching(/^s3\.(us-east-1\.)?amazonaws\.com$/),
    path: '/backups/a',
  });
  const other = 'https://minio.example.org:9000/backups';
  expect(await sent(other, { bucket })).toMatchObject({ hostname: 'minio.example.org', path: '/backups/a' });
  expect(await sent(other, { bucket, path_style_access: 'false' })).toMatchObject({
    hostname: 'backups.minio.example.org',
    path: '/a',
  });
});

it('encryption is asked for, and the checksum is that of the bytes', async () => {
  const { headers } = await sent('s3://backups', { bucket: 'backups', server_side_encryption: 'true' });
  expect(headers).toMatchObject({
    'x-amz-server-side-encryption': 'AES256',
    'x-amz-content-sha256': '709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c',
  });
});
