/** What carries out updates by scripts. */
import { LatePart } from '../latePart.js';

export const scriptedUpdates = new LatePart(
  'updates by scripts',
  ['script'],
  () => import('./scriptedUpdate.js'),
);
