/** How function_score makes numbers of documents, and how it puts them together. */

import type { BoundExpression } from '../expression/program.js';
import type { JsonObject } from '../json/values.js';

/** How a function of function_score makes a number of a document. */
export type ScoreFunction =
  | { type: 'one' }
  | { type: 'factor'; factor: number }
  /** How often the term that is its filter occurs. */
  | { type: 'frequency' }
  | { type: 'script'; script: BoundExpression; params?: JsonObject | undefined }
  /** A number by the uid of a document, the seed, and the index by its salt together with the number of the shard. */
  | { type: 'random'; seed: number; salt: number }
  | {
      type: 'fieldValue';
      field: number;
      /** As it was asked for. */
      name: string;
      factor: number;
      modifier: Modifier;
      missing?: number | undefined;
    }
  | {
      type: 'decay';
      shape: DecayShape;
      field: number;
      origin: number;
      scale: number;
      offset: number;
      decay: number;
      mode: ValueMode;
    }
  | {
      type: 'geoDecay';
      shape: DecayShape;
      field: number;
      lat: number;
      lon: number;
      /** Metres. */
      scale: number;
      offset: number;
      decay: number;
      mode: ValueMode;
    };
export const Modifier = {
  none: 0,
  log: 1,
  log1p: 2,
  log2p: 3,
  ln: 4,
  ln1p: 5,
  ln2p: 6,
  square: 7,
  sqrt: 8,
  reciprocal: 9,
} as const;
export type Modifier = (typeof Modifier)[keyof typeof Modifier];
export const DecayShape = { gauss: 0, exp: 1, linear: 2 } as const;
export type DecayShape = (typeof DecayShape)[keyof typeof DecayShape];
export const ValueMode = { min: 0, max: 1, avg: 2, sum: 3 } as const;
export type ValueMode = (typeof ValueMode)[keyof typeof ValueMode];
export { BoostMode, ScoreMode } from '../core/abi/functions.js';

/** The name that a number has among these; of none ''. */
export function nameIn(names: Readonly<Record<string, number>>, value: number): string {
  return Object.keys(names).find((key) => names[key] === value) ?? '';
}
