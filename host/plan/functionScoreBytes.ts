/** The bytes of function scores in plans. */
import { FunctionCode, OwnScoreMode } from '../core/abi/functions.js';
import { NodeCode } from '../core/abi/plan.js';
import { writeProgram } from '../expression/program.js';
import { UNKNOWN_FIELD } from '../mapping/field.js';
import type { FunctionScoreNode, PlanNode } from './plan.js';
import { count, type PlanBytes } from '../core/planBytes.js';
import { DecayShape, type ScoreFunction } from './scoreFunction.js';

/** Without functions the scores stay what they are, times the boost. */
const NO_FUNCTION: FunctionScoreNode['functions'] = [{ function: { type: 'one' } }];
const MAX_FLOAT = 3.4028234663852886e38;

/**
 * @param shard the number of the shard, which random scores depend on
 * @param child writes what is scored
 * @param passes writes what a function is asked for
 */
export function writeFunctionScore(
  node: FunctionScoreNode,
  out: PlanBytes,
  shard: () => number,
  child: (node: PlanNode) => void,
  passes: (filter: PlanNode) => void,
): void {
  out.u8(NodeCode.functionScore);
  out.f32(node.boost);
  out.u8(
    (node.single ? 1 : 0) | (node.maxBoost === undefined ? 0 : 2) | (node.minScore === undefined ? 0 : 4),
  );
  out.u8(node.isAllTerm === true ? OwnScoreMode.occurrences : node.scoreMode);
  out.u8(node.boostMode);
  out.f32(Math.min(node.maxBoost ?? 0, MAX_FLOAT));
  out.f32(node.minScore ?? 0);
  child(node.query);
  const functions = node.functions.length > 0 ? node.functions : NO_FUNCTION;
  out.u16(count(functions));
  for (const { function: made, weight, filter } of functions) {
    out.u8((filter === undefined ? 0 : 1) | (weight === undefined ? 0 : 2));
    out.f32(weight ?? 1);
    writeFunction(made, out, shard);
    if (filter !== undefined) passes(filter);
  }
}

function writeFunction(made: ScoreFunction, out: PlanBytes, shard: () => number): void {
  switch (made.type) {
    case 'one':
      out.u8(FunctionCode.one);
      break;
    case 'factor':
      // A field without values has the one for documents without.
      out.u8(FunctionCode.fieldValue);
      out.u16(UNKNOWN_FIELD);
      out.f32(1);
      out.u8(0);
      out.u8(1);
      out.f64(Math.fround(made.factor));
      break;
    case 'frequency':
      out.u8(FunctionCode.frequency);
      break;
    case 'random':
      out.u8(FunctionCode.random);
      out.u32((made.seed ^ (made.salt | shard())) >>> 0);
      break;
    case 'fieldValue':
      out.u8(FunctionCode.fieldValue);
      out.u16(made.field);
      out.f32(made.factor);
      out.u8(made.modifier);
      out.u8(made.missing === undefined ? 0 : 1);
      out.f64(made.missing ?? 0);
      break;
    case 'script':
      out.u8(FunctionCode.script);
      writeProgram(made.script, out);
      break;
    case 'decay':
      out.u8(FunctionCode.decay);
      out.u16(made.field);
      out.u8(made.shape);
      out.u8(made.mode);
      out.f64(made.origin);
      out.f64(decayScale(made.shape, made.scale, made.decay));
      out.f64(made.offset);
      break;
    case 'geoDecay':
      out.u8(FunctionCode.geoDecay);
      out.u16(made.field);
      out.u8(made.shape);
      out.u8(made.mode);
      out.f64(made.lat);
      out.f64(made.lon);
      out.f64(decayScale(made.shape, made.scale, made.decay));
      out.f64(made.offset);
      break;
  }
}

/** The scale as the decay's formula takes it, so that a distance of `scale` gives `decay`. */
function decayScale(shape: DecayShape, scale: number, decay: number): number {
  if (shape === DecayShape.gauss) return (0.5 * scale ** 2) / Math.log(decay);
  return shape === DecayShape.exp ? Math.log(decay) / scale : scale / (1 - decay);
}
