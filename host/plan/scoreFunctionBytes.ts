/** The bytes of the functions of function scores. */
import { FunctionCode } from '../core/abi/functions.js';
import { writeProgram } from '../expression/program.js';
import { UNKNOWN_FIELD } from '../mapping/field.js';
import type { PlanBytes } from '../core/planBytes.js';
import { DecayShape, type ScoreFunction } from './scoreFunction.js';

/** @param shard the number of the shard, which random scores depend on */
export function writeFunction(made: ScoreFunction, out: PlanBytes, shard: () => number): void {
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
