/** Patterns over terms, as one part of the host (latePatterns.ts). */
export { javaAutomaton } from './javaAutomaton.js';
