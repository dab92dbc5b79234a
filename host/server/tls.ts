/** The certificate that a server shows, and its key: files in PEM. */
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';

/** Where they are; the file of the certificate may hold those of its issuers behind it. */
export interface TlsFiles {
  cert: string;
  key: string;
}

/** What is wrong with the files, in words for whoever keeps them. */
export class TlsFilesError extends Error {
  override readonly name = 'TlsFilesError';
}

/** Reads a certificate and its key; refuses what no connection could be made with. */
export function readTls({ cert, key }: TlsFiles): SecureContextOptions {
  const options: SecureContextOptions = { cert: read(cert), key: read(key), minVersion: 'TLSv1.2' };
  try {
    createSecureContext(options);
  } catch (e) {
    throw new TlsFilesError(
      `the certificate ${cert} and the key ${key} can't be used: ${(e as Error).message}`,
    );
  }
  return options;
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (e) {
    throw new TlsFilesError(`${file} can't be read: ${(e as Error).message}`);
  }
}
