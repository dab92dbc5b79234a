/** What `resilin/kernels` exports on every platform besides what loads it. */
export { Kernels, type PackedBlock, type Point, type TopScores } from './kernels.js';
export { type BenchModules, type Measured, type MeasureOptions, questionTitles } from './measure.js';
