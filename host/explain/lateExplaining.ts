/** What explains scores, and shows queries as they are carried out. */
import { LatePart } from '../latePart.js';

export const explaining = new LatePart(
  'what explains',
  ['explain', 'rewrite'],
  () => import('./explaining.js'),
);
