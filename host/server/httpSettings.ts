/** What users, TLS and the address bring to how HTTP is spoken. */
import { hostname } from 'node:os';
import { isLoopback, type ServerAccess } from './access/serverAccess.js';
import { DEFAULT_HEADERS } from './cors.js';
import type { HttpOptions } from './http.js';
import type { HttpSettings } from './options.js';

/** The settings that a server is started with, completed. @param host where it listens */
export function httpOptions(
  settings: HttpSettings = {},
  { guarded, tls }: ServerAccess,
  host: string,
): HttpOptions {
  const { cors } = settings;
  return {
    ...settings,
    hosts: [...namesOf(host), ...(settings.hosts ?? [])],
    ...(tls === undefined ? {} : { tls }),
    // Pages of other origins send credentials of their own.
    ...(!guarded || cors === undefined
      ? {}
      : { cors: { allowHeaders: `${DEFAULT_HEADERS}, Authorization`, ...cors } }),
  };
}

/** Names for where a server listens: the one given, and the machine's where others reach it. */
function namesOf(host: string): string[] {
  return isLoopback(host) ? [host] : [host, hostname()];
}
