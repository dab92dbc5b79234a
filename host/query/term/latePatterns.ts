/** Patterns that are carried out as automata over terms. */
import { LatePart } from '../../latePart.js';
import { PATTERN_WORDS } from '../../regex/lateRegex.js';

export const patterns = new LatePart('patterns over terms', PATTERN_WORDS, () => import('./everyPattern.js'));
