/**
 * Requests of web pages. Those of other origins are refused unless 1.7's `http.cors.*` settings allow them: a browser sends simple
 * requests before it asks, and only hides their answers.
 */

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
/** Longer origins are refused before the operator's pattern sees them. */
const MAX_ORIGIN = 300;

/** Which origins may ask, and what browsers are told. */
export class Cors {
  readonly #options: Required<CorsOptions> | undefined;
  readonly #allows: (origin: string) => boolean;

  /** @param options no page of another origin may ask anything without */
  constructor(options: CorsOptions | undefined) {
    if (options === undefined) {
      this.#allows = () => false;
      return;
    }
    const { allowOrigin = '*' } = options;
    this.#options = {
      allowOrigin,
      allowMethods: options.allowMethods ?? 'OPTIONS, HEAD, GET, POST, PUT, DELETE',
      allowHeaders: options.allowHeaders ?? DEFAULT_HEADERS,
      maxAge: options.maxAge ?? 1_728_000,
      allowCredentials: options.allowCredentials ?? false,
    };
    // The operator's own pattern: whoever sends requests has no say in it.
    const pattern = /^\/(.+)\/$/.exec(allowOrigin)?.[1];
    const whole = pattern === undefined ? undefined : new RegExp(`^(?:${pattern})$`);
    this.#allows = (origin) =>
      origin.length <= MAX_ORIGIN && (whole?.test(origin) ?? (allowOrigin === '*' || allowOrigin === origin));
  }

  /**
   * Whether a request may be answered: it comes from no page, from one of this server's own origin, or from an allowed one.
   * @param host the `Host` header
   */
  admits(origin: string | undefined, host: string | undefined): boolean {
    return origin === undefined || this.#allows(origin) || isOwn(origin, host);
  }

  /** Headers of an answer; only browsers are told. An origin that is not allowed gets none. */
  headers({ method, origin, userAgent }: CorsRequest): Record<string, string> {
    const options = this.#options;
    if (options === undefined || !userAgent?.startsWith('Mozilla')) return {};
    const headers: Record<string, string> = {};
    const any = options.allowOrigin === '*';
    // Caches must not give one origin the answer of another.
    if (!any) headers.vary = 'Origin';
    if (origin === undefined || !this.#allows(origin)) return headers;
    headers['access-control-allow-origin'] = any ? '*' : origin;
    if (method === 'OPTIONS') {
      headers['access-control-max-age'] = String(options.maxAge);
      headers['access-control-allow-methods'] = options.allowMethods;
      headers['access-control-allow-headers'] = options.allowHeaders;
    }
    if (options.allowCredentials) headers['access-control-allow-credentials'] = 'true';
    return headers;
  }
}

/** Whether a page was loaded from where its request goes to. */
function isOwn(origin: string, host: string | undefined): boolean {
  if (host === undefined || origin.length > MAX_ORIGIN) return false;
  const scheme = /^https?:\/\//.exec(origin)?.[0];
  return scheme !== undefined && origin.slice(scheme.length).toLowerCase() === host.toLowerCase();
}
