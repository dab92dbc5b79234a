/** Queries that are made of others, and documents that don't match. */
import { joined, named, type Reading, type Rule } from './rule';

function noMatch(title: string, meaning: string): Reading {
  return { kind: 'noMatch', title, meaning };
}

export const QUERY_RULES: readonly Rule[] = [
  {
    pattern: /^sum of:?$/,
    read: (_, node) => ({
      kind: 'sum',
      title: 'sum',
      ...joined(node, ' + '),
      meaning: 'What the matching parts give, added up.',
    }),
  },
  {
    pattern: /^product of:?$/,
    read: (_, node) => ({ kind: 'product', title: 'product', ...joined(node, ' × '), meaning: '' }),
  },
  {
    pattern: /^max of:?$/,
    read: (_, node) => ({
      kind: 'max',
      title: 'max',
      ...within(joined(node, ', '), 'max'),
      meaning: 'The best of the parts counts, the others do not.',
    }),
  },
  {
    pattern: /^max plus (-?[\d.E-]+) times others of:$/,
    read: ([, tie = ''], node) => {
      const sorted = [...node.details].sort((a, b) => b.value - a.value).map(({ digits }) => digits);
      const [best = '0', ...others] = sorted;
      return {
        kind: 'maxPlus',
        title: 'max plus others',
        formula: `max + ${tie} × (sum of the others)`,
        numbers: others.length === 0 ? best : `${best} + ${tie} × (${others.join(' + ')})`,
        meaning: `The best of the parts, and of each other one ${tie} of what it gives (tie_breaker).`,
        tieBreaker: Number(tie),
      };
    },
  },
  {
    pattern: /^min of:?$/,
    read: (_, node) => ({
      kind: 'min',
      title: 'min',
      ...within(joined(node, ', '), 'min'),
      meaning: 'The smallest of these.',
    }),
  },
  {
    pattern: /^avg of:?$/,
    read: (_, node) => ({
      kind: 'average',
      title: 'average',
      ...(node.details.length === 2
        ? {
            formula: `(${node.details.map(({ title }) => title).join(' + ')}) / 2`,
            numbers: `(${node.details.map(({ digits }) => digits).join(' + ')}) / 2`,
          }
        : {}),
      meaning: 'The mean of these.',
    }),
  },
  {
    pattern: /^coord\((\d+)\/(\d+)\)$/,
    read: ([, some = '', all = ''], { digits }) =>
      Math.abs(Number(digits) - Number(some) / Number(all)) > 1e-6
        ? {
            kind: 'coord',
            title: 'negative_boost',
            meaning: 'The negative query of a boosting query matches too.',
          }
        : {
            kind: 'coord',
            title: 'coord',
            formula: 'matching clauses / clauses',
            numbers: `${some} / ${all}`,
            meaning: `Coordination factor: ${some} of ${all} clauses match. Documents that match more of them rank higher.`,
          },
  },
  {
    pattern: /^MatchAllDocsQuery, product of:$/,
    read: (_, node) => ({
      kind: 'constant',
      title: 'match_all',
      query: '*:*',
      ...joined(node, ' × '),
      meaning: 'Every document matches, with the same score.',
    }),
  },
  {
    pattern: /^(.*), product of:$/s,
    read: ([, query = ''], node) => {
      if (query.startsWith('function score') || query === 'btq') return payload(query, node);
      return {
        kind: 'constant',
        title: plainQuery(query),
        query: plainQuery(query),
        ...joined(node, ' × '),
        meaning:
          'A constant score: all documents that match get the same, however often and wherever they do.',
      };
    },
  },
  {
    pattern: /^allPayload\(\.\.\.\)$/,
    read: named('boost of the field', 'The boosts that fields had where the term stands in _all.', 'factor'),
  },
  {
    pattern: /^Score based on child doc range from (\d+) to (\d+)$/,
    read: ([, from = '', to = '']) => {
      const count = Number(to) - Number(from) + 1;
      const objects = count === 1 ? 'one nested object' : `${count} nested objects`;
      return {
        kind: 'nested',
        title: 'nested',
        query: 'nested objects',
        meaning: `Taken from the scores of matching nested objects, of which this document has ${objects}. The server tells no more.`,
      };
    },
  },
  {
    pattern: /^not implemented yet\.\.\.$/,
    read: (_, { digits }) => ({
      kind: 'join',
      title: 'parents and children',
      query: 'parents and children',
      meaning: `A has_child, has_parent or top_children query, whose scores are not explained. The number here (${digits}) is its boost, not what it gave.`,
    }),
  },
  {
    pattern: /^primaryWeight$/,
    read: named('query_weight', 'How much the score of the query counts after rescoring.', 'factor'),
  },
  {
    pattern: /^secondaryWeight$/,
    read: named('rescore_query_weight', 'How much the score of the rescoring query counts.', 'factor'),
  },
  {
    pattern: /^no matching term$/,
    read: () => noMatch('no match', 'The field of this document does not have it.'),
  },
  { pattern: /^Not a match$/, read: () => noMatch('no match', 'No nested object matches.') },
  {
    pattern: /^no match on required clause \((.*)\)$/s,
    read: ([, query = '']) => noMatch(query, 'A clause that must match does not.'),
  },
  {
    pattern: /^match on prohibited clause \((.*)\)$/s,
    read: ([, query = '']) => noMatch(query, 'A clause that must not match does.'),
  },
  {
    pattern: /^Failure to meet condition\(s\) of required\/prohibited clause\(s\)$/,
    read: () => noMatch('no match', 'Some clauses keep this document out.'),
  },
  {
    pattern: /^Failure to match minimum number of optional clauses: (\d+)$/,
    read: ([, count = '']) =>
      noMatch('no match', `Fewer than ${count} optional clauses match (minimum_should_match).`),
  },
  {
    pattern: /^failure to match filter: (.*)$/s,
    read: ([, filter = '']) => noMatch(plainQuery(filter), 'The query matches, this filter does not.'),
  },
  {
    pattern: /^(.*) doesn't match id \d+$/s,
    read: ([, query = '']) => noMatch(plainQuery(query), 'It does not match.'),
  },
];

function payload(query: string, node: Parameters<Rule['read']>[1]): Reading {
  if (query === 'btq')
    return {
      kind: 'product',
      title: 'product',
      ...joined(node, ' × '),
      meaning: 'A term of _all, with the boosts of the fields that it comes from.',
    };
  const isFiltered = query === 'function score, no filter match';
  // One function of several: beside it stands the filter that it needs.
  const isOne = node.details[0]?.title.startsWith('filter:') === true;
  return {
    kind: isOne ? 'function' : 'functionScore',
    title: isOne ? 'function' : 'function_score',
    ...joined(node, ' × '),
    meaning: isOne
      ? 'One of the functions, whose filter matches.'
      : isFiltered
        ? 'No filter of a function matches: the score of the query stays.'
        : 'The score of the query, combined with what the functions give (boost_mode).',
  };
}

/** A query without what says that it is constant or cached. */
function plainQuery(query: string): string {
  const constant = /^ConstantScore\((.*)\)(\^[\d.E-]+)?$/s.exec(query);
  const inner = constant === null ? query : constant[1]!;
  const cached = /^cache\((.*)\)$/s.exec(inner);
  return `${cached === null ? inner : cached[1]!}${constant?.[2] ?? ''}` || 'nothing';
}

function within(
  { formula, numbers }: Pick<Reading, 'formula' | 'numbers'>,
  name: string,
): Pick<Reading, 'formula' | 'numbers'> {
  return formula === undefined || numbers === undefined
    ? {}
    : { formula: `${name}(${formula})`, numbers: `${name}(${numbers})` };
}
