/** How 1.7 describes what a function of `function_score` made of a document. */

import { doubleText, floatText } from '../numbers/javaNumbers.js';
import { javaText } from '../json/values.js';
import type { Explanation } from './explanation.js';
import { DecayShape, Modifier, nameIn, type ScoreFunction, ValueMode } from '../plan/scoreFunction.js';

type DecayFunction = Extract<ScoreFunction, { type: 'decay' | 'geoDecay' }>;

/** The values of a document's field as they are indexed; of points latitude and longitude. */
export type ValuesOf = (field: number) => readonly (number | { lat: number; lon: number })[];

/** What the explanation of a function needs of its surroundings. */
export interface FunctionContext {
  /** The name of a field by its number. */
  name(field: number): string;
  values: ValuesOf;
}

/** A function's own explanation, without its weight; `scored` is that of the score it goes by. */
export function explainFunction(
  own: ScoreFunction,
  value: number,
  context: FunctionContext,
  scored: Explanation,
): Explanation {
  switch (own.type) {
    case 'factor': {
      const factor = leaf(value, 'boostFactor');
      return { ...leaf(value, 'static boost factor'), details: [factor] };
    }
    case 'one':
    case 'frequency':
      return leaf(value, 'constant score 1.0 - no function provided');
    case 'random':
      return leaf(value, `random score function (seed: ${own.seed | 0})`);
    case 'fieldValue': {
      const modifier = nameIn(Modifier, own.modifier);
      const missing = own.missing === undefined ? '' : `?:${doubleText(own.missing)}`;
      const read = `doc['${context.name(own.field)}'].value${missing}`;
      return leaf(value, `field value function: ${modifier}(${read} * factor=${floatText(own.factor)})`);
    }
    case 'script': {
      const params = own.params === undefined ? '' : `" and parameters: \n${javaText(own.params)}`;
      const description = `script score function, computed with script:"${own.script.text}${params}`;
      const score = { ...leaf(scored.value, '_score: '), details: [scored] };
      return { ...leaf(value, description), details: [score] };
    }
    default: {
      const detail = leaf(value, formula(own, distances(own, context.values(own.field))));
      return { ...leaf(value, `Function for field ${context.name(own.field)}:`), details: [detail] };
    }
  }
}

function leaf(value: number, description: string): Explanation {
  return { value, description, details: [], matched: true };
}

function formula({ shape, scale, decay }: DecayFunction, distance: string): string {
  if (shape === DecayShape.gauss) {
    const spread = (0.5 * scale ** 2) / Math.log(decay);
    return `exp(-0.5*pow(${distance},2.0)/${doubleText(-spread)})`;
  }
  if (shape === DecayShape.exp) return `exp(- ${distance} * ${doubleText(-(Math.log(decay) / scale))})`;
  const reach = doubleText(scale / (1 - decay));
  return `max(0.0, ((${reach} - ${distance})/${reach})`;
}

function distances(own: DecayFunction, values: ReturnType<ValuesOf>): string {
  const offset = doubleText(own.offset);
  const texts = values.map((value) => {
    if (typeof value === 'number') {
      const origin = own.type === 'decay' ? own.origin : 0;
      const difference = `Math.abs(${doubleText(value)}(=doc value) - ${doubleText(origin)}(=origin))`;
      return `Math.max(${difference}) - ${offset}(=offset), 0)`;
    }
    const origin = own.type === 'geoDecay' ? own : value;
    return `Math.max(arcDistance(${point(value)}(=doc value),${point(origin)}(=origin)) - ${offset}(=offset), 0)`;
  });
  return `${nameIn(ValueMode, own.mode).toUpperCase()}[${texts.length === 0 ? '0.0' : texts.join(', ')}]`;
}

function point({ lat, lon }: { lat: number; lon: number }): string {
  return `[${doubleText(lat)}, ${doubleText(lon)}]`;
}
