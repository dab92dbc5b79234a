/** Where nodes answer HTTP, which their stats don't tell. */
import type { Client } from '../../api/client';
import type { JsonObject } from '../../api/json';

/** A node that was started again may answer at another port: it is asked anew after so many readings. */
const MOST_READINGS = 30;

/** The addresses of nodes by their ids, asked for when there is a node that they aren't known of. */
export class Addresses {
  readonly #client: Client;
  #known: Readonly<Record<string, string>> = {};
  #readings = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Nodes with their addresses, as `http_address`. */
  async added(nodes: Readonly<Record<string, JsonObject>>): Promise<Record<string, JsonObject>> {
    const isKnown = Object.keys(nodes).every((id) => Object.hasOwn(this.#known, id));
    if (!isKnown || ++this.#readings > MOST_READINGS) {
      const { nodes: told = {} } = await this.#client.get<{ nodes?: Record<string, JsonObject> }>(
        '/_nodes/http',
        { quiet: true },
      );
      this.#known = Object.fromEntries(
        Object.keys(nodes).map((id) => [id, String(told[id]?.http_address ?? '')]),
      );
      this.#readings = 0;
    }
    return Object.fromEntries(
      Object.entries(nodes).map(([id, node]) => [id, { ...node, http_address: this.#known[id] ?? '' }]),
    );
  }
}
