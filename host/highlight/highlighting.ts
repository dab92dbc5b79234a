/** What highlights, as one part of the host (lateHighlighting.ts). */
export { Highlighters, highlightsOf } from './highlight.js';
export { readHighlight } from './request.js';
