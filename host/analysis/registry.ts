/**
 * The analyzers of an index by name. For now these are `standard` and `keyword`, also under other names where the
 * settings define them without options; every other analyzer is unknown here, and a mapping that names one is refused.
 */

import { type Analyzer, keywordAnalyzer, type Token } from './analyzer.js';

/** The core's number for no analysis: a value is one term. */
export const CORE_NONE = 0;
/** The core's number for the standard analyzer. */
export const CORE_STANDARD = 1;

/** Runs one of the core's analyzers. */
export type AnalyzeInCore = (analyzer: number, text: string) => Token[];

/** Name of an analyzer → number of the core's analyzer. */
export class AnalyzerRegistry {
  readonly #ids = new Map<string, number>([
    ['standard', CORE_STANDARD],
    ['keyword', CORE_NONE],
    ['default', CORE_STANDARD],
  ]);

  /** `analysis` is the `analysis` part of an index's settings, if there is one. */
  constructor(analysis?: unknown) {
    if (!isRecord(analysis) || !isRecord(analysis.analyzer)) return;
    for (const [name, definition] of Object.entries(analysis.analyzer)) {
      const id = isRecord(definition) ? plain(definition) : undefined;
      if (id === undefined) this.#ids.delete(name);
      else this.#ids.set(name, id);
    }
  }

  /** The core's number of an analyzer, undefined if there is none of that name. */
  id(name: string): number | undefined {
    return this.#ids.get(name);
  }

  /** The analyzer of that name over the core, undefined if there is none. */
  analyzer(name: string, analyze: AnalyzeInCore): Analyzer | undefined {
    const id = this.#ids.get(name);
    if (id === undefined) return undefined;
    return id === CORE_NONE ? keywordAnalyzer : { analyze: (text) => analyze(id, text) };
  }
}

/** The core's analyzer of a definition without options. */
function plain(definition: Record<string, unknown>): number | undefined {
  if (Object.keys(definition).length !== 1) return undefined;
  if (definition.type === 'standard') return CORE_STANDARD;
  return definition.type === 'keyword' ? CORE_NONE : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
