/** What finds the registered queries that match a document. */
import { LatePart } from '../latePart.js';

export const percolation = new LatePart('what percolates', ['percolat'], () => import('./percolating.js'));
