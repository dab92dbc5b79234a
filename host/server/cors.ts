/** Cross-origin requests of browsers, as 1.7's `http.cors.*` settings allow them; off unless they are given. */

/** The settings; what is left out has 1.7's default. */
export interface CorsOptions {
  /** `*`, an origin, or a regular expression between slashes that the whole origin must match. */
  allowOrigin?: string;
  allowMethods?: string;
  allowHeaders?: string;
  /** Seconds that a browser may keep the answer to OPTIONS. */
  maxAge?: number;
  allowCredentials?: boolean;
}

/** What the request's headers say. */
export interface CorsRequest {
  method: string;
  origin: string | undefined;
  userAgent: string | undefined;
}

/** Headers that pages may send. */
export const DEFAULT_HEADERS = 'X-Requested-With, Content-Type, Content-Length';

/** Makes the headers of answers. */
export function corsHeaders(options: CorsOptions): (request: CorsRequest) => Record<string, string> {
  const {
    allowOrigin = '*',
    allowMethods = 'OPTIONS, HEAD, GET, POST, PUT, DELETE',
    allowHeaders = DEFAULT_HEADERS,
    maxAge = 1_728_000,
    allowCredentials = false,
  } = options;
  // The operator's own pattern: whoever sends requests has no say in it.
  const pattern = /^\/(.+)\/$/.exec(allowOrigin)?.[1];
  const allowed = pattern === undefined ? undefined : new RegExp(`^(?:${pattern})$`);
  return ({ method, origin, userAgent }) => {
    // Only browsers are told.
    if (!userAgent?.startsWith('Mozilla')) return {};
    const headers: Record<string, string> = {};
    if (origin !== undefined) {
      headers['access-control-allow-origin'] =
        allowed === undefined ? allowOrigin : allowed.test(origin) ? origin : 'null';
    }
    if (method === 'OPTIONS') {
      headers['access-control-max-age'] = String(maxAge);
      headers['access-control-allow-methods'] = allowMethods;
      headers['access-control-allow-headers'] = allowHeaders;
    }
    if (allowCredentials) headers['access-control-allow-credentials'] = 'true';
    return headers;
  };
}
