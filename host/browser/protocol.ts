/** What a page and the worker with its engine say to each other. */
import type { EngineOptions, EngineResponse } from '../library/options.js';

/** What an engine in a worker is made of: options that can be sent. */
export interface WorkerEngineOptions extends Pick<EngineOptions, 'wasm' | 'guarded' | 'groovy' | 'warn'> {
  /** The store by its name: `idb:NAME` or `opfs:NAME`. */
  data?: string;
}

/** The first message, which makes the engine. */
export interface Opening {
  options: Omit<WorkerEngineOptions, 'warn'>;
}

/** A request. */
export interface RequestAsked {
  /** The identity of whoever asks; without, it is the program itself. */
  principal?: string;
  request: {
    method: string;
    /** The path with its query; for `fetch` the whole URL. */
    uri: string;
    body: Uint8Array;
    /** A request of the Fetch API: its body may be in another format. */
    fetched?: { contentType: string | null };
  };
}

/** What is asked of an engine elsewhere: a request, an index to export, or a file to import, by its bytes or its URL. */
export type Asked = RequestAsked | { file: { from: string } | { of: string | Uint8Array; name?: string } };

/** What is asked, with the number that its answer has; without anything, that the engine is closed. */
export interface Question {
  id: number;
  asked?: Asked;
}

/** What comes back: of the opening as number 0, of a question as its number, warnings without one. */
export type Reply =
  | { id: number; answer: EngineResponse | undefined }
  | { id: number; error: string }
  | { warning: string };
