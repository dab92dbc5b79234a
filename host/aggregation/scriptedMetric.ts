/**
 * `scripted_metric`: what scripts make of the documents of a bucket. The core only finds these, and gives them in the order of the index; the
 * scripts run here, shard by shard, as in 1.7: `init`, `map` for each document, `combine`, and `reduce` over what shards made.
 */
import { AggregationKind } from '../core/abi/aggregations.js';
import type { PlanBytes } from '../core/planBytes.js';
import { ElasticsearchError, ShardRefusal, toElasticsearchError } from '../errors.js';
import { isObject, type JsonObject, textOf } from '../json/values.js';
import { Fielddata } from '../mapping/fielddata.js';
import { type Sort, writeSort } from '../plan/sortKeys.js';
import type { MetricScript, ScriptedHit, ScriptedMetric } from '../script/groovy.js';
import { scripts } from '../script/lateScripts.js';
import type { ScriptSource } from '../script/script.js';
import type { Turns } from '../workLimit.js';
import { Aggregation } from './aggregation.js';
import { type AggregationContext, malformed, readKeys, scriptsDisabled, VALUES } from './body.js';
import type { PartialReader, ScriptedDocument } from './reader.js';
import type { Reduction } from './reduction.js';
import type { Rendered } from './rendered.js';
import { nowhere } from './singles.js';

/** Documents of a bucket and a shard that scripts see; more are refused. */
const MOST_DOCUMENTS = 100_000;
/** A document whose values are read takes as long as so many buckets, and so many steps of a script as one of them. */
const DOCUMENT_BUCKETS = 32;
const STEPS_OF_BUCKET = 8;
/** Bytes that a step may leave behind, about. */
const STEP_BYTES = 8;

const IN_ORDER: Sort = { keys: [{ kind: 'document', descending: false }], trackScores: false };

/** What the scripts have made, shard by shard; null in a bucket without documents. */
type Made = unknown[] | null;

class ScriptedMetricAggregation extends Aggregation<Made> {
  override readonly shape = 'metric';
  readonly #metric: ScriptedMetric;

  constructor(name: string, metric: ScriptedMetric) {
    super(name);
    this.#metric = metric;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.hits);
    bytes.u32(MOST_DOCUMENTS);
    bytes.u8(1);
    writeSort(IN_ORDER, bytes);
    // No key goes by objects of a nested field.
    bytes.u8(0);
  }

  override *read(reader: PartialReader, work: Reduction): Turns<Made> {
    const { shard } = reader;
    const total = reader.u32();
    reader.f32();
    const keys: number[] = [];
    for (let n = reader.u32(); n > 0; n--) {
      keys.push(Number(reader.i64()));
      reader.f32();
      reader.i64();
    }
    if (total > keys.length)
      throw new ShardRefusal(
        `scripted_metric [${this.name}] has ${total} documents in a bucket of a shard, and scripts run for at most ${MOST_DOCUMENTS}; narrow the query`,
      );
    const run = this.#run(() => this.#metric.begin(work));
    let fielddata: Fielddata | undefined;
    for (const key of keys) {
      const found = shard?.scripted(key);
      if (found === undefined) continue;
      fielddata ??= new Fielddata(found.model);
      const hit = hitOf(found, fielddata);
      const steps = this.#run(() => run.map(hit));
      work.take(STEP_BYTES * steps);
      if (work.isDue(DOCUMENT_BUCKETS + steps / STEPS_OF_BUCKET)) yield;
    }
    return [this.#run(() => run.combine())];
  }

  /** What a script fails with is what its shard fails with. */
  #run<T>(script: () => T): T {
    try {
      return script();
    } catch (e) {
      if (!(e instanceof ElasticsearchError)) throw e;
      throw new ShardRefusal(e.detail ?? '', e.exception, e.status);
    }
  }

  override *merge(partials: readonly Made[]): Turns<Made> {
    return partials.flatMap((each) => each ?? []);
  }

  override empty(): Made {
    return null;
  }

  // biome-ignore lint/correctness/useYield: a script is not interrupted
  override *render(made: Made, work: Reduction): Turns<Rendered> {
    return { value: made === null ? null : (this.#metric.reduce(made, work) as Rendered) };
  }
}

/** What the mapping hides of a source is indexed all the same. */
function hitOf({ model, document, nested }: ScriptedDocument, fielddata: Fielddata): ScriptedHit {
  return {
    fielddata,
    model,
    document: nested?.holder ?? { ...document, source: document.whole ?? document.source },
    place: nested?.place ?? 0,
    source: document.source,
    score: null,
  };
}

const PARTS = ['init', 'map', 'combine', 'reduce'] as const;
const SOURCES: Readonly<Record<string, ScriptSource>> = { '': 'inline', _file: 'file', _id: 'indexed' };

/** Scripts are disabled unless somebody lets them run, which 1.7 finds out when a search begins. */
export function scriptedMetricAggregation(
  name: string,
  body: JsonObject,
  context: AggregationContext,
): Aggregation {
  readKeys(
    name,
    body,
    (_, token, key) => {
      if (token === 'START_OBJECT') return /^(params|reduce_params|reduceParams)$/.test(key);
      return token === 'VALUE_STRING' && /^(lang|(init|map|combine|reduce)_script(_file|_id)?)$/.test(key);
    },
    [...VALUES, 'START_OBJECT'],
  );
  if (Object.keys(SOURCES).every((suffix) => body[`map_script${suffix}`] === undefined))
    throw malformed(`map_script field is required in [${name}].`);
  try {
    return new ScriptedMetricAggregation(name, metricOf(body, context));
  } catch (e) {
    const { exception, detail } = toElasticsearchError(e);
    context.failure ??= new ElasticsearchError(exception, detail);
    return nowhere(name, context);
  }
}

function metricOf(body: JsonObject, { dsl }: AggregationContext): ScriptedMetric {
  const { groovy } = dsl;
  const lang = textOf(body.lang) ?? 'groovy';
  if (lang !== 'groovy')
    throw new ElasticsearchError(
      'ElasticsearchIllegalArgumentException',
      `script_lang not supported [${lang}]`,
    );
  if (groovy === undefined) throw scriptsDisabled();
  const found: Partial<Record<(typeof PARTS)[number], MetricScript>> = {};
  for (const part of PARTS)
    for (const [suffix, source] of Object.entries(SOURCES)) {
      const text = textOf(body[`${part}_script${suffix}`]);
      if (text !== undefined) found[part] = scripts.loaded.groovyOf({ text, source }, 'aggs', dsl).text;
    }
  const reduceParams = body.reduce_params ?? body.reduceParams;
  return groovy.metric(
    { ...found, map: found.map! },
    isObject(body.params) ? body.params : undefined,
    isObject(reduceParams) ? reduceParams : {},
  );
}
