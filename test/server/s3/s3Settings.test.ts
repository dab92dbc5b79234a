import { describe, expect, it } from 'vitest';
import { parseAllowedBucket } from '../../../host/server/s3/allowedBuckets.js';
import { readS3Settings } from '../../../host/server/s3/s3Settings.js';
import type { FlatSettings } from '../../../host/settings/indexSettings.js';

const ALLOWED = [
  's3://backups/search',
  'https://minio.example.org:9000/backups',
  'http://10.0.0.7/other/a/b',
].map((text) => parseAllowedBucket(text)!);
const read = (settings: FlatSettings, env = {}) => readS3Settings(settings, ALLOWED, env);

describe('buckets that are allowed', () => {
  it('are read', () => {
    expect(ALLOWED).toEqual([
      { endpoint: undefined, bucket: 'backups', prefix: 'search' },
      { endpoint: 'https://minio.example.org:9000', bucket: 'backups', prefix: '' },
      { endpoint: 'http://10.0.0.7', bucket: 'other', prefix: 'a/b' },
    ]);
    expect(parseAllowedBucket('s3://backups')).toEqual({
      endpoint: undefined,
      bucket: 'backups',
      prefix: '',
    });
  });

  it.each([
    '',
    'backups',
    's3:backups',
    's3://',
    's3://a',
    's3://arn:aws:s3:us-west-2:123456789012:accesspoint/test',
    's3://backups/../other',
    's3://backups//x',
    's3://backups?x',
    'https://minio.example.org',
    'https://minio.example.org/',
    'https://user:secret@minio.example.org/backups',
    'https://minio.example.org/backups#x',
    'ftp://minio.example.org/backups',
    'file:///backups',
  ])('are not %s', (text) => {
    expect(parseAllowedBucket(text)).toBeUndefined();
  });
});

describe('settings of a repository in S3', () => {
  it('have defaults', () => {
    expect(read({ bucket: 'backups' })).toEqual({
      bucket: 'backups',
      prefix: 'search/',
      endpoint: undefined,
      region: 'us-east-1',
      pathStyle: false,
      credentials: undefined,
      partBytes: 8 * 1024 * 1024,
      encrypted: false,
      retries: 3,
    });
  });

  it('are those of the plugin', () => {
    const settings = {
      bucket: 'other',
      endpoint: '10.0.0.7',
      protocol: 'http',
      base_path: 'a/b/c',
      region: 'eu-west-1',
      access_key: 'k',
      secret_key: 's',
      buffer_size: '6mb',
      max_retries: '5',
      server_side_encryption: 'true',
      path_style_access: 'false',
      chunk_size: '100m',
      compress: 'true',
      readonly: 'true',
    };
    expect(read(settings)).toEqual({
      bucket: 'other',
      prefix: 'a/b/c/',
      endpoint: 'http://10.0.0.7',
      region: 'eu-west-1',
      pathStyle: false,
      credentials: { accessKeyId: 'k', secretAccessKey: 's' },
      partBytes: 6 * 1024 * 1024,
      encrypted: true,
      retries: 5,
    });
  });

  it.each([
    ['the environment', {}, { AWS_REGION: 'eu-north-1' }, 'eu-north-1'],
    ['the endpoint', { endpoint: 's3-eu-west-2.amazonaws.com' }, { AWS_REGION: 'eu-north-1' }, 'eu-west-2'],
    ['the endpoint of a region', { endpoint: 'https://s3.eu-west-2.amazonaws.com/' }, {}, 'eu-west-2'],
    ['the setting', { region: 'us-west-2', endpoint: 's3.amazonaws.com' }, { AWS_REGION: 'x' }, 'us-west-2'],
  ])('have a region from %s', (_name, settings, env, region) => {
    expect(read({ bucket: 'backups', ...settings }, env)).toMatchObject({ region, endpoint: undefined });
  });

  it.each([
    [{}, 'No bucket defined for s3 gateway'],
    [{ bucket: 'backups', buckett: 'x' }, 'unknown setting [buckett], is [bucket] meant?'],
    [{ bucket: 'backups', cannon: 'x' }, 'unknown setting [cannon]'],
    [{ bucket: 'arn:aws:s3:us-west-2:123456789012:accesspoint/test' }, 'is no name of a bucket'],
    [{ bucket: 'backups', buffer_size: '4mb' }, 'Detected a buffer_size for the S3 storage lower than [5mb]'],
    [{ bucket: 'backups', buffer_size: '6gb' }, 'buffer_size [6gb] must be a size from 5mb to 5gb'],
    [{ bucket: 'backups', max_retries: '11' }, 'max_retries [11] must be a number from 0 to 10'],
    [{ bucket: 'backups', max_retries: '-1' }, 'max_retries [-1] must be a number from 0 to 10'],
    [{ bucket: 'backups', path_style_access: 'maybe' }, 'path_style_access [maybe] must be true or false'],
    [{ bucket: 'backups', access_key: 'k' }, 'access_key and secret_key go together'],
    [{ bucket: 'backups', region: 'evil.example/' }, 'region [evil.example/] is no name of a region'],
    [
      { bucket: 'backups', protocol: 'http' },
      "protocol [http] isn't that of the buckets specified by repo-s3",
    ],
    [{ bucket: 'backups', endpoint: 'a b' }, 'endpoint [a b] is no host, with or without a port'],
    [{ bucket: 'backups', endpoint: 'https://user:x@minio.example.org:9000' }, 'is no host'],
    [{ bucket: 'backups', base_path: 'search/../x' }, 'base_path [search/../x] is no path in a bucket'],
  ])('are refused where they are wrong: %j', (settings, problem) => {
    expect(() => read(settings as FlatSettings)).toThrow(problem);
  });

  it.each([
    { bucket: 'another' },
    { bucket: 'backups', endpoint: 'evil.example.org', base_path: 'search' },
    { bucket: 'backups', endpoint: 's3.amazonaws.com', base_path: 'searches' },
    { bucket: 'backups', endpoint: 's3.amazonaws.com', base_path: '' },
    { bucket: 'backups', endpoint: 'https://minio.example.org:9001' },
    { bucket: 'backups', endpoint: 'http://minio.example.org:9000' },
    { bucket: 'other', base_path: 'a' },
    { bucket: 'other', base_path: 'a/bc' },
    { bucket: 'other', endpoint: '10.0.0.7' },
  ])('lead nowhere that is not allowed: %j', (settings) => {
    expect(() => read(settings as unknown as FlatSettings)).toThrow(
      /^bucket \[.*\] doesn't match any of the buckets specified by repo-s3/,
    );
  });
});
