/** The client of a repository in S3, of a package that is loaded for the first of them. */
import type * as Sdk from '@aws-sdk/client-s3';
import { sha256 } from '../../snapshot/sha256.js';
import type { S3Settings } from './s3Settings.js';

/** The package; whoever has no repository in S3 needn't have it. */
export const S3_PACKAGE = '@aws-sdk/client-s3';

/** How long is waited. */
export interface S3Patience {
  /** Milliseconds until there is a connection. */
  connectMs: number;
  /** Milliseconds in which nothing comes and nothing is taken. */
  idleMs: number;
  /** Milliseconds from one try to the second; twice as long to the third, and so on. */
  backoffMs: number;
}

export const PATIENCE: S3Patience = { connectMs: 10_000, idleMs: 60_000, backoffMs: 200 };

/** What blobs need of the package. */
export interface S3Client {
  sdk: typeof Sdk;
  client: Sdk.S3Client;
}

/** Loads the package; rejects with how it is installed where it is missing. */
export async function loadSdk(): Promise<typeof Sdk> {
  try {
    return await import('@aws-sdk/client-s3');
  } catch (cause) {
    const { message } = cause as Error;
    const problem =
      (cause as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' && message.includes(S3_PACKAGE)
        ? `repositories of type s3 need the package ${S3_PACKAGE}: npm install ${S3_PACKAGE}`
        : `the package ${S3_PACKAGE} can't be loaded: ${message}`;
    throw new Error(problem, { cause });
  }
}

/** A client by the settings of a repository. */
export function openClient(sdk: typeof Sdk, settings: S3Settings, patience: S3Patience): S3Client {
  const { endpoint, region, pathStyle, credentials, retries } = settings;
  // Otherwise it writes lines of its own into the log where a later version of it will not run in this Node any more.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const client = new sdk.S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    forcePathStyle: pathStyle,
    maxAttempts: retries + 1,
    retryMode: 'standard',
    // Servers besides Amazon's know no other checksums than those of the signature.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: patience.connectMs,
      socketTimeout: patience.idleMs,
      requestTimeout: patience.idleMs,
      throwOnRequestTimeout: true,
    },
  });
  // The checksums that are signed are computed beside this thread: the package would do it in it.
  client.middlewareStack.add(
    (next) => async (args) => {
      const { body, headers } = args.request as { body: unknown; headers: Record<string, string> };
      if (body instanceof Uint8Array) headers['x-amz-content-sha256'] = await sha256(body);
      return next(args);
    },
    { step: 'build', name: 'signedBodies' },
  );
  return { sdk, client };
}
