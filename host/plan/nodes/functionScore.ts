/** A query whose scores functions change. */

import { OwnScoreMode } from '../../core/abi/functions.js';
import { NodeCode } from '../../core/abi/plan.js';
import { count } from '../../core/planBytes.js';
import { javaText } from '../../json/values.js';
import { floatText } from '../../numbers/javaNumbers.js';
import type { PlanNode } from '../nodes.js';
import type { Printer } from '../print.js';
import type { Printed } from '../printed.js';
import type { BoostMode, ScoreFunction, ScoreMode } from '../scoreFunction.js';
import { writeFunction } from '../scoreFunctionBytes.js';
import type { NodeKind } from './kind.js';

/**
 * function_score. `single`: one function without a filter, which 1.7 runs as another query than a list of functions
 * (`FunctionScoreQuery` and `FiltersFunctionScoreQuery`).
 */
export interface FunctionScoreNode extends Printed {
  kind: 'functionScore';
  boost: number;
  query: PlanNode;
  single: boolean;
  functions: { function: ScoreFunction; weight?: number | undefined; filter?: PlanNode | undefined }[];
  scoreMode: ScoreMode;
  boostMode: BoostMode;
  /** A word of `_all` with boosts, which 1.7 has a query of its own for. */
  isAllTerm?: boolean | undefined;
  maxBoost?: number | undefined;
  minScore?: number | undefined;
}

/** Without functions the scores stay what they are, times the boost. */
const NO_FUNCTION: FunctionScoreNode['functions'] = [{ function: { type: 'one' } }];
const MAX_FLOAT = 3.4028234663852886e38;

export const functionScoreKind: NodeKind<FunctionScoreNode> = {
  write(node, out, depth) {
    out.u8(NodeCode.functionScore);
    out.f32(node.boost);
    out.u8(
      (node.single ? 1 : 0) | (node.maxBoost === undefined ? 0 : 2) | (node.minScore === undefined ? 0 : 4),
    );
    out.u8(node.isAllTerm === true ? OwnScoreMode.occurrences : node.scoreMode);
    out.u8(node.boostMode);
    out.f32(Math.min(node.maxBoost ?? 0, MAX_FLOAT));
    out.f32(node.minScore ?? 0);
    out.node(node.query, depth + 1);
    const functions = node.functions.length > 0 ? node.functions : NO_FUNCTION;
    out.u16(count(functions));
    for (const { function: made, weight, filter } of functions) {
      out.u8((filter === undefined ? 0 : 1) | (weight === undefined ? 0 : 2));
      out.f32(weight ?? 1);
      writeFunction(made, out, () => out.shard.number);
      if (filter !== undefined) out.filter(filter, depth + 1);
    }
  },
  print: (node, printer) => `function score (${printer.print(node.query)}${functionsText(node, printer)})`,
  rewrite: (node, rewriting) => ({
    ...node,
    query: rewriting.query(node.query),
    functions: node.functions.map((each) =>
      each.filter === undefined ? each : { ...each, filter: rewriting.filter(each.filter) },
    ),
  }),
  children: ({ query, functions }) => [query, ...functions.flatMap(({ filter }) => filter ?? [])],
  dependsOnShard: ({ functions }) => functions.some(({ function: own }) => own.type === 'random'),
  mapQueries: (node, change) => ({ ...node, query: change(node.query) }),
  required: ({ query }, of) => of(query),
};

/** Objects that have no text print as their class and a number that means nothing. */
const CLASSES = 'org.elasticsearch.common.lucene.search.function';
const DECAYS = 'org.elasticsearch.index.query.functionscore.DecayFunctionParser';

function functionsText({ single, functions }: FunctionScoreNode, printer: Printer): string {
  const [first] = functions;
  if (first === undefined) return ',function=null';
  if (single) return `,function=${functionText(first)}`;
  const list = functions.map((each) => {
    const filter = each.filter === undefined ? '*:*' : printer.print(each.filter);
    return `{filter(${filter}), function [${functionText(each)}]}`;
  });
  return `, functions: [${list.join('')}]`;
}

function functionText({ function: own, weight }: FunctionScoreNode['functions'][number]): string {
  if (weight !== undefined) return `${CLASSES}.WeightFactorFunction@1b9f6c0e`;
  switch (own.type) {
    case 'factor':
      return `boost[${floatText(Math.fround(own.factor))}]`;
    case 'random':
      return `${CLASSES}.RandomScoreFunction@1b9f6c0e`;
    case 'fieldValue':
      return `${CLASSES}.FieldValueFactorFunction@1b9f6c0e`;
    case 'script':
      return `script[${own.script.text}], params [${own.params === undefined ? 'null' : javaText(own.params)}]`;
    case 'decay':
      return `${DECAYS}$NumericFieldDataScoreFunction@1b9f6c0e`;
    case 'geoDecay':
      return `${DECAYS}$GeoFieldDataScoreFunction@1b9f6c0e`;
    default:
      return `${CLASSES}.WeightFactorFunction@1b9f6c0e`;
  }
}
