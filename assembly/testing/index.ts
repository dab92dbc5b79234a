/**
 * Low-level modules as exports of their own, for tests; no part of the product. They are one core, as a core takes seconds to compile,
 * and most of them are in each other; it imports its memory, so that a test can limit it.
 */
export * from './analysis';
export * from './kernels';
export * from './segments';
