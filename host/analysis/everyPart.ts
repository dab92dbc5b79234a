/** The analyzers and what they are made of, as one part of the host (lateParts.ts). */
import { filters, filtersByName } from './filters.js';

export { analyzers, prebuilt } from './analyzers.js';
export { charFilters } from './charFilters.js';
export { filters } from './filters.js';
export { payloadFilter, Payloads } from './payloads.js';
export { tokenizers, tokenizersByName } from './tokenizers.js';

/** Filters by the names that analyzers give them. */
export const allFiltersByName = new Map([...filters, ...filtersByName]);
