/** Scripts in Groovy: which may run, what they are given, and what 1.7 says of those that fail. */
import { ElasticsearchError, illegalArgument } from '../errors.js';
import type { Expression } from '../expression/operations.js';
import { print } from '../json/rawJson.js';
import type { JsonObject } from '../json/values.js';
import type {
  Groovy,
  MetricScripts,
  ScriptedHit,
  ScriptedMetric,
  ScriptedUpdate,
  UpdateContext,
} from '../script/groovy.js';
import type { ScriptSource } from '../script/script.js';
import { parseTime } from '../time/durations.js';
import { expressionOf } from './expressions.js';
import { Doc } from './fieldValues.js';
import { runGroovy, Work } from './interpreter.js';
import { rawOf, sourceOf, variablesOf } from './json.js';
import { GroovyMetric } from './metric.js';
import type { GroovySettings } from './settings.js';
import { type Block, parseGroovy } from './syntax.js';
import { GroovyError } from './tokens.js';
import { bigOf, elementsOf, isWhole, textOf, type Value } from './values.js';

/** Scripts that are kept as they were read. */
const MOST_KEPT = 500;

const encoder = new TextEncoder();

export class GroovyScripts implements Groovy {
  readonly #settings: GroovySettings;
  readonly #read = new Map<string, Block>();
  /** By what reads the fields of a hit. */
  readonly #works = new WeakMap<object, Work>();

  constructor(settings: GroovySettings) {
    this.#settings = settings;
  }

  allows(source: ScriptSource): boolean {
    return source === 'file' || this.#settings[source];
  }

  file(name: string): string | undefined {
    return this.#settings.files.get(name);
  }

  check(text: string): void {
    this.#script(text);
  }

  #script(text: string): Block {
    let script = this.#read.get(text);
    if (script === undefined) {
      script = compiled(() => parseGroovy(text));
      if (this.#read.size >= MOST_KEPT) this.#read.clear();
      this.#read.set(text, script);
    }
    return script;
  }

  expression(text: string, params: JsonObject): Expression {
    const script = this.#script(text);
    return compiled(() => expressionOf(script, params));
  }

  update(text: string, params: JsonObject, context: UpdateContext): ScriptedUpdate {
    const ctx = contextOf(context);
    const given = variablesOf(params);
    given.set('ctx', ctx);
    try {
      executed(() => runGroovy(this.#script(text), given));
      return executed(() => changeOf(ctx, context));
    } catch (e) {
      throw e instanceof ElasticsearchError ? illegalArgument('failed to execute script', e) : e;
    }
  }

  metric(texts: MetricScripts, params: JsonObject | undefined, reduceParams: JsonObject): ScriptedMetric {
    const read = (text: string | undefined) => (text === undefined ? undefined : this.#script(text));
    const { init, map, combine, reduce } = texts;
    const scripts = { init: read(init), map: read(map), combine: read(combine), reduce: read(reduce) };
    const readsSource = map.includes('_source');
    return new GroovyMetric({ scripts, readsSource, executed }, params, reduceParams);
  }

  /** All fields of a hit are made in one turn: they share what a script has. */
  #workOf({ fielddata }: ScriptedHit): Work {
    let work = this.#works.get(fielddata);
    if (work === undefined) {
      work = new Work();
      this.#works.set(fielddata, work);
    }
    return work;
  }

  field(text: string, params: JsonObject, hit: ScriptedHit): Uint8Array {
    const given = variablesOf(params);
    given.set('doc', new Doc(hit));
    given.set('_source', sourceOf(hit.source));
    given.set('_score', hit.score);
    return executed(() => {
      const value = runGroovy(this.#script(text), given, this.#workOf(hit));
      return encoder.encode(print((elementsOf(value) ?? [value]).map((each) => rawOf(each))));
    });
  }
}

const longOf = (value: number | bigint | undefined): Value => (value === undefined ? null : BigInt(value));

function contextOf(context: UpdateContext): Map<string, Value> {
  const { index, type, id, version, routing, parent, timestamp, ttl, source, create } = context;
  const ctx = new Map<string, Value>();
  if (create) ctx.set('op', 'create');
  else {
    for (const [name, value] of Object.entries({ _index: index, _type: type, _id: id })) ctx.set(name, value);
    ctx.set('_version', longOf(version));
    ctx.set('_routing', routing ?? null);
    ctx.set('_parent', parent ?? null);
    ctx.set('_timestamp', longOf(timestamp));
    ctx.set('_ttl', longOf(ttl));
  }
  ctx.set('_source', sourceOf(source));
  return ctx;
}

/** What a script has left in `ctx`. An operation that there is none of does nothing, as in 1.7. */
function changeOf(ctx: ReadonlyMap<string, Value>, before: UpdateContext): ScriptedUpdate {
  const source = ctx.get('_source') ?? null;
  const asked = ctx.get('op') ?? null;
  const op = asked === null ? 'index' : textOf(asked);
  const does = before.create ? op === 'create' : op === 'index';
  if (does && !(source instanceof Map))
    throw new GroovyError(
      'GroovyCastException',
      `Cannot cast object '${textOf(source).slice(0, 60)}' to class 'java.util.Map'`,
    );
  return {
    op: does ? 'index' : op === 'delete' && !before.create ? 'delete' : 'none',
    source: source instanceof Map ? encoder.encode(print(rawOf(source))) : before.source,
    timestamp: changed(ctx.get('_timestamp') ?? null, before.timestamp, textOf),
    ttl: changed(ctx.get('_ttl') ?? null, before.ttl, ttlOf),
  };
}

function changed<T>(value: Value, before: number | undefined, read: (value: Value) => T): T | undefined {
  return value === null || textOf(value) === String(before) ? undefined : read(value);
}

function ttlOf(value: Value): number {
  return isWhole(value) ? Number(bigOf(value)) : parseTime(textOf(value));
}

function compiled<T>(read: () => T): T {
  return telling('GroovyScriptCompilationException', 400, read);
}

function executed<T>(run: () => T): T {
  return telling('GroovyScriptExecutionException', 500, run);
}

function telling<T>(exception: string, status: number, body: () => T): T {
  try {
    return body();
  } catch (e) {
    if (e instanceof GroovyError)
      throw new ElasticsearchError(exception, `${e.exception}[${e.message}]`, { status });
    throw e;
  }
}
