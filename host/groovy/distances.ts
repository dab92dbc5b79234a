/**
 * How far a point of a document is from another one: `doc['field'].arcDistance(lat, lon)` and its relatives, in the formulas of 1.7's
 * `GeoDistance`, as expressions over the coordinates.
 */
import type { Expression, FunctionName, Operation } from '../expression/operations.js';

type Formula = 'plane' | 'arc' | 'factor';

const METRES = { '': 1, InKm: 1000, InMiles: 1609.344 } as const;
/** Metres that the equator is long. */
const EQUATOR = 6_378_137 * Math.PI * 2;
const RADIANS = Math.PI / 180;

/** What a method works out. */
export interface DistanceMethod {
  formula: Formula;
  /** Metres of its unit. */
  unit: number;
  /** What it has for documents without a point is its last operand. */
  hasDefault: boolean;
}

/** The methods by name. */
export const DISTANCES: ReadonlyMap<string, DistanceMethod> = new Map(
  (['distance', 'arcDistance', 'factorDistance'] as const).flatMap((name) => {
    const formula = name === 'distance' ? 'plane' : name === 'arcDistance' ? 'arc' : 'factor';
    // A factor is no length.
    const units = Object.entries(METRES).filter(([suffix]) => suffix === '' || formula !== 'factor');
    return units.flatMap(([suffix, unit]): [string, DistanceMethod][] => [
      [`${name}${suffix}`, { formula, unit, hasDefault: false }],
      [`${name}${suffix}WithDefault`, { formula, unit, hasDefault: true }],
    ]);
  }),
);

/** A point, as expressions have it: in degrees. */
export interface PointParts {
  lat: Expression;
  lon: Expression;
}

const number = (value: number): Expression => ({ kind: 'number', value });
const does = (operation: Operation, ...operands: Expression[]): Expression => ({
  kind: 'operation',
  operation,
  operands,
});
const call = (name: FunctionName, ...operands: Expression[]): Expression => ({
  kind: 'call',
  name,
  operands,
});

/** The distance between two points, in the method's unit; of `factor` the cosine of the angle between them. */
export function distanceBetween(
  { formula, unit }: DistanceMethod,
  from: PointParts,
  to: PointParts,
): Expression {
  if (formula === 'arc') {
    const metres = does('arcDistance', from.lat, from.lon, to.lat, to.lon);
    return unit === 1 ? metres : does('divide', metres, number(unit));
  }
  const [x, y] = [does('subtract', to.lon, from.lon), does('subtract', to.lat, from.lat)];
  if (formula === 'plane')
    return does(
      'multiply',
      call('sqrt', does('add', does('multiply', x, x), does('multiply', y, y))),
      number(EQUATOR / (360 * unit)),
    );
  const radians = (degrees: Expression) => does('multiply', degrees, number(RADIANS));
  const fromPole = ({ lat }: PointParts) => radians(does('subtract', number(90), lat));
  const [a, c] = [fromPole(from), fromPole(to)];
  const along = does('multiply', call('sin', a), call('sin', c));
  return does(
    'add',
    does('multiply', call('cos', a), call('cos', c)),
    does('multiply', along, call('cos', radians(x))),
  );
}
