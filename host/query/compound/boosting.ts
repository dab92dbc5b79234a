/** `boosting`: a query, and one that lowers scores. */

import { queryParsing } from '../../errors.js';
import { NOTHING, Options, type QueryCompiler, type QueryKind } from '../context.js';

const read: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'boosting', body, 'query', { ignored: NOTHING });
  const wanted = options.object('positive');
  const unwanted = options.object('negative');
  const negativeBoost = options.number(-1, 'negative_boost', 'negativeBoost');
  const boost = options.number(-1, 'boost');
  options.end();
  const part = (given: unknown, name: string) =>
    given === undefined ? undefined : dsl.optionalQuery(given, () => options.unsupported(name));
  const positive = part(wanted, 'positive');
  const negative = part(unwanted, 'negative');
  if (wanted === undefined) {
    throw queryParsing(dsl.index, "[boosting] query requires 'positive' query to be set'");
  }
  if (unwanted === undefined) {
    throw queryParsing(dsl.index, "[boosting] query requires 'negative' query to be set'");
  }
  if (negativeBoost < 0) {
    throw queryParsing(
      dsl.index,
      "[boosting] query requires 'negative_boost' to be set to be a positive value'",
    );
  }
  if (positive === undefined || negative === undefined) return undefined;
  // The boost of the whole counts for nothing: Lucene rewrites the query to its parts.
  void boost;
  return { kind: 'boosting', positive, negative, negativeBoost };
};

export const boostingQuery: QueryKind = { names: ['boosting'], read, reach: 'found' };
