/** The kinds of aggregations and facets, as one part of the host (lateKinds.ts). */
export { KINDS } from './facetKinds.js';
export { kindOf } from './registry.js';
