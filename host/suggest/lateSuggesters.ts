/** The suggesters. */
import { LatePart } from '../latePart.js';

export const suggesters = new LatePart('what suggests', ['suggest'], () => import('./suggesters.js'));
