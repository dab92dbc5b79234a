/** A server's address as it is typed: `https://ann:secret@search.example.org/books`. */
import { UsageError } from '../flags.js';

/** The server that is meant where none is named. */
export const DEFAULT_URL = 'http://127.0.0.1:9200';

/** Where a server is, and how it is asked. */
export interface Address {
  /** Without the name and the password, without a slash at the end. */
  url: string;
  /** The header of that name. */
  authorization: string | undefined;
}

/**
 * Reads an address. The user before the host goes into the header; without one it is `otherwise`. Throws {@link UsageError} if it is no
 * URL of http or https.
 */
export function parseAddress(typed: string, otherwise?: string): Address {
  let url: URL;
  try {
    url = new URL(typed);
  } catch {
    throw new UsageError(`${typed} is no URL; http://127.0.0.1:9200 is one`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UsageError(`a server's URL begins with http:// or https://, not ${url.protocol}`);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    url: url.href.replace(/\/+$/, ''),
    authorization: username === '' ? otherwise : `Basic ${Buffer.from(user).toString('base64')}`,
  };
}

/** Reads the address of an index: that of its server, and its name. */
export function parseIndexAddress(typed: string, otherwise?: string): Address & { index: string } {
  const { url, authorization } = parseAddress(typed, otherwise);
  const at = url.lastIndexOf('/');
  if (at <= url.indexOf('//') + 1)
    throw new UsageError(`${url} names no index: ${url}/books is the index books of that server`);
  return { url: url.slice(0, at), authorization, index: decodeURIComponent(url.slice(at + 1)) };
}
