/** The kinds of aggregations and facets. */
import { LatePart } from '../latePart.js';

export const aggregationKinds = new LatePart(
  'what aggregates',
  ['aggs', 'aggregation', 'facet'],
  () => import('./everyKind.js'),
);
