/** What is said of scripts that may not run. */
import { LatePart } from '../latePart.js';

export const disabledScripts = new LatePart(
  'what refuses scripts',
  ['script'],
  () => import('./disabled.js'),
);
