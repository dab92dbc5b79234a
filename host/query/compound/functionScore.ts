/** `function_score`: scores changed by functions of the documents. */

import { nullPointer } from '../../compat17/javaCasts.js';
import { textHash } from '../../compat17/javaHash.js';
import {
  ElasticsearchError,
  illegalArgument,
  parseFailure,
  queryParsing,
  toElasticsearchError,
} from '../../errors.js';
import {
  isCompound,
  isNumber,
  isObject,
  type JsonObject,
  RawNumber,
  strictFloatOf,
  textOf,
} from '../../json/values.js';
import { columnOf } from '../../mapping/field.js';
import type { FunctionScoreNode } from '../../plan/nodes/functionScore.js';
import type { PlanNode } from '../../plan/nodes.js';
import { BoostMode, Modifier, type ScoreFunction, ScoreMode } from '../../plan/scoreFunction.js';
import { scripts } from '../../script/lateScripts.js';
import { type ScriptSpec, scriptKey } from '../../script/script.js';
import {
  constant,
  type Dsl,
  matchAll,
  notStarted,
  Options,
  type QueryCompiler,
  type QueryKind,
  resolve,
} from '../context.js';
import type { Reach } from '../reach.js';
import { decayFunction } from './decay.js';

type WeightedFunction = FunctionScoreNode['functions'][number];

/** `function_score`. */
const functionScore: QueryCompiler = (body, dsl) => {
  let inner: unknown;
  let condition: unknown;
  let single: { name: string; function: WeightedFunction } | undefined;
  let list: WeightedFunction[] | undefined;
  let scoreMode: ScoreMode = ScoreMode.multiply;
  let boostMode: BoostMode | undefined;
  const { max_boost, maxBoost, min_score, minScore, boost, ...rest } = body;
  for (const [key, value] of Object.entries(rest)) {
    if (key === 'query') inner = value;
    else if (key === 'filter') condition = value;
    else if (key === 'score_mode' || key === 'scoreMode') scoreMode = modeOf(ScoreMode, 'score', value, dsl);
    else if (key === 'boost_mode' || key === 'boostMode') boostMode = modeOf(BoostMode, 'boost', value, dsl);
    else if (key === 'functions') {
      if (single !== undefined) {
        throw misplaced(`Found "${single.name}" already, now encountering "functions": [...].`, single.name);
      }
      list = readList(value, dsl);
    } else {
      const made =
        key === 'weight' ? { function: ONE, weight: strictFloatOf(value) } : readFunction(key, value, dsl);
      if (list !== undefined) {
        throw misplaced(`Found "functions": [...] already, now encountering "${key}".`, key);
      }
      if (single !== undefined) {
        throw parseFailure(
          `Found function ${single.name} already, now encountering "${key}". Use functions[{...},...] if you want to define several functions.`,
        );
      }
      single = { name: key, function: made };
    }
  }
  const query = queryOf(inner, condition, dsl);
  if (query === undefined) return undefined;
  const functions = list ?? (single === undefined ? [] : [single.function]);
  const float = (value: unknown) =>
    value === undefined || value === null ? undefined : strictFloatOf(value);
  // Without a function the score stays, but for the boost, and for what it must be at least.
  const isPlain = functions.length === 0;
  return {
    kind: 'functionScore',
    boost: float(boost) ?? 1,
    query,
    // One without a filter of its own is run as if it stood alone.
    single: functions.length <= 1 && (functions[0]?.filter?.kind ?? 'all') === 'all',
    functions,
    scoreMode,
    boostMode: isPlain ? BoostMode.multiply : (boostMode ?? BoostMode.multiply),
    maxBoost: isPlain ? undefined : float(max_boost ?? maxBoost),
    minScore: float(min_score ?? minScore),
  };
};

export const functionScoreQuery: QueryKind = {
  names: ['function_score', 'functionScore'],
  read: functionScore,
  reach: 'found',
};

function queryOf(inner: unknown, condition: unknown, dsl: Dsl): PlanNode | undefined {
  const query = inner === undefined ? undefined : dsl.optionalQuery(inner, () => notStarted('query', dsl));
  const filter = condition === undefined ? undefined : conditionOf(condition, dsl);
  if (inner !== undefined && query === undefined) return undefined;
  if (filter === undefined) return query ?? matchAll();
  if (query === undefined) return constant(filter, 1);
  return { kind: 'filtered', boost: 1, query, filter };
}

function conditionOf(filter: unknown, dsl: Dsl): PlanNode | undefined {
  return dsl.filter(filter, () => notStarted('filter', dsl));
}

function modeOf<T>(modes: Readonly<Record<string, T>>, what: string, value: unknown, dsl: Dsl): T {
  const name = textOf(value) ?? '';
  const mode = Object.hasOwn(modes, name) ? modes[name] : undefined;
  if (mode === undefined) throw queryParsing(dsl.index, `function_score illegal ${what}_mode [${name}]`);
  return mode;
}

/** Several functions, each with a filter, where it has one. */
function readList(value: unknown, dsl: Dsl): WeightedFunction[] {
  if (!Array.isArray(value)) throw queryParsing(dsl.index, 'function_score: malformed query');
  return value.map((entry) => {
    if (!isObject(entry)) {
      throw queryParsing(
        dsl.index,
        `function_score: malformed query, expected a START_OBJECT while parsing functions but got a ${tokenOf(entry)}`,
      );
    }
    let weight: number | undefined;
    let made: WeightedFunction | undefined;
    let filter: PlanNode | undefined;
    for (const [key, given] of Object.entries(entry)) {
      if (key === 'weight') weight = strictFloatOf(given);
      else if (key === 'filter') filter = conditionOf(given, dsl);
      else made = readFunction(key, given, dsl);
    }
    if (weight !== undefined && made?.function.type === 'factor')
      throw illegalArgument("'boost_factor' and 'weight' cannot be used together. Use 'weight'.");
    if (made === undefined && weight === undefined) {
      throw parseFailure('function_score: One entry in functions list is missing a function.');
    }
    return { function: made?.function ?? ONE, weight, filter };
  });
}

const ONE: ScoreFunction = { type: 'one' };

interface FunctionKind {
  names: readonly string[];
  read(value: unknown, dsl: Dsl): ScoreFunction;
  reach: Reach;
}

/** The functions. */
export const FUNCTION_KINDS: readonly FunctionKind[] = [
  {
    names: ['boost_factor', 'boostFactor'],
    read: (value) => ({ type: 'factor', factor: strictFloatOf(value) }),
    reach: 'found',
  },
  {
    names: ['random_score', 'randomScore'],
    read: (value, dsl) => ofSearch(dsl, () => randomFunction(objectOf(value), dsl)),
    reach: 'found',
  },
  {
    names: ['field_value_factor', 'fieldValueFactor'],
    read: (value, dsl) => ofSearch(dsl, () => fieldValueFunction(objectOf(value), dsl)),
    reach: 'found',
  },
  ...(['gauss', 'exp', 'linear'] as const).map(
    (name): FunctionKind => ({
      names: [name],
      read: (value, dsl) => decayFunction(name, objectOf(value), dsl),
      reach: 'found',
    }),
  ),
  {
    names: ['script_score', 'scriptScore'],
    read: (value, dsl) => scriptFunction(objectOf(value), dsl),
    reach: 'scripts',
  },
];

function readFunction(name: string, value: unknown, dsl: Dsl): WeightedFunction {
  const kind = FUNCTION_KINDS.find(({ names }) => names.includes(name));
  if (kind === undefined) throw queryParsing(dsl.index, `No function with the name [${name}] is registered.`);
  return { function: dsl.reaching(name, kind.reach, () => kind.read(value, dsl)) };
}

/** Functions that 1.7 asks a search for the mapping fail where there is none. */
function ofSearch(dsl: Dsl, read: () => ScoreFunction): ScoreFunction {
  if (dsl.lateErrors === undefined) return read();
  const search = 'org.elasticsearch.search.internal.SearchContext';
  throw nullPointer(`Cannot invoke "${search}.mapperService()" because "searchContext" is null`);
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function scriptFunction(options: JsonObject, dsl: Dsl): ScoreFunction {
  const spec: ScriptSpec = { source: 'inline' };
  for (const [key, value] of Object.entries(options)) {
    if (!scriptKey(spec, key, value))
      throw queryParsing(dsl.index, `script_score query does not support [${key}]`);
  }
  if (spec.text === undefined) throw queryParsing(dsl.index, "script_score requires 'script' field");
  try {
    return { type: 'script', script: scripts.loaded.compileScript(spec, 'search', dsl), params: spec.params };
  } catch (thrown) {
    const cause = toElasticsearchError(thrown);
    throw queryParsing(dsl.index, 'script_score the script could not be loaded', cause);
  }
}

/** Whether a whole number has no more than 64 bits. */
function isLong(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

function randomFunction(options: JsonObject, dsl: Dsl): ScoreFunction {
  let seed = hashOf(BigInt(Math.trunc(dsl.now)));
  for (const [key, value] of Object.entries(options)) {
    if (key !== 'seed') throw queryParsing(dsl.index, `random_score query does not support [${key}]`);
    if (typeof value === 'string') seed = textHash(value);
    else if (typeof value === 'number' && Number.isInteger(value)) {
      seed = value === (value | 0) ? value : hashOf(BigInt(value));
    } else if (value instanceof RawNumber && isLong(value.text)) {
      seed = hashOf(BigInt(value.text));
    } else {
      throw queryParsing(
        dsl.index,
        `random_score seed must be an int, long or string, not '${tokenOf(value)}'`,
      );
    }
  }
  return { type: 'random', seed: seed >>> 0, salt: (textHash(dsl.index) << 10) >>> 0 };
}

/** `Longs.hashCode`. */
function hashOf(value: bigint): number {
  const bits = BigInt.asUintN(64, value);
  return Number(BigInt.asIntN(32, bits ^ (bits >> 32n)));
}

function fieldValueFunction(body: JsonObject, dsl: Dsl): ScoreFunction {
  const options = new Options(dsl, 'field_value_factor', body);
  const name = options.text('field');
  const factor = options.number(1, 'factor');
  const modifierName = options.text('modifier') ?? 'none';
  const missing = options.scalar('missing');
  options.end();
  if (name === undefined) throw parseFailure("[field_value_factor] required field 'field' missing");
  const lower = modifierName.toLowerCase();
  const modifier = Object.hasOwn(Modifier, lower) ? Modifier[lower as keyof typeof Modifier] : undefined;
  if (modifier === undefined) {
    const type = 'org.elasticsearch.common.lucene.search.function.FieldValueFactorFunction.Modifier';
    throw new ElasticsearchError(
      'IllegalArgumentException',
      `No enum constant ${type}.${modifierName.toUpperCase()}`,
      { status: 400 },
    );
  }
  // Of any type.
  const { field } = dsl.within([], () => resolve(dsl, name));
  const number = columnOf(field);
  if (field === undefined) {
    throw new ElasticsearchError(
      'ElasticsearchException',
      `Unable to find a field mapper for field [${name}]`,
      {
        status: 500,
      },
    );
  }
  return {
    type: 'fieldValue',
    field: number,
    name,
    factor,
    modifier,
    missing: missing === undefined ? undefined : Number(textOf(missing)),
  };
}

function tokenOf(value: unknown): string {
  if (value === null) return 'VALUE_NULL';
  if (isNumber(value)) return 'VALUE_NUMBER';
  if (typeof value === 'boolean') return 'VALUE_BOOLEAN';
  if (Array.isArray(value)) return 'START_ARRAY';
  return value === null || isCompound(value) ? 'START_OBJECT' : 'VALUE_STRING';
}

function misplaced(error: string, name: string): ElasticsearchError {
  const hint = name === 'boost_factor' || name === 'boostFactor' ? ' Did you mean "boost" instead?' : '';
  return parseFailure(
    `You can either define "functions":[...] or a single function, not both. ${error}${hint}`,
  );
}
