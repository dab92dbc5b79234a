/** The settings of a repository in S3, as the plugin cloud-aws of 1.7 has them. */
import type { FlatSettings } from '../../settings/indexSettings.js';
import { parseSize } from '../../settings/sizes.js';
import { nearestName } from '../nearestName.js';
import { type AllowedBucket, isBelow, isBucketName, originOf, pathParts } from './allowedBuckets.js';

/** Where a repository is, and how it is spoken to. */
export interface S3Settings {
  bucket: string;
  /** Before the names of blobs; empty, or with a slash at its end. */
  prefix: string;
  /** Undefined for Amazon's. */
  endpoint: string | undefined;
  region: string;
  pathStyle: boolean;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | undefined;
  /** Bytes of a part of a multipart upload, and of the longest blob that is put with one request. */
  partBytes: number;
  encrypted: boolean;
  retries: number;
}

const MB = 1024 * 1024;
/** S3 takes no smaller parts but the last, */
const LEAST_PART = 5 * MB;
/** and no larger ones. */
const MOST_PART = 5 * 1024 * MB;
const PART = 8 * MB;
const RETRIES = 3;
const MOST_RETRIES = 10;
const REGION = 'us-east-1';

/** Settings that are taken, and change nothing: what is stored has no chunks, is packed anyway, and goes as fast as it can. */
const WITHOUT_EFFECT = [
  'chunk_size',
  'compress',
  'concurrent_streams',
  'max_restore_bytes_per_sec',
  'max_snapshot_bytes_per_sec',
];
const KNOWN = [
  'access_key',
  'base_path',
  'bucket',
  'buffer_size',
  'endpoint',
  'max_retries',
  'path_style_access',
  'protocol',
  'readonly',
  'region',
  'secret_key',
  'server_side_encryption',
  'session_token',
  ...WITHOUT_EFFECT,
];

/** What is wrong with the settings of a repository. */
export class UnfitSettings extends Error {}

/**
 * Reads settings; throws {@link UnfitSettings} where they are wrong, or lead to where nothing is allowed.
 * @param env the variables that the SDK has its region from, too
 */
export function readS3Settings(
  settings: Readonly<FlatSettings>,
  allowed: readonly AllowedBucket[],
  env: Readonly<Record<string, string | undefined>>,
): S3Settings {
  for (const name of Object.keys(settings)) if (!KNOWN.includes(name)) throw unknown(name);
  const { bucket } = settings;
  if (bucket === undefined) throw new UnfitSettings('No bucket defined for s3 gateway');
  if (!isBucketName(bucket)) throw new UnfitSettings(`bucket [${bucket}] is no name of a bucket`);
  const given = endpointOf(settings);
  const place = placeOf(bucket, given, settings.base_path, allowed);
  checkProtocol(settings.protocol, place.endpoint ?? 'https:');
  const region = settings.region ?? given?.region ?? env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? REGION;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(region))
    throw new UnfitSettings(`region [${region}] is no name of a region`);
  return {
    bucket,
    prefix: place.path === '' ? '' : `${place.path}/`,
    endpoint: place.endpoint,
    region,
    pathStyle: flag(settings, 'path_style_access', place.endpoint !== undefined),
    credentials: credentialsOf(settings),
    partBytes: size(settings, 'buffer_size', PART, LEAST_PART, MOST_PART),
    encrypted: flag(settings, 'server_side_encryption', false),
    retries: whole(settings, 'max_retries', RETRIES, MOST_RETRIES),
  };
}

/** An endpoint that was asked for: Amazon's has a region, perhaps, another one an origin. */
interface GivenEndpoint {
  origin?: string;
  region?: string | undefined;
}

function endpointOf({ endpoint, protocol = 'https' }: Readonly<FlatSettings>): GivenEndpoint | undefined {
  if (endpoint === undefined) return undefined;
  const amazon = /^(?:https:\/\/)?s3(?:[.-]([a-z0-9-]+))?\.amazonaws\.com(?:\.cn)?\/?$/.exec(endpoint);
  if (amazon !== null) return { region: amazon[1] };
  const origin = originOf(/^https?:\/\//.test(endpoint) ? endpoint : `${protocol}://${endpoint}`);
  if (origin === undefined)
    throw new UnfitSettings(`endpoint [${endpoint}] is no host, with or without a port`);
  return { origin };
}

function checkProtocol(protocol: string | undefined, endpoint: string): void {
  if (protocol !== undefined && !endpoint.startsWith(`${protocol}:`))
    throw new UnfitSettings(`protocol [${protocol}] isn't that of the buckets specified by repo-s3`);
}

/** The path in the bucket, where the operator allows it. Without a path it is the allowed prefix. */
function placeOf(
  bucket: string,
  given: GivenEndpoint | undefined,
  basePath: string | undefined,
  allowed: readonly AllowedBucket[],
): { endpoint: string | undefined; path: string } {
  const parts = pathParts(basePath ?? '');
  if (parts === undefined) throw new UnfitSettings(`base_path [${basePath}] is no path in a bucket`);
  for (const { endpoint, bucket: own, prefix } of allowed) {
    if (own !== bucket || (given !== undefined && given.origin !== endpoint)) continue;
    const path = basePath === undefined ? prefix : parts.join('/');
    if (isBelow(path, prefix)) return { endpoint, path };
  }
  const at = given?.origin === undefined ? '' : ` at [${given.origin}]`;
  const below = basePath === undefined ? '' : ` with the base_path [${basePath}]`;
  throw new UnfitSettings(
    `bucket [${bucket}]${below}${at} doesn't match any of the buckets specified by repo-s3, with which the server was started`,
  );
}

function credentialsOf(settings: Readonly<FlatSettings>): S3Settings['credentials'] {
  const { access_key: accessKeyId, secret_key: secretAccessKey, session_token: sessionToken } = settings;
  if (accessKeyId === undefined && secretAccessKey === undefined && sessionToken === undefined)
    return undefined;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new UnfitSettings('access_key and secret_key go together');
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

function flag(settings: Readonly<FlatSettings>, name: string, otherwise: boolean): boolean {
  const value = settings[name];
  if (value === undefined) return otherwise;
  if (value !== 'true' && value !== 'false')
    throw new UnfitSettings(`${name} [${value}] must be true or false`);
  return value === 'true';
}

function size(
  settings: Readonly<FlatSettings>,
  name: string,
  otherwise: number,
  least: number,
  most: number,
): number {
  const value = settings[name];
  if (value === undefined) return otherwise;
  const bytes = value.includes('%') ? undefined : parseSize(value, 0);
  if (bytes !== undefined && bytes < least)
    throw new UnfitSettings(`Detected a ${name} for the S3 storage lower than [5mb]`);
  if (bytes === undefined || bytes > most)
    throw new UnfitSettings(`${name} [${value}] must be a size from 5mb to 5gb`);
  return bytes;
}

function whole(settings: Readonly<FlatSettings>, name: string, otherwise: number, most: number): number {
  const value = settings[name];
  if (value === undefined) return otherwise;
  if (!/^\d{1,4}$/.test(value) || Number(value) > most)
    throw new UnfitSettings(`${name} [${value}] must be a number from 0 to ${most}`);
  return Number(value);
}

function unknown(name: string): UnfitSettings {
  const nearest = nearestName(name, KNOWN);
  return new UnfitSettings(
    `unknown setting [${name}]${nearest === undefined ? '' : `, is [${nearest}] meant?`}`,
  );
}
