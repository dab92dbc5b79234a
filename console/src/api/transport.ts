/** How requests reach an engine: over HTTP, or in the tab itself. */

/** A request, as the REST interface takes it. */
export interface ApiRequest {
  method: string;
  /** With its query, such as `/books/_search?size=5`. */
  path: string;
  body?: string | Uint8Array | undefined;
}

/** Bytes of an answer. */
export interface RawAnswer {
  /** Of HTTP. */
  status: number;
  contentType: string;
  bytes: Uint8Array;
}

/** What carries requests. */
export interface Transport {
  /** Where they go, for people: `http://127.0.0.1:9200`. */
  readonly address: string;
  /** Throws {@link Unreachable} where there is no answer. */
  send(request: ApiRequest, signal?: AbortSignal): Promise<RawAnswer>;
}

/** Nobody answers at the address. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}
