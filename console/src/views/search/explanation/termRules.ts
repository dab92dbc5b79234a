/** Terms, phrases and spans: TF-IDF and BM25. */
import { joined, named, numberOf, type Rule } from './rule';

const NUMBER = '(-?[\\d.]+(?:E-?\\d+)?)';

export const TERM_RULES: readonly Rule[] = [
  {
    pattern: /^weight\((.*) in \d+\) \[PerFieldSimilarity\], result of:$/s,
    read: ([, query = '']) => ({ kind: 'clause', title: query, query, meaning: '' }),
  },
  {
    pattern: /^score\((\w+Similarity), doc=\d+, freq=.*\), computed from:$/s,
    read: ([, name = '']) => ({
      kind: 'score',
      title: `score by ${name.replace(/Similarity$/, '')}`,
      meaning: MODELS[name] ?? 'The score of a similarity of its own.',
    }),
  },
  {
    pattern: /^score\(doc=\d+,freq=.*\), product of:$/s,
    read: (_, node) => ({
      kind: 'score',
      title: 'score',
      ...joined(node, ' × '),
      meaning: node.isBm25
        ? 'BM25: how rare the term is, times how much it says about this document.'
        : 'TF-IDF: the weight of the term in the query, times its weight in the field.',
    }),
  },
  {
    pattern: /^queryWeight, product of:$/,
    read: (_, node) => ({
      kind: 'product',
      title: 'queryWeight',
      ...joined(node, ' × '),
      meaning: 'The weight of the term in the query. It is the same for all documents of a shard.',
    }),
  },
  {
    pattern: /^fieldWeight in \d+, product of:$/,
    read: (_, node) => ({
      kind: 'product',
      title: 'fieldWeight',
      ...joined(node, ' × '),
      meaning: 'The weight of the term in the field of this document.',
    }),
  },
  {
    pattern: new RegExp(`^tf\\(freq=${NUMBER}\\), with freq of:$`),
    read: ([, freq = '']) => ({
      kind: 'termFrequency',
      title: 'tf',
      formula: '√freq',
      numbers: `√${freq}`,
      meaning: 'Term frequency: more occurrences count more, each further one less.',
    }),
  },
  {
    pattern: new RegExp(`^termFreq=${NUMBER}$`),
    read: ([, freq = '']) => ({
      kind: 'frequency',
      title: 'freq',
      meaning: `The field has the term ${times(freq)}.`,
    }),
  },
  {
    pattern: new RegExp(`^phraseFreq=${NUMBER}$`),
    read: ([, freq = '']) => ({
      kind: 'frequency',
      title: 'freq',
      meaning: Number.isInteger(Number(freq))
        ? `The field has the phrase ${times(freq)}.`
        : 'Occurrences of the phrase; those whose terms are further apart count as a fraction.',
    }),
  },
  {
    pattern: /^idf\(docFreq=(\d+), maxDocs=(\d+)\)$/,
    read: ([, df = '', max = ''], { isBm25 }) => ({
      kind: 'idf',
      title: 'idf',
      formula: isBm25
        ? 'ln(1 + (maxDocs − docFreq + 0.5) / (docFreq + 0.5))'
        : '1 + ln(maxDocs / (docFreq + 1))',
      numbers: isBm25 ? `ln(1 + (${max} − ${df} + 0.5) / (${df} + 0.5))` : `1 + ln(${max} / (${df} + 1))`,
      meaning: `Inverse document frequency: ${df} of ${max} documents have the term. The fewer, the more it counts.`,
    }),
  },
  {
    pattern: /^idf\(\), sum of:$/,
    read: (_, node) => ({
      kind: 'idf',
      title: 'idf',
      ...joined(node, ' + '),
      meaning: 'Inverse document frequencies of all terms, added up.',
    }),
  },
  {
    pattern: /^queryNorm$/,
    read: named(
      'queryNorm',
      'Makes the weights of a query comparable with those of others: 1 / √(sum of their squares). The same for all documents, so it moves none.',
    ),
  },
  {
    pattern: /^boost$/,
    read: named('boost', 'The boost of this part of the query.'),
  },
  {
    pattern: /^fieldNorm\(doc=\d+\)$/,
    read: named(
      'fieldNorm',
      'How short the field is: 1 / √(number of its terms), times the boosts of the mapping, kept in one byte. 1 for fields without norms.',
      'fieldNorm',
    ),
  },
  {
    pattern: /^tfNorm, computed from:$/,
    read: (_, node) => {
      const [freq, k1, b] = [numberOf(node, 'freq'), numberOf(node, 'k1'), numberOf(node, 'b')];
      const [length, average] = [numberOf(node, 'fieldLength'), numberOf(node, 'avgFieldLength')];
      const hasNorms = node.details.some(({ title }) => title === 'fieldLength');
      return {
        kind: 'termFrequency',
        title: 'tfNorm',
        formula: hasNorms
          ? 'freq × (k1 + 1) / (freq + k1 × (1 − b + b × fieldLength / avgFieldLength))'
          : 'freq × (k1 + 1) / (freq + k1)',
        numbers: hasNorms
          ? `${freq} × (${k1} + 1) / (${freq} + ${k1} × (1 − ${b} + ${b} × ${length} / ${average}))`
          : `${freq} × (${k1} + 1) / (${freq} + ${k1})`,
        meaning:
          'Term frequency, which rises towards k1 + 1, less in fields that are longer than the average.',
      };
    },
  },
  {
    pattern: /^parameter k1$/,
    read: named('k1', 'How much further occurrences count. A setting of the similarity.'),
  },
  {
    pattern: /^parameter b( \(norms omitted for field\))?$/,
    read: ([, omitted]) => ({
      kind: 'number',
      title: 'b',
      meaning:
        omitted === undefined
          ? 'How much the length of the field counts, from 0 to 1. A setting of the similarity.'
          : 'The field has no norms, so its length does not count.',
    }),
  },
  {
    pattern: /^avgFieldLength$/,
    read: named('avgFieldLength', 'Terms that the field has in a document of the shard, on average.'),
  },
  {
    pattern: /^fieldLength$/,
    read: named(
      'fieldLength',
      'Terms of the field in this document. It is kept in one byte, so long ones are rounded.',
      'fieldLength',
    ),
  },
];

const MODELS: Readonly<Record<string, string>> = {
  DFRSimilarity:
    'Divergence from randomness: how unlikely the occurrences are if terms were spread by chance.',
  IBSimilarity: 'Information-based model: how much the occurrences tell, given how terms are spread.',
  LMDirichletSimilarity: 'Language model with Dirichlet smoothing.',
  LMJelinekMercerSimilarity: 'Language model with Jelinek-Mercer smoothing.',
};

function times(freq: string): string {
  const count = Number(freq);
  return count === 1 ? 'once' : `${count} times`;
}
