/** Repositories of type `url`, which are read over http or https, below the addresses that the server's operator allows. */
import type { Blobs } from '../storage/storage.js';
import { HttpBlobs } from './httpBlobs.js';

/**
 * An address below which all is allowed; undefined where the text is none. As in `repositories.url.allowed_urls` of 1.7 a `*` may stand at its
 * end, and nowhere else.
 */
export function parseAllowedUrl(text: string): URL | undefined {
  return plainUrl(text.endsWith('/*') ? text.slice(0, -1) : text);
}

/** An address of a folder, with a slash at its end. What could lead elsewhere, or hides what it is, is none. */
function plainUrl(text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text) || /[*?#\\]|%2f|%5c/i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return undefined;
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** The repositories of a server that are read over http. */
export class UrlRepositories {
  readonly #allowed: readonly URL[];

  /** @param allowed as {@link parseAllowedUrl} reads them; without any, all addresses are refused */
  constructor(allowed: readonly string[]) {
    this.#allowed = allowed.map((text) => {
      const url = parseAllowedUrl(text);
      if (url === undefined)
        throw new Error(`an address for repositories must be https://HOST/PATH/, not ${text}`);
      return url;
    });
  }

  /** The blobs below an address; undefined where it isn't allowed. */
  async open(text: string): Promise<Blobs | undefined> {
    const url = plainUrl(text);
    const isAllowed = this.#allowed.some(
      ({ origin, pathname }) => url?.origin === origin && url.pathname.startsWith(pathname),
    );
    return url !== undefined && isAllowed ? new HttpBlobs(url) : undefined;
  }
}
