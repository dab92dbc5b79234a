/** What compiles scripts, and makes fields of hits. */
import { LatePart } from '../latePart.js';

export const scripts = new LatePart('scripts', ['script'], () => import('./compiling.js'));
