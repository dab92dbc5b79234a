/** Java's regular expressions. */
import { LatePart } from '../latePart.js';

/** What names one in a request or in metadata. Dynamic templates have wildcards that are carried out by them. */
export const PATTERN_WORDS = ['pattern', 'regex', 'dynamic_?templates', 'rename_'];

export const regularExpressions = new LatePart(
  'regular expressions',
  PATTERN_WORDS,
  () => import('./everyRegex.js'),
);
