/** What explains scores and shows queries as they are carried out, as one part of the host (lateExplaining.ts). */
export { explanation } from './explain.js';
export { explainRescore } from './explainRescore.js';
export { printExplanationNode } from './printNode.js';
