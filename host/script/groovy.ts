/** Groovy as the engine asks for it, where scripts may run that change documents: host/groovy has it. */
import type { Expression } from '../expression/operations.js';
import type { JsonObject } from '../json/values.js';
import type { Fielddata, IndexedDocument } from '../mapping/fielddata.js';
import type { MappingModel } from '../mapping/model.js';
import type { Version } from '../storage/versions.js';
import type { ScriptSource } from './script.js';

/** What an update's script sees as `ctx`. */
export interface UpdateContext {
  index: string;
  type: string;
  id: string;
  version: Version | undefined;
  routing: string | undefined;
  parent: string | undefined;
  /** Milliseconds since the epoch. */
  timestamp: number | undefined;
  /** Milliseconds that it has left. */
  ttl: number | undefined;
  source: Uint8Array;
  /** There is no such document: it would be made. */
  create: boolean;
}

/** What a script has made of it. */
export interface ScriptedUpdate {
  op: 'index' | 'delete' | 'none';
  source: Uint8Array;
  /** Undefined where the script has not changed it. */
  timestamp: string | undefined;
  ttl: number | undefined;
}

/** A hit, as scripts of `script_fields` read it. */
export interface ScriptedHit {
  fielddata: Fielddata;
  model: MappingModel;
  document: IndexedDocument;
  /** Of a nested document, see {@link Fielddata.values}. */
  place: number;
  /** `_source`. */
  source: Uint8Array;
  /** null where there are no scores. */
  score: number | null;
}

/** The text of a script of a metric. */
export type MetricScript = string;

export interface MetricScripts {
  init?: MetricScript;
  map: MetricScript;
  combine?: MetricScript;
  reduce?: MetricScript;
}

/** A metric that scripts compute; what they make is theirs alone. */
export interface ScriptedMetric {
  /** Begins a bucket of a shard. @param request whose steps are bounded together */
  begin(request: object): MetricRun;
  /** What is shown of what shards have made, as JSON has it: whole numbers as bigints, doubles as {@link Double}. */
  reduce(made: readonly unknown[], request: object): unknown;
}

/** A bucket of a shard. */
export interface MetricRun {
  /** Takes a document; returns how many steps that took. */
  map(hit: ScriptedHit): number;
  combine(): unknown;
}

/** Scripts in Groovy. All throw what 1.7 answers where a script can't be read, or fails. */
export interface Groovy {
  /** Whether scripts from there may run. */
  allows(source: ScriptSource): boolean;
  /** The text of a script that was found in a file. */
  file(name: string): string | undefined;
  /** Refuses what can't be read. */
  check(text: string): void;
  /** For the core; only of numbers. */
  expression(text: string, params: JsonObject): Expression;
  update(text: string, params: JsonObject, context: UpdateContext): ScriptedUpdate;
  /** @param params undefined: the scripts have a map `_agg` and nothing else */
  metric(scripts: MetricScripts, params: JsonObject | undefined, reduceParams: JsonObject): ScriptedMetric;
  /** What a script makes of a hit: a JSON array. */
  field(text: string, params: JsonObject, hit: ScriptedHit): Uint8Array;
}
