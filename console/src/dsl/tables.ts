/** What requests are completed with: made of the server's own descriptors and parsers (test/docs/dslTables.ts, `npm run docs`). */

/** `query`, `filter`, `queries`, `filters`, `number`, `boolean`, `analyzer`, `field`, `any`; or the texts that it can be. */
export type ValueKind = string | readonly string[];

/** Parameters of one place by name. */
export type Parameters = Readonly<Record<string, ValueKind>>;

export interface DslTables {
  endpoints: readonly {
    methods: readonly string[];
    paths: readonly string[];
    parameters: readonly string[];
  }[];
  /** Parameters that every endpoint reads. */
  commonParameters: readonly string[];
  /** Calls of the JavaScript client for 1.7. */
  client: readonly { call: string; method: string; paths: readonly string[] }[];
  queries: readonly string[];
  filters: readonly string[];
  aggregations: readonly string[];
  suggesters: readonly string[];
  analyzers: readonly string[];
  tokenizers: readonly string[];
  tokenFilters: readonly string[];
  charFilters: readonly string[];
  fieldTypes: readonly string[];
  /** By place, such as `query/match/*`, where `*` is the name of a field. */
  places: Readonly<Record<string, Parameters>>;
}

let loading: Promise<DslTables> | undefined;

/** Loads them, once. */
export function loadTables(): Promise<DslTables> {
  loading ??= import('./tables.generated.json').then((module) => module.default as unknown as DslTables);
  return loading;
}
