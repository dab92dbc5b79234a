/** Facets that look at several fields: an aggregation finds what each holds, and the facet shows them as one. */

import { doubleText } from '../numbers/javaNumbers.js';
import type { JsonObject } from '../json/values.js';
import {
  buckets,
  type Found,
  number,
  option,
  orderOf,
  type Shown,
  statistics,
  TERM_ORDERS,
  valuesOf,
  whichTerms,
} from './facetParts.js';
import { Double, type Rendered } from './rendered.js';
import { compareTermKeys } from './terms.js';

const EVERYTHING = { match_all: {} };

/** All parts of one kind, in the order of the fields. */
function partsOf(found: Found, fields: readonly string[], kind: string): Found[] {
  return fields.map((_, i) => found[kind + i] as Found);
}

/** The term of a bucket; numbers stand beside words here, so they are words too. */
function termOf(key: Rendered | undefined): string {
  return key instanceof Double ? doubleText(key.value) : String(key);
}

/** A `terms` facet over several fields: a term counts once for each of them that a document has it in. */
export function termsOfFields(fields: readonly string[], body: JsonObject): Shown {
  const [order] = orderOf(option(body, 'order', 'comparator') ?? 'count', TERM_ORDERS, 'terms');
  const [[by, direction]] = Object.entries(order!) as [[string, unknown]];
  const sign = direction === 'desc' ? -1 : 1;
  const size = Number(body.size ?? 10);
  // Fields of numbers know no words to leave out.
  const { exclude, ...which } = whichTerms(body);
  const script = valuesOf(body, [], ['script', 'script_field', 'scriptField']);
  const excluded = new Set(exclude as string[] | undefined);
  const aggs = fields.map((field, i): JsonObject => {
    const terms = { field, ...script, size: 0, ...which };
    return {
      [`terms${i}`]: { terms },
      [`missing${i}`]: { missing: { field } },
    };
  });
  return {
    aggregation: { filter: EVERYTHING, aggs: Object.assign({}, ...aggs) },
    show: (found) => {
      const counts = new Map<string, number>();
      let total = 0;
      for (const { key, doc_count } of partsOf(found, fields, 'terms').flatMap(buckets)) {
        const term = termOf(key);
        if (excluded.has(term)) continue;
        const count = number(doc_count);
        counts.set(term, (counts.get(term) ?? 0) + count);
        total += count;
      }
      const sorted = [...counts].sort(
        ([a, n], [b, m]) => sign * ((by === '_count' ? n - m : 0) || compareTermKeys(a, b)),
      );
      const terms = sorted.slice(0, size).map(([term, count]) => ({ term, count }));
      const missing = partsOf(found, fields, 'missing').reduce(
        (sum, part) => sum + number(part.doc_count),
        0,
      );
      const other = total - terms.reduce((sum, { count }) => sum + count, 0);
      return { _type: 'terms', missing, total, other, terms };
    },
  };
}

/** A `statistical` facet over the values of several fields. */
export function statisticsOfFields(fields: readonly string[]): Shown {
  const aggs = fields.map((field, i): JsonObject => ({ [`stats${i}`]: { extended_stats: { field } } }));
  return {
    aggregation: { filter: EVERYTHING, aggs: Object.assign({}, ...aggs) },
    show: (found) => {
      const parts = partsOf(found, fields, 'stats').filter(({ count }) => number(count) > 0);
      const sum = (name: string) => parts.reduce((all, part) => all + number(part[name]), 0);
      const count = sum('count');
      const total = sum('sum');
      const squares = sum('sum_of_squares');
      const variance = (squares - (total * total) / count) / count;
      return statistics({
        count,
        sum: new Double(total),
        min: new Double(Math.min(...parts.map(({ min }) => number(min)))),
        max: new Double(Math.max(...parts.map(({ max }) => number(max)))),
        sum_of_squares: new Double(squares),
        variance: new Double(variance),
        std_deviation: new Double(Math.sqrt(variance)),
      });
    },
  };
}
