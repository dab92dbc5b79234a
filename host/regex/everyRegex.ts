/** Java's regular expressions, as one part of the host (lateRegex.ts). */
export { parsePattern } from './parser.js';
export { compileRegex, quoteRegex } from './regex.js';
export { Replacement } from './replacement.js';
