/** A server that a connection can be made to. */
export interface KnownServer {
  /** `host:port`. */
  readonly listen: string;
}

/**
 * The order in which servers of NATS are connected to: as they are named, and behind these the ones that servers tell of. After each that was
 * lost, left or didn't answer comes the next, after the last one the first. The client of NATS by itself begins with any, and goes back once to
 * the one that it has just left.
 */
export class ServerOrder {
  readonly #named: readonly string[];
  #order: readonly string[];
  #last: string | undefined;

  /** @param named `HOST:PORT` each */
  constructor(named: readonly string[]) {
    this.#named = named.map((server) => server.toLowerCase());
    this.#order = this.#named;
  }

  /** The server to connect to now; null when none is known. */
  next<Server extends KnownServer>(known: readonly Server[]): Server | null {
    const servers = new Map(known.map((server) => [server.listen, server]));
    const earlier = this.#order.filter(
      (name) => this.#named.includes(name) || servers.has(name) || name === this.#last,
    );
    this.#order = [...new Set([...earlier, ...servers.keys()])];
    const after = this.#last === undefined ? 0 : this.#order.indexOf(this.#last) + 1;
    const next = [...this.#order.slice(after), ...this.#order].find((name) => servers.has(name));
    if (next === undefined) return null;
    this.#last = next;
    return servers.get(next)!;
  }
}
