/** Probabilistic similarities: DFR, IB and the language models. */
import { named, type Rule } from './rule';

const BASIC: Readonly<Record<string, string>> = {
  BE: 'Bose-Einstein',
  D: 'divergence',
  G: 'geometric approximation of Bose-Einstein',
  IF: 'inverse frequency of the term',
  In: 'inverse document frequency',
  Ine: 'inverse expected document frequency',
  P: 'Poisson',
};

export const MODEL_RULES: readonly Rule[] = [
  { pattern: /^tfn$/, read: named('tfn', 'Occurrences, corrected by the length of the field.') },
  { pattern: /^tf$/, read: named('tf', 'Occurrences of the term in the field.', 'frequency') },
  {
    pattern: /^len$/,
    read: named('len', 'Terms of the field in this document, rounded to one byte.', 'fieldLength'),
  },
  { pattern: /^totalTermFreq$/, read: named('totalTermFreq', 'Occurrences of the term in all documents.') },
  { pattern: /^docFreq$/, read: named('docFreq', 'Documents that have the term.') },
  { pattern: /^numberOfDocuments$/, read: named('numberOfDocuments', 'Documents that there are.') },
  {
    pattern: /^BasicModel(\w+), computed from: $/,
    read: ([, name = '']) => ({
      kind: 'number',
      title: `basic model ${name}`,
      meaning: `How much the occurrences tell if terms were spread by chance: ${BASIC[name] ?? name}.`,
    }),
  },
  {
    pattern: /^AfterEffect(\w+), computed from: $/,
    read: ([, name = '']) => ({
      kind: 'number',
      title: `after effect ${name}`,
      meaning: 'A further occurrence of a term that is there already tells less.',
    }),
  },
  {
    pattern: /^no aftereffect$/,
    read: named('no after effect', 'Further occurrences tell as much as the first.'),
  },
  {
    pattern: /^Normalization(\w+), computed from: $/,
    read: ([, name = '']) => ({
      kind: 'number',
      title: `normalization ${name}`,
      meaning: 'Corrects the number of occurrences by the length of the field.',
    }),
  },
  {
    pattern: /^no normalization$/,
    read: named('no normalization', 'The length of the field does not count.'),
  },
  {
    pattern: /^Lambda(\w+), computed from: $/,
    read: ([, name = '']) => ({
      kind: 'idf',
      title: `lambda ${name}`,
      meaning:
        name === 'DF' ? 'How many documents have the term.' : 'How often the term occurs in all documents.',
    }),
  },
  {
    pattern: /^Distribution(\w+)$/,
    read: ([, name = '']) => ({
      kind: 'number',
      title: `distribution ${name}`,
      meaning: name === 'LL' ? 'Log-logistic distribution.' : 'Smoothed power law distribution.',
    }),
  },
  { pattern: /^mu$/, read: named('mu', 'How much all documents count beside this one. A setting.') },
  { pattern: /^lambda$/, read: named('lambda', 'How much all documents count beside this one. A setting.') },
  { pattern: /^term weight$/, read: named('term weight', 'What the occurrences of the term give.') },
  {
    pattern: /^document norm$/,
    read: named('document norm', 'What the length of the field takes or gives.', 'fieldNorm'),
  },
  {
    pattern: /^collection probability$/,
    read: named('collection probability', 'How likely a word of all documents is this term.', 'idf'),
  },
];
