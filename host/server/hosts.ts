/**
 * The names under which a server may be addressed. A page whose own name is made to resolve to this machine (DNS rebinding) is of the
 * same origin as the server for its browser, but the `Host` header still has the page's name.
 */
import { isIP } from 'node:net';

/** Longer names exist nowhere (RFC 1035). */
const MAX_NAME = 255;

/** Tells whether a `Host` header names this server. */
export class HostNames {
  readonly #names = new Set<string>();
  readonly #suffixes: string[] = [];
  readonly #any: boolean;
  /** The header that was allowed last: clients send the same one with every request. */
  #last: string | undefined;

  /** @param names further names than the loopback's; `*.example.org` stands for all below it, `*` for every name */
  constructor(names: readonly string[] = []) {
    this.#any = names.includes('*');
    for (const name of names) {
      const lower = normalized(name);
      if (lower.startsWith('*.')) this.#suffixes.push(lower.slice(1));
      else this.#names.add(lower);
    }
  }

  /**
   * Whether requests to that name are answered. Addresses always are: no name was resolved for them. A header that is missing comes
   * from no browser.
   */
  allows(header: string | undefined): boolean {
    if (this.#any || header === undefined || header === this.#last) return true;
    if (header.length > MAX_NAME || !this.#isOwn(header)) return false;
    this.#last = header;
    return true;
  }

  #isOwn(header: string): boolean {
    const name = nameOf(header);
    if (name === undefined) return false;
    if (name.startsWith('[')) return isIP(name.slice(1, -1)) === 6;
    if (isIP(name) === 4 || name === 'localhost' || name.endsWith('.localhost')) return true;
    return this.#names.has(name) || this.#suffixes.some((suffix) => name.endsWith(suffix));
  }
}

/** The name of a header without its port; undefined for what is no name. */
function nameOf(header: string): string | undefined {
  const match = /^(\[[\da-f:.]+\]|[^[\]:/?#@\s]+)(?::\d{1,5})?$/i.exec(header);
  return match === null ? undefined : normalized(match[1]!);
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
