/** The dictionary of the KStem stemmer: as much as an eighth of all that a browser loads, for a stemmer that few ask for. */
import { LatePart } from '../latePart.js';

export const kstemDictionary = new LatePart(
  'the dictionary of KStem',
  ['kstem', 'light_?english'],
  () => import('./kstemWords.js'),
);
