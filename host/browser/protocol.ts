/** What a page and the worker with its engine say to each other. */
import type { EngineOptions, EngineResponse } from '../library/options.js';

/** What an engine in a worker is made of: options that can be sent. */
export type WorkerEngineOptions = Pick<EngineOptions, 'wasm' | 'data' | 'guarded' | 'warn'>;

/** The first message, which makes the engine. */
export interface Opening {
  options: Omit<WorkerEngineOptions, 'warn'>;
}

/** A request; its answer has the same number. */
export interface Question {
  id: number;
  /** The identity of whoever asks; without, it is the program itself. */
  principal?: string;
  /** An index to export, or a file to import: its bytes or its URL. */
  file?: { from: string } | { of: string | Uint8Array; name?: string };
  /** What is asked for; without that and a file, the engine is closed. */
  request?: {
    method: string;
    /** The path with its query; for `fetch` the whole URL. */
    uri: string;
    body: Uint8Array;
    /** A request of the Fetch API: its body may be in another format. */
    fetched?: { contentType: string | null };
  };
}

/** What comes back: of the opening as number 0, of a question as its number, warnings without one. */
export type Reply =
  | { id: number; answer: EngineResponse | undefined }
  | { id: number; error: string }
  | { warning: string };
