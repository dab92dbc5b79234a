/** A server's address as it is typed: `https://ann:secret@search.example.org/books`. */
import { UsageError } from '../flags.js';

/** The server that is meant where none is named. */
export const DEFAULT_URL = 'http://127.0.0.1:9200';

/** Where a server is, and how it is asked. */
export interface Address {
  /** Without the name and the password, without a slash at the end. */
  url: string;
  /** The same at other nodes of its cluster, which are asked when it is away. */
  others?: readonly string[];
  /** The header of that name. */
  authorization: string | undefined;
}

/**
 * Reads an address; nodes of one cluster stand with commas between: `http://ann:secret@one:9200,two:9200/books`. The user before the host
 * goes into the header; without one it is `otherwise`. Throws {@link UsageError} if it is no URL of http or https.
 */
export function parseAddress(typed: string, otherwise?: string): Address {
  const plain = typed.replace(/,\s*https?:\/\//gi, ',');
  const begin = plain.indexOf('://') < 0 ? 0 : plain.indexOf('://') + 3;
  const end = begin + plain.slice(begin).search(/[/?#]|$/);
  const at = plain.lastIndexOf('@', end) + 1;
  const user = plain.slice(0, Math.max(begin, at));
  const hosts = plain.slice(user.length, end).split(',');
  const [first, ...others] = hosts.map((host) =>
    parseOne(`${user}${host.trim()}${plain.slice(end)}`, typed, otherwise),
  );
  return others.length === 0 ? first! : { ...first!, others: others.map(({ url }) => url) };
}

function parseOne(written: string, typed: string, otherwise: string | undefined): Address {
  let url: URL;
  try {
    url = new URL(written);
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
  const { url, others, authorization } = parseAddress(typed, otherwise);
  const at = url.lastIndexOf('/');
  if (at <= url.indexOf('//') + 1)
    throw new UsageError(`${url} names no index: ${url}/books is the index books of that server`);
  const servers = others?.map((other) => other.slice(0, other.lastIndexOf('/')));
  return {
    url: url.slice(0, at),
    ...(servers === undefined ? {} : { others: servers }),
    authorization,
    index: decodeURIComponent(url.slice(at + 1)),
  };
}
