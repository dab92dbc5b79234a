/**
 * Metrics that scripts compute. What they share are the values of `params`, each shard's bucket its own: `_agg` is a map among them, unless
 * parameters are given, as in 1.7.
 */
import type { JsonObject } from '../json/values.js';
import type { MetricRun, MetricScripts, ScriptedHit, ScriptedMetric } from '../script/groovy.js';
import { Doc } from './fieldValues.js';
import { MOST_WORK, runGroovy, Work } from './interpreter.js';
import { shownOf, sourceOf, variablesOf } from './json.js';
import type { Block } from './syntax.js';
import { GroovyError } from './tokens.js';
import type { Value } from './values.js';

/** Steps that the scripts of a metric have, together, for a request. */
const MOST_STEPS = 20_000_000;
/** Of these, so many for a script that runs once. */
const MOST_OF_ONE = 1_000_000;

/** The parts, read; and how what goes wrong with one is told. */
export interface ReadScripts {
  scripts: Readonly<Record<keyof MetricScripts, Block | undefined>>;
  readsSource: boolean;
  executed<T>(run: () => T): T;
}

export class GroovyMetric implements ScriptedMetric {
  readonly #read: ReadScripts;
  readonly #params: JsonObject | undefined;
  readonly #reduceParams: JsonObject;
  /** Steps that requests have left. */
  readonly #left = new WeakMap<object, { steps: number }>();

  constructor(read: ReadScripts, params: JsonObject | undefined, reduceParams: JsonObject) {
    this.#read = read;
    this.#params = params;
    this.#reduceParams = reduceParams;
  }

  begin(request: object): MetricRun {
    const { scripts, readsSource } = this.#read;
    const params = this.#params === undefined ? withAgg() : variablesOf(this.#params);
    if (scripts.init !== undefined) this.#run(scripts.init, params, request, MOST_OF_ONE);
    return {
      map: (hit) => this.#map(hit, params, request, readsSource),
      combine: () =>
        scripts.combine === undefined
          ? (params.get('_agg') ?? null)
          : this.#run(scripts.combine, params, request, MOST_OF_ONE).value,
    };
  }

  reduce(made: readonly Value[], request: object): unknown {
    const { reduce } = this.#read.scripts;
    const all = [...made];
    if (reduce === undefined) return this.#read.executed(() => shownOf(all));
    const params = variablesOf(this.#reduceParams).set('_aggs', all);
    const { value } = this.#run(reduce, params, request, MOST_OF_ONE);
    return this.#read.executed(() => shownOf(value));
  }

  #map(hit: ScriptedHit, params: Map<string, Value>, request: object, readsSource: boolean): number {
    const given = new Map(params).set('doc', new Doc(hit));
    if (readsSource) given.set('_source', sourceOf(hit.source));
    return this.#run(this.#read.scripts.map!, given, request, MOST_WORK).steps;
  }

  #run(
    script: Block,
    given: Map<string, Value>,
    request: object,
    most: number,
  ): { value: Value; steps: number } {
    let left = this.#left.get(request);
    if (left === undefined) {
      left = { steps: MOST_STEPS };
      this.#left.set(request, left);
    }
    const work = new Work(most);
    const value = this.#read.executed(() => runGroovy(script, given, work));
    const steps = most - work.left;
    left.steps -= steps;
    if (left.steps < 0)
      this.#read.executed(() => {
        throw new GroovyError(
          'ScriptException',
          `the scripts of a metric take more than ${MOST_STEPS} steps`,
        );
      });
    return { value, steps };
  }
}

function withAgg(): Map<string, Value> {
  return new Map<string, Value>([['_agg', new Map()]]);
}
