/** What reads the highlights that a search asks for, and makes them. */
import { LatePart } from '../latePart.js';

export const highlighting = new LatePart('what highlights', ['highlight'], () => import('./highlighting.js'));
