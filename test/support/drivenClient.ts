/** The JavaScript client of the time, driven by rows of calls, with a book of what it was asked for. */
import { expect } from 'vitest';

type Parameters = Record<string, unknown>;
/** A call's dotted name, its parameters (or several that must answer alike), and what its answer holds. */
export type Row = readonly [call: string, parameters: Parameters | Parameters[], expected: unknown];

/** The addresses of a call; one that is another by a second name has none of its own. */
interface Addresses {
  url?: { fmt: string };
  urls?: { fmt: string }[];
  /** The parameter that is always sent as the body, whatever addresses have a place for it. */
  paramAsBody?: string | { param: string };
}
type Call = ((parameters: Parameters) => Promise<unknown>) & { spec?: Addresses };

function templates({ url, urls, paramAsBody }: Addresses): string[] {
  const sent = typeof paramAsBody === 'object' ? paramAsBody.param : paramAsBody;
  return (urls ?? [url!]).map(({ fmt }) => fmt).filter((fmt) => !fmt.includes(`<%=${sent}%>`));
}

/** The templates that an address may have been made of. */
function templatesOf(addresses: Addresses, address: string): string[] {
  const isOf = (fmt: string) => new RegExp(`^${fmt.replace(/<%=\w+%>/g, '[^/]+')}$`).test(address);
  return templates(addresses).filter(isOf);
}

/** Every call of a version of the client, as `call address`; an address is the client's own template. */
export function everyCall(api: object, prefix = ''): string[] {
  const calls: string[] = [];
  for (const [key, value] of Object.entries(api)) {
    if (typeof value?.spec === 'object')
      calls.push(...templates(value.spec).map((fmt) => `${prefix}${key} ${fmt}`));
    else if (key !== '_namespaces' && value?.prototype)
      calls.push(...everyCall(value.prototype, `${prefix}${key}.`));
  }
  return calls;
}

/** Drives a client and writes down what it was asked for. */
export class DrivenClient {
  /** In the words of `everyCall`. */
  readonly asked = new Set<string>();
  // biome-ignore lint/suspicious/noExplicitAny: the client has no types.
  readonly client: any;

  // biome-ignore lint/suspicious/noExplicitAny: the client has no types.
  constructor(client: any) {
    this.client = client;
    const { transport } = client;
    const request = transport.request;
    transport.request = (sent: { path: string }, ...rest: unknown[]) => {
      const { path, call } = this.#current ?? {};
      for (const fmt of call?.spec ? templatesOf(call.spec, sent.path) : []) this.asked.add(`${path} ${fmt}`);
      return request.call(transport, sent, ...rest);
    };
  }

  #current: { path: string; call: Call } | undefined;

  /** Makes the calls one after the other; a refused one answers its status and message. */
  async drive(rows: readonly Row[]): Promise<void> {
    for (const [path, parameters, expected] of rows) {
      const names = path.split('.');
      const place = names.slice(0, -1).reduce((at, each) => at[each], this.client);
      const call: Call = place[names.at(-1)!];
      for (const each of [parameters].flat()) {
        this.#current = { path, call };
        const answer = await call
          .call(place, { ...each })
          .catch(({ status, message }: { status: number; message: string }) => ({ status, message }));
        const where = `${path} ${JSON.stringify(each)}`;
        expect({ where, answer }).toMatchObject({ where, answer: expected });
      }
    }
  }
}
